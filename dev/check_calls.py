#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the tables of calls of the POSIX skin and of Cobalt name what is compiled.

usage: check_calls.py BUILD [ROOT]

The compiler refuses a row of skins/posix/libc/calls.def whose handler is missing. Here: a function
of the library that has no name of its own has a row, a row of ours has a function, and a slot of
the C library's function is called. A row of skins/cobalt/functions.def that is OWN has this skin's
function and the POSIX skin's, and what a header declares under Xenomai's names has a row. Both
tables are in order. Reads the objects of BUILD and the sources. Prints `file: what is wrong`; exit
status 1 when there is something.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tree import c_files, root_of, tell

CALLS = "skins/posix/libc/calls.def"
FUNCTIONS = "skins/cobalt/functions.def"
POSIX_OBJECTS = "skins/posix/libtactus-run.so.p"
COBALT_OBJECTS = "skins/cobalt/libcobalt_renamed.a.p"
# Prefixes of the skin's own names, beside those of two functions of the C library.
OWN_NAME = "posix_"

Rows = dict[str, list[str]]  # by name: the other columns


def rows_of(root: Path, table: str, macro: str) -> Rows:
    found = re.findall(rf"^{macro}\((.+)\)$", (root / table).read_text(), re.MULTILINE)
    columns = [re.split(r", +", row) for row in found]
    return {name: rest for name, *rest in columns}


def order_faults(root: Path, table: str, macro: str) -> Iterator[str]:
    names = re.findall(rf"^{macro}(?:_AS)?\((\w+),", (root / table).read_text(), re.MULTILINE)
    for before, name in pairwise(names):
        if before >= name:
            yield f"{table}: {name} does not come after {before}"


def functions_of(folder: Path) -> frozenset[str]:
    """The functions that the objects of a folder define for others."""
    objects = sorted(str(path) for path in folder.glob("*.o"))
    if not objects:
        raise SystemExit(f"{folder} holds no object; build first")
    command = ["nm", "--extern-only", "--defined-only", *objects]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return frozenset(re.findall(r"^[0-9a-f]+ [TW] (\w+)$", listed, re.MULTILINE))


def called(root: Path) -> frozenset[str]:
    """The slots that are called."""
    sources = (path for path in c_files(root) if path.parts[:1] == ("skins",))
    text = "".join((root / path).read_text() for path in sources)
    return frozenset(re.findall(r"\bposix_real\.(\w+)", text))


def call_faults(root: Path, build: Path) -> Iterator[str]:
    rows = rows_of(root, CALLS, "POSIX_CALL")
    ours = {name for name, row in rows.items() if row[0] != "NO"}
    functions = functions_of(build / POSIX_OBJECTS)
    slots = {name for name, row in rows.items() if row[1] != "NO"}
    yield from order_faults(root, CALLS, "POSIX_CALL")
    for name in sorted(functions - ours):
        if not name.startswith(OWN_NAME):
            yield f"{CALLS}: {name}() is defined and has no row, so nothing calls it"
    yield from (f"{CALLS}: {name}() is not defined" for name in sorted(ours - functions))
    yield from (f"{CALLS}: nothing calls {name}'s slot" for name in sorted(slots - called(root)))
    for name in sorted(name for name, row in rows.items() if row == ["NO"] * 4):
        yield f"{CALLS}: {name}: the row says nothing"


def declared(root: Path) -> frozenset[str]:
    """The functions that Cobalt's headers declare under Xenomai's three names."""
    headers = (root / "skins/cobalt/include").rglob("*.h")
    text = "".join(path.read_text() for path in headers)
    shorter = re.findall(r"^COBALT_SAME\((\w+)\);", text, re.MULTILINE)
    longer = re.findall(r"^COBALT_DECL\([^,]+, (\w+),", text, re.MULTILINE)
    return frozenset(shorter + longer)


def function_faults(root: Path, build: Path) -> Iterator[str]:
    rows = rows_of(root, FUNCTIONS, "COBALT_FUNCTION(?:_AS)?")
    functions = functions_of(build / COBALT_OBJECTS)
    yield from order_faults(root, FUNCTIONS, "COBALT_FUNCTION")
    for name in sorted(name for name, row in rows.items() if row[-1] == "OWN"):
        for symbol in (f"__wrap_{name}", f"posix_{name}"):
            if symbol not in functions:
                yield f"{FUNCTIONS}: {name} is OWN, and {symbol}() is not defined"
    for name in sorted(declared(root) - rows.keys()):
        yield f"{FUNCTIONS}: a header declares the names of {name}, which has no row"


def faults(root: Path, build: Path) -> Iterator[str]:
    yield from call_faults(root, build)
    yield from function_faults(root, build)


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv[1:]), Path(argv[1])))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
