#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that every C file is laid out as .clang-format says.

usage: check_layout.py [ROOT]

Prints the files that are not and the command that lays them out; exit status 1 when there is one.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from tree import c_files, root_of

LAID_OUT = (".c", ".h", ".cc", ".cpp", ".hpp")


def is_in_order(root: Path, path: Path) -> bool:
    command = ["clang-format", "--dry-run", "--Werror", str(path)]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode == 0


def main(argv: list[str]) -> int:
    root = root_of(argv)
    every = [path for path in c_files(root) if path.suffix in LAID_OUT]
    wrong = [str(path) for path in every if not is_in_order(root, path)]
    if wrong:
        print(f"{len(wrong)} of {len(every)} files are laid out otherwise; mend them with")
        print(shlex.join(["clang-format", "-i", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
