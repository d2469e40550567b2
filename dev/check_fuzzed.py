#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that each of the module's fuzzers makes every call that the module's interface has.

usage: check_fuzzed.py [ROOT]

Prints `header: call: fuzzer that leaves it out` for each that is missing; exit status 1 when there
is one or when the header has none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tree import root_of, tell

HEADER = "abi/include/abi/bare.h"
CALL = re.compile(r"^#define (TACT_BARE_\w+)\s+0xB7[0-9A-F]{2}u$", re.M)
PLACE = re.compile(r"^#define (TACT_BARE_MAP_\w+)", re.M)
TESTS = "tests/kmod"
GRAMMAR = ("grammar.c", "fuzz.c")
# The calls that its programs always make first are in ring3.c.
STORM = ("storm.c", "ring3.c")


def faults(root: Path) -> Iterator[str]:
    header = (root / HEADER).read_text(encoding="utf-8")
    calls, places = CALL.findall(header), PLACE.findall(header)
    if not calls:
        yield f"{HEADER}: defines no call"
    for sources, wanted in ((GRAMMAR, [*calls, *places]), (STORM, calls)):
        text = "".join((root / TESTS / name).read_text(encoding="utf-8") for name in sources)
        made = set(re.findall(r"TACT_BARE_\w+", text))
        for name in wanted:
            if name not in made:
                yield f"{HEADER}: {name}: {TESTS}/{sources[0]} leaves it out"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
