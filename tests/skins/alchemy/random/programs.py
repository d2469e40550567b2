#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random programs of the native skin in virtual time, beside a model of what they do. TAP.

usage: programs.py PROGRAM [PROGRAMS [FIRST]]

The program prints what it is made of, and what each call returned, in the order in which the calls
returned; model.py says what they should. It is run plainly, and under perturbed schedules,
which must not matter: priorities decide who runs, and instants are far apart.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from model import notes

PROGRAMS = 1000
BATCH = 50  # of one seed of perturbation
TIMEOUT_S = 60
SHOWN = 12


def told(program: str, first: int, count: int, perturbed: int) -> str:
    """What so many programs from this one on print; 0: no perturbation."""
    options = {"TACTUS_SIM": f"seed={perturbed}"} if perturbed else {}
    done = subprocess.run(
        [program, str(first), str(count)],
        env={**os.environ, **options},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.stdout + "".join(f"? {line}\n" for line in done.stderr.splitlines())


def difference(lines: Sequence[str]) -> Iterator[str]:
    """Where the notes of one program are first not those of the model, with some before."""
    noted = [line.removeprefix("note ") for line in lines if line.startswith("note ")]
    expected = notes(lines)
    for index, (seen, right) in enumerate(zip_longest(noted, expected)):
        if seen != right:
            yield from (f"  {line}" for line in noted[max(0, index - SHOWN) : index])
            yield f"  expected {right}, actual {seen}"
            return


def faults(program: str, first: int, count: int, perturbed: int) -> Iterator[str]:
    """Of a batch; a seed that is missing has ended it."""
    missing = set(range(first, first + count))
    text = told(program, first, count, perturbed).splitlines()
    for seed, group in groupby((line.partition(": ") for line in text), key=lambda part: part[0]):
        if not seed.isdigit():
            yield seed
            continue
        missing.discard(int(seed))
        where = list(difference([part[2] for part in group]))
        if where:
            prefix = f"TACTUS_SIM=seed={perturbed} " if perturbed else ""
            yield f"{prefix}{program} {seed} 1"
            yield from where
    if missing:
        yield f"{program} {min(missing)} 1: has not ended"


def main(argv: Sequence[str]) -> int:
    program = argv[1]
    programs = int(argv[2]) if len(argv) > 2 else PROGRAMS
    begin = int(argv[3]) if len(argv) > 3 else 1
    number = 0
    for name, seeded in (("plainly", False), ("perturbed", True)):
        found: list[str] = []
        for first in range(begin, begin + programs, BATCH):
            count = min(BATCH, begin + programs - first)
            found += faults(program, first, count, first if seeded else 0)
        number += 1
        print(f"{'not ' if found else ''}ok {number} - {programs}_programs_{name}_as_the_model")
        for line in found[: 10 * SHOWN]:
            print(f"# {line}")
    print(f"1..{number}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
