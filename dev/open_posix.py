#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Open POSIX Test Suite plainly and under `tactus run`, test by test: the same exit status?

Its sources are Debian's source package `posixtestsuite` (apt-get source posixtestsuite). Tests that
set the clock are left out. Each runs as a SCHED_FIFO program of priority 10, so that its main
thread, and what inherits from it, are tasks.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUNCTIONS = re.compile(
    r"(pthread|sem|mq|timer|sched)_.*|clock_nanosleep|nanosleep|raise|sigaction|sigpending"
    r"|sigprocmask|sigqueue|sigsuspend|sigtimedwait|sigwait(info)?"
)
TEST = re.compile(r"\d+-\d+")
FLAGS = ["-w", "-O1", "-std=gnu99", "-D_GNU_SOURCE"]
LIBRARIES = ["-lpthread", "-lrt", "-lm"]
PRIORITY = ("chrt", "-f", "10")
HUNG = "hung"


def tests(folder: Path, wanted: re.Pattern[str]) -> Iterator[Path]:
    for function in sorted((folder / "conformance/interfaces").iterdir()):
        if not FUNCTIONS.fullmatch(function.name):
            continue
        for source in sorted(function.glob("*.c")):
            text = source.read_text(errors="replace")
            if not TEST.fullmatch(source.stem) or "clock_settime(" in text or "main(" not in text:
                continue
            if wanted.search(name_of(source)):
                yield source


def name_of(source: Path) -> str:
    return f"{source.parent.name}/{source.stem}"


def build(folder: Path, source: Path, into: Path) -> Path | None:
    """The program, or None where the test does not compile on this system."""
    program = into / name_of(source).replace("/", "@")
    command = ["cc", *FLAGS, f"-I{folder}/include", "-o", str(program), str(source), *LIBRARIES]
    done = subprocess.run(command, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def run(command: list[str], where: Path, limit_s: float) -> tuple[int | str, str]:
    """Exit status, and what was printed. Tests leave processes behind: all of them end."""
    with subprocess.Popen(
        command,
        cwd=where,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            return HUNG, said
        return process.returncode, said


def compare(arguments: argparse.Namespace, built: dict[str, Path], where: Path) -> list[str]:
    different = []
    for name, program in built.items():
        command = [*PRIORITY, str(program)]
        plain, _ = run(command, where, arguments.limit)
        launched = [str(arguments.launcher.resolve()), "--", *command]
        under, said = run(launched, where, arguments.limit)
        if plain == under:
            continue
        different.append(name)
        print(f"{name}: plainly {plain}, under tactus run {under}", flush=True)
        for line in said.strip().splitlines()[-4:]:
            print(f"    {line}")
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the suite's unpacked sources")
    parser.add_argument("--launcher", type=Path, default=Path("build/skins/posix/tactus-run"))
    parser.add_argument("--only", metavar="REGEX", type=re.compile, default=re.compile(""))
    parser.add_argument("--limit", metavar="S", type=float, default=25, help="a test's time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        where = Path(folder)
        sources = list(tests(arguments.folder, arguments.only))
        programs = pool.map(lambda source: build(arguments.folder, source, where), sources)
        named = {name_of(s): p for s, p in zip(sources, programs, strict=True) if p}
        different = compare(arguments, named, where)
    print(
        f"{len(named)} tests ({len(sources) - len(named)} do not compile), "
        f"{len(named) - len(different)} the same"
    )
    return 1 if different or not named else 0


if __name__ == "__main__":
    sys.exit(main())
