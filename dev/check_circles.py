#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that no C files include each other in a circle.

usage: check_circles.py [ROOT]

A source and the header of its name are one. A name is looked for beside the file first, then as
the end of a path in the same top folder; one in brackets and without a folder is the C library's.
Prints `file: the circle that it is in`; exit status 1 when there is one.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tree import INCLUDE, c_files, root_of, tell


def included(root: Path) -> dict[Path, set[Path]]:
    """For each file without its suffix: the files of the same top folder that it includes."""
    found: dict[Path, set[Path]] = {}
    folders: dict[str, list[Path]] = defaultdict(list)
    for path in c_files(root):
        folders[path.parts[0]].append(path)
    for sources in folders.values():
        ends: dict[str, list[Path]] = defaultdict(list)
        for path in sources:
            for start in range(len(path.parts)):
                ends["/".join(path.parts[start:])].append(path)
        for path in sources:
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            names = found.setdefault(path.with_suffix(""), set())
            for bracket, name in INCLUDE.findall(text):
                if bracket == "<" and "/" not in name:
                    continue
                beside = path.parent / name
                fitting = [beside] if beside in ends[name] else ends[name]
                names.update(one.with_suffix("") for one in fitting)
            names.discard(path.with_suffix(""))
    return found


def circles(graph: Mapping[Path, set[Path]]) -> Iterator[list[Path]]:
    """The circles, one after the other: each one is cut when it is found, until there are none."""
    left = {name: set(names) for name, names in graph.items()}
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            # Each of its files is included by the next one.
            circle = error.args[1]
            left[circle[1]].discard(circle[0])
            yield circle
        else:
            return


def faults(root: Path) -> Iterator[str]:
    for circle in circles(included(root)):
        names = " <- ".join(str(name) for name in circle)
        yield f"{circle[0]}: includes itself by others: {names}"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
