#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""rt-tests plainly and under `tactus run`: the same status, and output and files of the same form.
TAP.

usage: rt_tests.py LAUNCHER

The numbers depend on chance, except those of histograms: those of each thread add up to its
samples.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# For each program the options that people use, short enough for every day.
COMMANDS = (
    "cyclictest -N -m -p 95 -i 1000 -l 200 -q",
    "cyclictest -a -t 2 -p 90 -i 1000 -l 100 -q",
    "cyclictest -S -p 90 -i 1000 -l 100 -q",
    "cyclictest -t 4 -p 80 -i 2000 -d 100 -l 50 -q",
    "cyclictest -p 90 -i 1000 -l 100 -q -h 100000",
    "cyclictest -t 2 -p 90 -i 1000 -l 50 -q -H 100000",
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
# Output that depends on chance on Linux, too.
OUTCOMES = re.compile("Noinversionincurred|Successfullyusedpriorityinheritance.*")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


# The cycles that were later than a histogram has room for.
OVERFLOWS = re.compile(r"# Thread \d+:")
# A thread's own line: there are as many as threads.
OF_THREAD = re.compile(r"(T:|#\d+:)")


def bare(line: str) -> str:
    """Without numbers, and the blanks that these leave."""
    return OUTCOMES.sub("OUTCOME", re.sub(r"\s+", "", NUMBER.sub("#", line)))


def form(output: str) -> list[str]:
    """Threads print in any order; other lines may come any number of times."""
    lines = [line for line in output.splitlines() if not OVERFLOWS.match(line)]
    threads = [bare(line) for line in lines if OF_THREAD.match(line)]
    others = {bare(line) for line in lines if line.strip() and not OF_THREAD.match(line)}
    return sorted(threads) + sorted(others)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a command: its status, its output and its files."""

    status: int
    output: str
    files: dict[str, str] = field(default_factory=dict)

    def forms(self) -> Counter[str]:
        lines = [f"status {self.status}", *form(self.output)]
        for name, text in self.files.items():
            lines += [f"{name}: {line.rstrip(',')}" for line in form(text) or ["nothing"]]
        return Counter(lines)


def run(command: list[str], folder: Path) -> Outcome:
    for file in folder.iterdir():
        file.unlink()
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
        return Outcome(-1, "hung: nothing more for 12 s")
    files = {file.name: file.read_text() for file in folder.iterdir()}
    return Outcome(done.returncode, done.stdout, files)


def run_plain(command: list[str], folder: Path) -> Outcome:
    """Some have their own races on Linux: a signal before its mask, a wait that nothing ends."""
    for _ in range(3):
        outcome = run(command, folder)
        if outcome.status >= 0:
            break
    return outcome


BUCKET = re.compile(r"^\d{6} ([\d\t]+)$", re.MULTILINE)


def of_threads(text: str, label: str) -> list[int]:
    found = re.search(rf"^# {label}:((?: \d+)+)", text, re.MULTILINE)
    return [int(number) for number in found[1].split()] if found else []


def histogram_faults(command: list[str], outcome: Outcome) -> Iterator[str]:
    """A histogram of cyclictest, which has a column for each thread, and with -H one for all."""
    option = next((option for option in ("-h", "-H") if option in command), None)
    if option is None:
        return
    text = "".join(outcome.files.values()) or outcome.output
    samples = int(command[command.index("-l") + 1])
    threads = int(command[command.index("-t") + 1]) if "-t" in command else 1
    buckets = [[int(number) for number in row.split()] for row in BUCKET.findall(text)]
    expected = int(command[command.index(option) + 1])
    if len(buckets) != expected:
        yield f"{len(buckets)} lines of the histogram, expected {expected}"
    columns = [sum(column) for column in zip(*buckets, strict=False)]
    totals, overflows = of_threads(text, "Total"), of_threads(text, "Histogram Overflows")
    if columns != totals:
        yield f"the histogram has {columns} samples, and says {totals}"
    counts = [sum(pair) for pair in zip(totals, overflows, strict=False)]
    if counts[:threads] != [samples] * threads:
        yield f"the histogram has {counts} samples, expected {samples} of each thread"
    if counts[threads:] not in ([], [samples * threads]):
        yield f"the histogram has {counts[threads:]} samples of all threads"


def one(launcher: str, number: int, name: str) -> None:
    """The programs write the files that their options name; both runs must do so."""
    program = name.split()[0]
    if not shutil.which(program):
        print(f"ok {number} - {name} # SKIP {program} is not installed (package rt-tests)")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = name.replace("FOLDER", folder).split()
        plain = run_plain(command, Path(folder))
        # With -f there are two programs, which share one CPU.
        shares = ["--share"] if "-f" in command else []
        under = run([launcher, *shares, "--", *command], Path(folder))
    seen, expected = under.forms(), plain.forms()
    wrong = [f"plainly: {fault}" for fault in histogram_faults(command, plain)]
    wrong += histogram_faults(command, under)
    wrong += [f"missing: {line[:200]}" for line in sorted((expected - seen).elements())]
    wrong += [f"too much: {line[:200]}" for line in sorted((seen - expected).elements())]
    if plain.status < 0:
        wrong.append("hung plainly")
    print(f"{'not ' if wrong else ''}ok {number} - {name}")
    for line in wrong:
        print(f"# {line}")


def main(launcher: str) -> int:
    print(f"1..{len(COMMANDS)}")
    for number, name in enumerate(COMMANDS, 1):
        one(launcher, number, name)
    return 0


sys.exit(main(*sys.argv[1:]))
