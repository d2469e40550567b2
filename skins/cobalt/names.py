#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the functions of the POSIX skin are called in this one.

usage: names.py header NAMES FUNCTIONS
       names.py options NAMES FUNCTIONS

NAMES: the functions of the POSIX skin, a line each; FUNCTIONS: functions.def. header: C macros that
give each function f of NAMES the name __wrap_f, and posix_f to those which this skin puts something
of its own before. options: what makes a linker turn calls of these, and of the functions that have
Xenomai's names, into calls of ours.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

START = "COBALT_FUNCTION"
ROW = re.compile(r"COBALT_FUNCTION(?:_AS)?\((\w+),(?: +\w+,)? +(WRAPPED|NAMED), +(OWN|NO)\)")


@dataclass(frozen=True, slots=True)
class Row:
    """Of functions.def."""

    name: str
    is_wrapped: bool
    is_own: bool


def rows_of(path: str) -> list[Row]:
    """The table of functions."""
    found = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith(START):
            continue
        row = ROW.fullmatch(line)
        if not row:
            raise SystemExit(f"{path}:{number}: is no row of the table of functions: {line}")
        found.append(Row(row[1], row[2] == "WRAPPED", row[3] == "OWN"))
    if not found:
        raise SystemExit(f"names.py: {path} has no row: is it the table of functions?")
    return found


def header(names: list[str], rows: list[Row]) -> list[str]:
    own = {row.name for row in rows if row.is_own}
    if unknown := own.difference(names):
        raise SystemExit(f"names.py: the POSIX skin has no {', '.join(sorted(unknown))}")
    return [f"#define {name} {'posix' if name in own else '_' + '_wrap'}_{name}" for name in names]


def options(names: list[str], rows: list[Row]) -> list[str]:
    wrapped = {*names, *(row.name for row in rows if row.is_wrapped)}
    return [f"--wrap={name}" for name in sorted(wrapped)]


MADE = {"header": header, "options": options}


def main(argv: list[str]) -> int:
    """Print what was asked for."""
    if len(argv) != 4 or argv[1] not in MADE:
        print(__doc__, file=sys.stderr)
        return 2
    names = Path(argv[2]).read_text(encoding="utf-8").split()
    print("\n".join(MADE[argv[1]](names, rows_of(argv[3]))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
