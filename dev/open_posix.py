#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Open POSIX Test Suite plainly and under `tactus run`, test by test: the same exit status?

Its sources are Debian's source package `posixtestsuite` (apt-get source posixtestsuite). Tests that
set the clock are left out. Each runs as a SCHED_FIFO program of priority 10, so that its main
thread, and what inherits from it, are tasks.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compared

FUNCTIONS = re.compile(
    r"(pthread|sem|mq|timer|sched)_.*|clock_nanosleep|nanosleep|raise|sigaction|sigpending"
    r"|sigprocmask|sigqueue|sigsuspend|sigtimedwait|sigwait(info)?"
)
TEST = re.compile(r"\d+-\d+")
FLAGS = ["-w", "-O1", "-std=gnu99", "-D_GNU_SOURCE"]
LIBRARIES = ["-lpthread", "-lrt", "-lm"]
PRIORITY = ("chrt", "-f", "10")


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
    """The program, or None if the test does not compile on this system."""
    program = into / name_of(source).replace("/", "@")
    command = ["cc", *FLAGS, f"-I{folder}/include", "-o", str(program), str(source), *LIBRARIES]
    done = subprocess.run(command, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the suite's unpacked sources")
    compared.add_options(parser, limit_s=25)
    parser.add_argument("--only", metavar="REGEX", type=re.compile, default=re.compile(""))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        where = Path(folder)
        sources = list(tests(arguments.folder, arguments.only))
        programs = pool.map(lambda source: build(arguments.folder, source, where), sources)
        named = {name_of(s): p for s, p in zip(sources, programs, strict=True) if p}
        different = [
            name
            for name, program in named.items()
            if compared.differs(name, [*PRIORITY, str(program)], where, arguments)
        ]
    print(
        f"{len(named)} tests ({len(sources) - len(named)} do not compile), "
        f"{len(named) - len(different)} the same"
    )
    return 1 if different or not named else 0


if __name__ == "__main__":
    sys.exit(main())
