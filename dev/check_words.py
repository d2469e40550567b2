#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that no identifier and no file has a retired name.

usage: check_words.py [ROOT]

The table is dev/retired.toml: a word has one meaning, and it is the field's (docs/glossary.md).
Of comments, what is an identifier without a doubt is looked at (`a_b`, `ab()`), and not the words
of sentences. Prints `file:line: old name: the name to use`; exit status 1
when there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import words
from tree import root_of, tell


def faults(root: Path) -> Iterator[str]:
    table = words.table(root)
    for old, new in table.files.items():
        if (root / old).exists():
            yield f"{old}: a retired name: use {new}"
    for path in filter(words.is_code, words.sources(root)):
        text = (root / path).read_text(encoding="utf-8")
        at = words.place(path, text)
        retired: dict[str, str] = {}
        for row in table.rows:
            if words.is_below(at, row.scope):
                retired.update(row.names)
        named = [(found.start(), found.group()) for found in words.names(path, text)]
        for start, name in sorted([*named, *words.mentions(path, text)]):
            if name in retired:
                line = text.count("\n", 0, start) + 1
                yield f"{path}:{line}: {name}: use {retired[name]}"


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
