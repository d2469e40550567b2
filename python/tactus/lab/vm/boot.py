# SPDX-License-Identifier: LGPL-2.1-or-later
"""One boot of a guest: every state has a limit of processor time, and every end has a name.

A run's folder keeps `command`, `console`, `qemu.log` and the guest's `results`. Its `initrd`, the
cached image and the job, is removed at the end.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import sub
from pathlib import Path

from tactus.lab.vm import cpio, image, results
from tactus.lab.vm.console import Console, State
from tactus.project import UserError

POLL_S = 0.02
# In QEMU's own processor time, so that a busy machine causes no hang; a boot takes 10.
LIMITS_S: Mapping[State, float] = {
    State.STARTING: 60.0,
    State.KERNEL: 240.0,
    State.JOB: 600.0,
    State.RESULTS: 120.0,
    State.OFF: 60.0,
}


# A guest that needs a processor for less of the time than this waits for something that never
# comes.
IDLE = 0.02
# As a multiple of a limit, in wall-clock time: the longest wait on a busy machine.
PATIENCE = 10


def _wanted_s(pid: int) -> tuple[float, float]:
    """How long the threads of a child process have run and waited for a processor (Linux
    Documentation/scheduler/sched-stats.rst); zero when the process is gone."""
    ran_ns = waited_ns = 0
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError):
            ran, waited, _ = map(int, path.read_text(encoding="ascii").split())
            ran_ns, waited_ns = ran_ns + ran, waited_ns + waited
    return ran_ns / 1e9, waited_ns / 1e9


class GuestFailure(Exception):
    """A guest that gave no result. `name` is one of: panic, oops, hang, died, damaged."""

    def __init__(self, name: str, state: State, reason: str, tail: Sequence[str]) -> None:
        super().__init__(f"the guest failed ({name}, in state {state.value}): {reason}")
        self.name = name
        self.state = state
        self.reason = reason
        self.tail = list(tail)


@dataclass(frozen=True, slots=True)
class Timing:
    """Host seconds of each state."""

    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """The folder for the files of a boot, and its limits."""

    folder: Path
    base: Path
    job: Path
    limits_s: Mapping[State, float] = field(default_factory=lambda: LIMITS_S)

    def prepare(self) -> None:
        """Writes the image, followed by the job."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with (self.folder / "initrd").open("wb") as file:
                with self.base.open("rb") as base:
                    shutil.copyfileobj(base, file)
                cpio.write(file, image.job_entries(self.job))
        except OSError as error:
            raise UserError(
                f"cannot write to {self.folder} ({error.strerror}): free space, or choose another"
            ) from None

    def run(
        self, command: Sequence[str], out: Path, watch: Callable[[State], None] = lambda _: None
    ) -> Timing:
        """Boots and waits for the end; then the results are in `out`. Raises GuestFailure."""
        self.prepare()
        (self.folder / "command").write_text(shlex.join(command) + "\n", encoding="utf-8")
        console = Console(self.folder / "console")
        timing = Timing()
        with (self.folder / "qemu.log").open("wb") as log:
            # The guest must not outlive the process that waits for it, however that one ends.
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            try:
                self._follow(process, console, timing, watch)
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
                (self.folder / "initrd").unlink(missing_ok=True)
        try:
            results.unpack(self.folder / "results", out)
        except results.Damaged as error:
            raise GuestFailure("damaged", State.OFF, str(error), console.tail()) from None
        return timing

    def _follow(
        self,
        process: subprocess.Popen[bytes],
        console: Console,
        timing: Timing,
        watch: Callable[[State], None],
    ) -> None:
        entered, before = time.monotonic(), (0.0, 0.0)
        state = console.state
        while True:
            status = process.poll()
            console.follow()
            now = time.monotonic()
            if console.state is not state:
                timing.seconds[state.value] = now - entered
                state, entered, before = console.state, now, _wanted_s(process.pid)
            watch(state)
            if status is not None:
                break
            limit_s, elapsed_s = self.limits_s[state], now - entered
            if elapsed_s > limit_s:
                ran_s, waited_s = map(sub, _wanted_s(process.pid), before)
                idle = ran_s + waited_s < IDLE * elapsed_s
                if idle or ran_s > limit_s or elapsed_s > PATIENCE * limit_s:
                    reason = f"no end after {limit_s:g} s"
                    raise GuestFailure("hang", state, reason, console.tail())
            time.sleep(POLL_S)
        timing.seconds[state.value] = time.monotonic() - entered
        if console.failure is not None:
            name, words = console.failure
            raise GuestFailure(name, state, words, console.tail())
        if status != 0 or state is not State.OFF:
            raise GuestFailure("died", state, self._last_words(status), console.tail())

    def _last_words(self, status: int) -> str:
        text = (self.folder / "qemu.log").read_text(encoding="utf-8", errors="replace")
        # The first one is the cause, the others follow from it.
        lines = [line for line in text.splitlines() if line and "warning: " not in line]
        said = f": {lines[0]}" if lines else ""
        return f"QEMU ended with status {status}{said}"
