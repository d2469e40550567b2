#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rt-tests plainly and under `tactus run`: the same status, output of the same form. TAP.

usage: rt_tests.py LAUNCHER
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# Of each program the options that people use, short enough for every day.
COMMANDS = (
    "cyclictest -N -m -p 95 -i 1000 -l 200 -q",
    "cyclictest -a -t 2 -p 90 -i 1000 -l 100 -q",
    "cyclictest -S -p 90 -i 1000 -l 100 -q",
    "cyclictest -t 4 -p 80 -i 2000 -d 100 -l 50 -q",
    "cyclictest -p 90 -i 1000 -l 100 -q -h 100000 --histfile=FOLDER/h",
    "cyclictest -p 90 -i 1000 -l 100 -q -x",
    "cyclictest -p 90 -i 1000 -l 100 -q -r --policy=rr",
    "cyclictest -p 90 -i 1000 -l 100 -q --json=FOLDER/j",
    "cyclictest -p 90 -l 10 --no-such-option",
    "cyclicdeadline -i 20000 -D 1 -q",
    "cyclicdeadline -t 3 -i 10000 -D 1 -q",
    "pmqtest -p 80 -i 1000 -l 100 -q",
    "pmqtest -S -p 80 -i 1000 -l 100 -q",
    "ptsematest -p 80 -i 1000 -l 100 -q",
    "ptsematest -a -t -p 80 -i 1000 -l 100 -q",
    "sigwaittest -p 80 -i 1000 -l 100 -q",
    "svsematest -p 80 -i 1000 -l 100 -q",
    "svsematest -f -p 80 -i 1000 -l 100 -q",
    "signaltest -p 80 -l 200 -q",
    "signaltest -t 4 -p 80 -l 100 -q",
    "rt-migrate-test -q -l 3 -r 5 -s 10",
    "pip_stress",
    "pi_stress -q -D 1 -g 1",
    "hackbench -g 1 -l 100",
)
# What is a matter of chance on Linux, too.
OUTCOMES = re.compile("Noinversionincurred|Successfullyusedpriorityinheritance.*")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


# A thread's own line: there are as many as threads.
OF_THREAD = re.compile(r"(T:|#\d+:)")


def bare(line: str) -> str:
    """Without numbers, and the blanks that these leave."""
    return OUTCOMES.sub("OUTCOME", re.sub(r"\s+", "", NUMBER.sub("#", line)))


def form(output: str) -> list[str]:
    """Threads print in any order; other lines may come any number of times."""
    lines = output.splitlines()
    threads = [bare(line) for line in lines if OF_THREAD.match(line)]
    others = {bare(line) for line in lines if line.strip() and not OF_THREAD.match(line)}
    return sorted(threads) + sorted(others)


def run(command: list[str]) -> tuple[int, list[str]]:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=12,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, ["hung: nothing more for 12 s"]
    return done.returncode, form(done.stdout)


def run_plain(command: list[str]) -> tuple[int, list[str]]:
    """Some have races of their own on Linux: a signal before its mask, a wait that nobody ends."""
    for _ in range(3):
        status, lines = run(command)
        if status >= 0:
            break
    return status, lines


def one(launcher: str, number: int, name: str) -> None:
    """The programs write their files where they are told; both runs have to."""
    program = name.split()[0]
    if not shutil.which(program):
        print(f"ok {number} - {name} # SKIP {program} is not installed (package rt-tests)")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = name.replace("FOLDER", folder).split()
        plain = (*run_plain(command), sorted(p.name for p in Path(folder).iterdir()))
        for file in Path(folder).iterdir():
            file.unlink()
        # With -f there are two programs, which have one CPU between them.
        shares = ["--share"] if "-f" in command else []
        under = (
            *run([launcher, *shares, "--", *command]),
            sorted(p.name for p in Path(folder).iterdir()),
        )
    if plain == under and plain[0] >= 0:
        print(f"ok {number} - {name}")
        return
    print(f"not ok {number} - {name}")
    print(f"# status {under[0]}, expected {plain[0]}; files {under[2]}, expected {plain[2]}")
    seen, expected = Counter(under[1]), Counter(plain[1])
    for line in sorted((expected - seen).elements()):
        print(f"# missing: {line[:200]}")
    for line in sorted((seen - expected).elements()):
        print(f"# too much: {line[:200]}")


def main(launcher: str) -> int:
    print(f"1..{len(COMMANDS)}")
    for number, name in enumerate(COMMANDS, 1):
        one(launcher, number, name)
    return 0


sys.exit(main(*sys.argv[1:]))
