#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that every C file is laid out as .clang-format says.

usage: check_layout.py [ROOT]

Prints the files that are not, and the command that lays them out; exit status 1 if there is one.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tree import c_files, root_of

LAID_OUT = (".c", ".h", ".cc", ".cpp", ".hpp")


AT_ONCE = 32  # files of one clang-format, because its start takes longer than a file


def not_in_order(root: Path, paths: list[Path]) -> list[Path]:
    command = ["clang-format", "--dry-run", "--Werror", *map(str, paths)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if not done.returncode:
        return []
    told = {line.split(":", 1)[0] for line in done.stderr.splitlines() if ": error: " in line}
    wrong = [path for path in paths if str(path) in told]
    if not wrong:
        raise SystemExit(done.stderr.strip() or f"clang-format: status {done.returncode}")
    return wrong


def main(argv: list[str]) -> int:
    root = root_of(argv)
    every = [path for path in c_files(root) if path.suffix in LAID_OUT]
    pieces = [every[i : i + AT_ONCE] for i in range(0, len(every), AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda piece: not_in_order(root, piece), pieces)
        wrong = [str(path) for piece in found for path in piece]
    if wrong:
        print(f"{len(wrong)} of {len(every)} files have another layout; correct them with")
        print(shlex.join(["clang-format", "-i", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
