# SPDX-License-Identifier: LGPL-2.1-or-later
"""A user's program in virtual time, once for each seed.

The program is one that uses libtactus or a skin. The libraries of the back end sim have the names
of the others, so they only have to be found first. A run passes if the program ends with status 0,
or if it lives for the virtual time that it was given.
"""

from __future__ import annotations

import hashlib
import os
import select
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tactus.project import Project, UserError

OPTIONS = "TACTUS_SIM"
LIBRARIES = "LD_LIBRARY_PATH"
# hal/sim ends a run that cannot go on with this status and one line.
STUCK = 70
PAST_LIMIT = "past its limit"
POLL_S = 0.02
TAIL_LINES = 12


@dataclass(frozen=True, slots=True)
class Program:
    """command: the program with its arguments. limit_s: of virtual time, after which a run has
    passed. timeout_s: of the host's time, after which it has failed."""

    command: Sequence[str]
    folders: Sequence[Path]
    limit_s: int | None = None
    timeout_s: float = 60

    def environment(self, seed: int, trace: Path | None = None) -> dict[str, str]:
        given = os.environ.get(OPTIONS)
        words = [given] if given else []
        words.append(f"seed={seed}")
        if self.limit_s is not None:
            words.append(f"limit={self.limit_s}")
        if trace is not None:
            words.append(f"trace={trace}")
        paths = [*map(str, self.folders), *filter(None, [os.environ.get(LIBRARIES)])]
        return {**os.environ, OPTIONS: ",".join(words), LIBRARIES: os.pathsep.join(paths)}

    def replay(self, seed: int) -> str:
        """The command that repeats a run."""
        every = self.environment(seed)
        settings = (f"{name}={shlex.quote(every[name])}" for name in (OPTIONS, LIBRARIES))
        return " ".join([*settings, shlex.join(self.command)])


@dataclass(frozen=True, slots=True)
class Result:
    """why: of a failure; empty: the run passed. tail: the last lines that the program printed."""

    seed: int
    why: str = ""
    tail: Sequence[str] = ()
    schedule: str = ""


@dataclass(slots=True)
class _Running:
    """The processes of the runs: they are ended together, with their children."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    groups: set[int] = field(default_factory=set)
    over: bool = False

    @contextmanager
    def started(
        self, command: Sequence[str], environment: Mapping[str, str], out: IO[bytes]
    ) -> Iterator[subprocess.Popen[bytes]]:
        with self.lock:
            if self.over:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self.groups.add(process.pid)
        try:
            yield process
        finally:
            with self.lock:
                self.groups.discard(process.pid)
            _kill(process.pid)
            process.wait()

    def end(self) -> None:
        with self.lock:
            self.over = True
            for group in self.groups:
                _kill(group)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def sim_folders(project: Project) -> list[Path]:
    """The folders with the libraries of the back end sim in a build."""
    places = ("lib/sim", "skins/sim", "skins/*/sim")
    every = [folder for place in places for folder in sorted(project.build.glob(place))]
    return [folder for folder in every if any(folder.glob("*.so"))]


def check(program: Program) -> None:
    """Raises UserError if the environment has a seed already."""
    words = os.environ.get(OPTIONS, "").split(",")
    for name in ("seed", "trace", *(["limit"] if program.limit_s is not None else [])):
        if any(word.startswith(f"{name}=") for word in words):
            raise UserError(f"{OPTIONS} has {name}=: leave it out, because explore sets it")


def _reader(fifo: Path, told: Callable[[bytes], None], over: threading.Event) -> None:
    # Opened for writing, too: otherwise the end of the file is read until the program opens it.
    end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        while True:
            last = over.is_set()
            ready, _, _ = select.select([end], [], [], 0 if last else POLL_S)
            if ready:
                told(os.read(end, 1 << 16))
            elif last:
                return
    finally:
        os.close(end)


def run_one(program: Program, seed: int, running: _Running, traced: bool = False) -> Result:
    """One run. traced: with the hash of the schedule; empty if the back end sim was not started."""
    with tempfile.TemporaryDirectory(prefix="tactus-explore-") as folder:
        fifo = Path(folder) / "trace"
        digest = hashlib.sha256()
        over = threading.Event()
        seen: list[int] = []

        def told(piece: bytes) -> None:
            seen.append(len(piece))
            digest.update(piece)

        reader = threading.Thread(target=_reader, args=(fifo, told, over))
        if traced:
            os.mkfifo(fifo)
            reader.start()
        try:
            with tempfile.TemporaryFile() as out:
                status = _status(program, seed, running, out, fifo if traced else None)
                out.seek(0)
                tail = out.read().decode(errors="replace").splitlines()[-TAIL_LINES:]
        finally:
            over.set()
            if traced:
                reader.join()
    why = _why(program, status, tail)
    return Result(seed, why, tail, digest.hexdigest() if seen else "")


def _status(
    program: Program, seed: int, running: _Running, out: IO[bytes], trace: Path | None
) -> int | None:
    try:
        with running.started(program.command, program.environment(seed, trace), out) as process:
            try:
                return process.wait(program.timeout_s)
            except subprocess.TimeoutExpired:
                return None
    except OSError as error:
        raise UserError(f"{program.command[0]}: {error.strerror}") from None


def _why(program: Program, status: int | None, tail: Sequence[str]) -> str:
    if status == 0:
        return ""
    if status is None:
        return f"it did not end in {program.timeout_s:g} s"
    if status < 0:
        return f"ended by {_signal(-status)}"
    last = tail[-1] if tail else ""
    if status == STUCK and PAST_LIMIT in last and program.limit_s is not None:
        return ""
    # The back end's line says more than its status; another program may end with the same one.
    return last if status == STUCK and last else f"exit status {status}"


def _signal(number: int) -> str:
    """Signals of real time have no names."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def first_twice(program: Program, seed: int) -> bool:
    """Does the program run on the back end sim, and give the same schedule again? Raises UserError
    if it does not run there."""
    running = _Running()
    try:
        one = run_one(program, seed, running, traced=True)
        if not one.schedule:
            said = f"; it said: {one.tail[-1]}" if one.tail else ""
            raise UserError(
                f"{program.command[0]} did not start the back end sim: link it with libtactus or a "
                f"skin as a shared library{said}"
            )
        return run_one(program, seed, running, traced=True).schedule == one.schedule
    finally:
        running.end()


def run_all(
    program: Program, seeds: Sequence[int], jobs: int, tell: Callable[[Result], bool]
) -> None:
    """Runs the program with each seed, `jobs` at once. tell: called with each result, in the order
    of their ends; False: run no more."""
    running = _Running()
    left = iter(seeds)
    with ThreadPoolExecutor(jobs) as pool:
        begun: set[Future[Result]] = set()

        def begin() -> None:
            seed = next(left, None)
            if seed is not None:
                begun.add(pool.submit(run_one, program, seed, running))

        try:
            for _ in range(jobs):
                begin()
            while begun:
                ended, _ = wait(begun, return_when=FIRST_COMPLETED)
                begun -= ended
                for future in ended:
                    if not tell(future.result()):
                        return
                    begin()
        finally:
            running.end()
