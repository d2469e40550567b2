#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes files from the table of calls (libc/calls.def) for users that cannot include it.

usage: calls.py map CALLS
       calls.py names CALLS

map: the version script of the library. names: the functions that programs call, one a line.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

START = "POSIX_CALL("
ROW = re.compile(r"POSIX_CALL\((\w+), +(YES|HOOK|NO), +(?:NEEDED|OPTIONAL|NO), +\w+, +\w+\)")
MAP = """\
/*
 * The functions that replace the C library's. They have no versions of their own, so that a program
 * finds them whichever version of the C library's function it was linked with.
 */
{{
global:
{names}
local:
	*;
}};
"""


def ours(path: str) -> list[tuple[str, str]]:
    """The rows of this skin's functions: the name, and YES or HOOK."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if not line.startswith(START):
            continue
        row = ROW.fullmatch(line)
        if not row:
            raise SystemExit(f"{path}:{number}: not a row of the table of calls: {line}")
        found.append((row[1], row[2]))
    if not found:
        raise SystemExit(f"calls.py: {path} has no row: name the table of calls")
    return [(name, what) for name, what in found if what != "NO"]


def main(argv: list[str]) -> int:
    """Print the map or the names."""
    if argv[1:2] == ["map"] and len(argv) == 3:
        print(MAP.format(names="\n".join(f"\t{name};" for name, _ in ours(argv[2]))), end="")
        return 0
    if argv[1:2] == ["names"] and len(argv) == 3:
        print("\n".join(name for name, what in ours(argv[2]) if what == "YES"))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
