#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that each source file names its licence at the top, and the one its folder has, and that
every file is text: what is built, fetched or packed has a licence that nobody can read here.

usage: check_spdx.py [ROOT]

Prints `path: what is wrong` for each violation; exit status 1 when there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tree import files, root_of, tell

LIBRARY = "LGPL-2.1-or-later"
MODULE = "GPL-2.0-only"
DUAL = "(GPL-2.0-only OR BSD-3-Clause)"
LICENCE_OF = (("abi/", DUAL), ("kmod/", MODULE), ("", LIBRARY))

SUFFIXES = {
    ".c",
    ".h",
    ".def",
    ".S",
    ".cc",
    ".cpp",
    ".hpp",
    ".py",
    ".sh",
    ".gdb",
    ".ld",
    ".map",
    ".toml",
    ".in",
}
NAMES = {"meson.build", "meson.options", "meson_options.txt", "Makefile", "Kbuild"}
TAG = re.compile(r"SPDX-License-Identifier:\s*(.*?)\s*(?:\*/|-->)?$")
START_BYTES = 4096


def wants_tag(path: Path, start: bytes) -> bool:
    return path.suffix in SUFFIXES or path.name in NAMES or start.startswith(b"#!")


def fault(root: Path, path: Path) -> str | None:
    """The fault of one file, or None."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    # A script's first line is its interpreter.
    line = 1 if text.startswith("#!") else 0
    lines = text.splitlines()
    match = TAG.search(lines[line]) if len(lines) > line else None
    expected = next(licence for folder, licence in LICENCE_OF if path.as_posix().startswith(folder))
    if match is None:
        return f"{path}: line {line + 1} must be the SPDX line, with {expected}"
    if match[1] != expected:
        return f"{path}: is under {match[1]}, its folder under {expected}"
    for licence in re.findall(r"[A-Z][\w.-]+\d[\w.-]*", match[1]):
        if not (root / "LICENSES" / f"{licence}.txt").is_file():
            return f"{path}: the text of {licence} is not in LICENSES/"
    return None


def faults(root: Path) -> Iterator[str]:
    for path in files(root):
        with (root / path).open("rb") as file:
            start = file.read(START_BYTES)
        if b"\0" in start:
            yield f"{path}: not a text file: remove it, and say how it is made or fetched"
        elif wants_tag(path, start) and (said := fault(root, path)):
            yield said


def main(argv: list[str]) -> int:
    return tell(faults(root_of(argv)))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
