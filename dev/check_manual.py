#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the headers of the native API, and of its designed services, are its manual.

usage: check_manual.py [ROOT]

Each function has a comment that says what it returns, from which contexts it may be called
(`Context:`) and what it costs (`Cost:`), and names no code that does not exist. Prints
`header:line: what is missing`; exit status 1 when there is something.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import manual
from tree import root_of, tell


def error_numbers(root: Path) -> dict[str, int]:
    """All existing codes, without their prefix."""
    text = (root / "abi/include/tactus/error.h").read_text()
    return {name: int(number) for name, number in re.findall(r"TACT_(E\w+) = (\d+)", text)}


def faults(root: Path) -> Iterator[str]:
    present = manual.calls(root)
    if not present:
        yield f"{manual.HEADERS}: declares no function"
    designed = manual.calls(root, manual.DESIGNED)
    exist = error_numbers(root)
    names = {call.name for call in present + designed}
    for call in designed:
        if call.name in {other.name for other in present}:
            yield f"{manual.DESIGNED}/{call.header}: {call.name}() exists: remove it here"
    yield from _faults_in(manual.HEADERS, present, exist, names)
    yield from _faults_in(manual.DESIGNED, designed, exist, names)


def _faults_in(
    folder: str, calls: list[manual.Call], exist: dict[str, int], names: set[str]
) -> Iterator[str]:
    for call in calls:
        at = f"{folder}/{call.header}:{call.line}: {call.name}()"
        if not call.manual:
            yield f"{at} has no comment"
            continue
        if call.result == "int" and not call.returns:
            yield f"{at} does not say what it returns"
        for word in ("Context:", "Cost:"):
            if word not in call.manual:
                yield f"{at} has no `{word}`"
        for code in sorted(call.codes - exist.keys()):
            yield f"{at} returns TACT_{code}, which does not exist"
        for name in sorted(call.named - names):
            yield f"{at} returns as {name}(), which does not exist"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
