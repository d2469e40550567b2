#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The figures of docs/reports/house.md for a tree: files, lines, functions, circles.

usage: house_figures.py [ROOT]

Needs lizard (`pip install lizard`), which finds the functions. Prints a table in Markdown: one row
a top folder with C or Python in it, and one for all of them.
"""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import check_circles
from tree import files, root_of

HEAD = (
    "folder",
    "files",
    "lines",
    "under 40",
    "over 600",
    "functions",
    "median",
    "longest",
    "in circles",
)


@dataclass(slots=True)
class Folder:
    """The figures of one folder."""

    lines: list[int] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    in_circles: int = 0

    def add(self, other: Folder) -> None:
        self.lines += other.lines
        self.functions += other.functions
        self.in_circles += other.in_circles

    def row(self, name: str) -> str:
        cells = (
            name,
            len(self.lines),
            sum(self.lines),
            sum(lines < 40 for lines in self.lines),
            sum(lines > 600 for lines in self.lines),
            len(self.functions),
            round(median(self.functions)) if self.functions else "",
            max(self.functions, default=""),
            self.in_circles,
        )
        return f"| {' | '.join(str(cell) for cell in cells)} |"


def in_circles(graph: Mapping[Path, set[Path]]) -> Sequence[Path]:
    """The files from which an include leads back to themselves."""
    reached: dict[Path, set[Path]] = {}
    for start in graph:
        seen: set[Path] = set()
        left = list(graph[start])
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left.extend(graph.get(name, ()))
        reached[start] = seen
    return [name for name, seen in reached.items() if name in seen]


def count(root: Path) -> dict[str, Folder]:
    lizard = importlib.import_module("lizard")
    found: dict[str, Folder] = defaultdict(Folder)
    for path in files(root):
        if path.suffix not in (".c", ".h", ".py") or len(path.parts) == 1:
            continue
        folder = found[path.parts[0]]
        folder.lines.append(len((root / path).read_text(errors="replace").splitlines()))
        analysed = lizard.analyze_file(str(root / path))
        folder.functions += [one.length for one in analysed.function_list]
    for name in in_circles(check_circles.included(root)):
        found[name.parts[0]].in_circles += 1
    return found


def main() -> int:
    found = count(root_of(sys.argv).resolve())
    total = Folder()
    print(f"| {' | '.join(HEAD)} |\n|---|{'---:|' * (len(HEAD) - 1)}")
    for name, folder in sorted(found.items()):
        total.add(folder)
        print(folder.row(name))
    print(total.row("all"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
