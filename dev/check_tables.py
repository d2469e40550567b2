#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that a README's table of files names the sources of its folder and only existing files.

usage: check_tables.py [ROOT]

Such a table begins with `| file |`. A header goes with the source of its name; a name may hold
`*`, and one with folders in it is a path from the README's. Prints `README: file: what is wrong`;
exit status 1 when there is something, or no such table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from tree import c_files, root_of, tell

NAME = re.compile(r"`([\w./*-]+)`")


def named(readme: str) -> set[str]:
    """The names in the first column of the tables of files."""
    names: set[str] = set()
    inside = False
    for line in readme.splitlines():
        if not line.startswith("|"):
            inside = False
        elif line.startswith("| file |"):
            inside = True
        elif inside:
            names.update(NAME.findall(line.split("|")[1]))
    return names


def _is_source(name: str) -> bool:
    return "." in Path(name).name and not name.endswith("/")


def faults(root: Path) -> Iterator[str]:
    sources = list(c_files(root))
    readmes = sorted({root / path.parent / "README.md" for path in sources})
    tables = {path: named(path.read_text(encoding="utf-8")) for path in readmes if path.is_file()}
    if not any(tables.values()):
        yield "no README has a table of files"
    for readme, names in tables.items():
        at = readme.relative_to(root)
        here = {path.name for path in sources if path.parent == at.parent}
        for name in sorted(here) if names else ():
            of_a_source = name.endswith(".h") and f"{name[:-2]}.c" in here
            if not of_a_source and not any(fnmatch(name, pattern) for pattern in names):
                yield f"{at}: {name}: not in its table of files"
        for pattern in sorted(filter(_is_source, names)):
            if not any(readme.parent.glob(pattern)):
                yield f"{at}: {pattern}: there is no such file"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
