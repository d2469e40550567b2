# SPDX-License-Identifier: LGPL-2.1-or-later
"""Loads beside a measurement: started on every CPU, watched, and in every case ended after it.

Each load runs under tactus-keeper, which kills all of it as soon as this end of its standard input
closes: at the end, on an interruption, and when this process is killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from tactus.project import UserError

WRITE_MIB = 64
START_TIMEOUT_S = 10.0
BUSY_LOOKS = 3
LOOK_INTERVAL_S = 0.05
CHECK_INTERVAL_S = 0.5
STALL_S = 1.5
STOP_TIMEOUT_S = 10.0

_WRITER = (
    f"while dd if=/dev/zero of=/proc/self/fd/1 bs=1M count={WRITE_MIB} conv=fdatasync 2>/dev/null;"
    " do :; done"
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a load is made."""

    program: str
    package: str
    says: str
    command: Callable[[], list[str]]
    per_cpu: bool = True
    to_file: bool = False


def _ping() -> list[str]:
    # Only root may flood; two milliseconds are the shortest interval for other users.
    flood = ["-f"] if os.geteuid() == 0 else ["-i", "0.002"]
    return ["ping", *flood, "-q", "-s", "1400", "127.0.0.1"]


RECIPES: dict[str, Recipe] = {
    "cpu": Recipe(
        "stress-ng",
        "stress-ng",
        "stress-ng --cpu 1 on each CPU",
        # Otherwise it writes in the current folder, which may belong to another user.
        lambda: [
            *("stress-ng", "--quiet", "--temp-path", tempfile.gettempdir()),
            *("--cpu", "1", "--timeout", "0"),
        ],
    ),
    "io": Recipe(
        "dd",
        "coreutils",
        f"dd of {WRITE_MIB} MiB with fdatasync, repeatedly, on each CPU",
        lambda: ["sh", "-c", _WRITER],
        to_file=True,
    ),
    "net": Recipe("ping", "iputils-ping", "ping flood of 127.0.0.1 on each CPU", _ping),
    "hackbench": Recipe(
        "hackbench",
        "rt-tests",
        "hackbench, 2 groups of 20 senders and 20 receivers",
        lambda: ["hackbench", "-g", "2", "-l", "1000000000"],
        per_cpu=False,
    ),
}


def require(loads: Sequence[str]) -> None:
    """One line that says what to install, before anything is measured."""
    needed = {load: RECIPES[load] for load in loads if load in RECIPES}
    missing = {r.package: load for load, r in needed.items() if not shutil.which(r.program)}
    if missing:
        packages = " ".join(missing)
        raise UserError(f"--load {'/'.join(missing.values())} needs: apt-get install {packages}")


def session_activity(session: int) -> tuple[int, int]:
    """Processor time of all processes of a session: clock ticks with those of dead children, and
    nanoseconds of living processes. One of the two changes when any of them computes."""
    ticks = runtime_ns = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            stat = (process / "stat").read_text(encoding="ascii", errors="replace")
            fields = stat.rpartition(")")[2].split()
            if int(fields[3]) == session:
                ticks += sum(int(field) for field in fields[11:15])
                runtime_ns += int((process / "schedstat").read_text(encoding="ascii").split()[0])
        except (OSError, IndexError):
            continue  # it ended meanwhile
    return ticks, runtime_ns


@dataclass(slots=True)
class Worker:
    """One keeper and its load."""

    process: subprocess.Popen[bytes]
    activity: tuple[int, int] = (0, 0)
    progressed_s: float = field(default_factory=time.monotonic)

    def progressed(self) -> bool:
        """Has it computed since the last check?"""
        before, self.activity = self.activity, session_activity(self.process.pid)
        return self.activity != before


@dataclass(slots=True)
class Load:
    """A load by name; `idle` is none. Use it as a context manager."""

    name: str
    keeper: Path
    cpus: Sequence[int]
    failure: str | None = None
    """Why it does not run; kept until the load is started anew."""
    workers: list[Worker] = field(default_factory=list)
    _checked: float = 0.0

    def __enter__(self) -> Load:
        recipe = RECIPES.get(self.name)
        if recipe is None:
            return self
        try:
            for cpu in self.cpus if recipe.per_cpu else [None]:
                self.workers.append(self._start(recipe, cpu))
            self._wait_until_busy()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _start(self, recipe: Recipe, cpu: int | None) -> Worker:
        pinned = [] if cpu is None else ["--cpu", str(cpu)]
        command = [str(self.keeper), *pinned, *recipe.command()]
        # The file that dd writes has no name, so that it is removed with its last user.
        with tempfile.TemporaryFile(dir=self._folder()) as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output if recipe.to_file else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        return Worker(process)

    def _folder(self) -> Path | None:
        """Beside the build, which is on a disk; /tmp often is not."""
        return self.keeper.parent if os.access(self.keeper.parent, os.W_OK) else None

    def _wait_until_busy(self) -> None:
        """Waits until each worker has computed in BUSY_LOOKS checks; starting it is one of them."""
        deadline = time.monotonic() + START_TIMEOUT_S
        looks = dict.fromkeys(range(len(self.workers)), BUSY_LOOKS)
        while any(looks.values()):
            time.sleep(LOOK_INTERVAL_S)
            for index, worker in enumerate(self.workers):
                if worker.progressed() and looks[index]:
                    looks[index] -= 1
            ended = any(worker.process.poll() is not None for worker in self.workers)
            if ended or time.monotonic() > deadline:
                command = " ".join(RECIPES[self.name].command()[:3])
                raise UserError(f"the load {self.name} does not start: try `{command}` by hand")
        self._checked = time.monotonic()

    def check(self) -> str | None:
        """Why the load does not run, or None; called also at the end of each run. The measured
        tasks may keep a worker from its CPU for a while, but not for STALL_S."""
        now = time.monotonic()
        if self.failure is not None or now - self._checked < CHECK_INTERVAL_S:
            return self.failure or self._ended()
        self._checked = now
        for worker in self.workers:
            if worker.progressed():
                worker.progressed_s = now
            elif now - worker.progressed_s > STALL_S:
                self.failure = f"the load {self.name} made no progress for {STALL_S:g} s"
        return self._ended()

    def _ended(self) -> str | None:
        if self.failure is None and any(w.process.poll() is not None for w in self.workers):
            self.failure = f"the load {self.name} ended"
        return self.failure

    def stop(self) -> None:
        for worker in self.workers:
            if worker.process.stdin is not None:
                worker.process.stdin.close()
        for worker in self.workers:
            try:
                worker.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
        self.workers.clear()
