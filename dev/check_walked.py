#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the walk of sections counts every call of the native API.

usage: check_walked.py [ROOT]

tests/nucleus/stall tells each section under the name of a call, in the worst state that is known
for that call. Prints `header:line: what is missing`; exit status 1 when there is something.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import manual
from tree import root_of, tell

WALK = "tests/nucleus/stall"

# Calls without a section to count, with the reason.
APART = {
    "tact_start": "no processor is there before it",
    "tact_exit_as_killed": "sets a word of the program",
    "tact_exits_as_killed": "reads a word of the program",
}


def faults(root: Path) -> Iterator[str]:
    every = manual.calls(root)
    text = "".join(file.read_text() for file in sorted((root / WALK).glob("walk_*.c")))
    # tact_stop() is counted at the end of a case.
    counted = set(re.findall(r'"(tact_\w+)', text)) | {"tact_stop"}
    for call in every:
        if call.name not in counted and call.name not in APART:
            yield f"{manual.HEADERS}/{call.header}:{call.line}: {WALK} counts no {call.name}()"
    for name in sorted((counted | APART.keys()) - {call.name for call in every}):
        yield f"{WALK}: {name}() is not declared"
    for name in sorted(counted & APART.keys()):
        yield f"{WALK}: {name}() is counted, but listed as not counted"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
