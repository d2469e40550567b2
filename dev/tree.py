# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of the project, for the checks; also works without git (in an unpacked archive)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# The bracket and the name of each.
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
C_SUFFIXES = frozenset({".c", ".h", ".S", ".cc", ".cpp", ".hpp"})


def root_of(argv: list[str]) -> Path:
    """The tree to check: the first argument, or the tree of this file."""
    return Path(argv[1]) if len(argv) > 1 else Path(__file__).resolve().parents[1]


def tell(faults: Iterable[str]) -> int:
    """Print the findings of a check, one a line. Returns its exit status."""
    found = list(faults)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


def files(root: Path) -> Iterator[Path]:
    """Relative paths in order, without build folders, caches and the folders of hidden tools."""
    for folder, inner, names in os.walk(root):
        here = Path(folder).relative_to(root)
        inner[:] = sorted(name for name in inner if not _is_made(here, name))
        yield from (here / name for name in sorted(names) if not name.endswith(".pyc"))


def _is_made(parent: Path, name: str) -> bool:
    if name.startswith("."):
        return name != ".ci"
    return name == "__pycache__" or (parent == Path() and name.startswith("build"))


def c_files(root: Path) -> Iterator[Path]:
    return (path for path in files(root) if path.suffix in C_SUFFIXES)
