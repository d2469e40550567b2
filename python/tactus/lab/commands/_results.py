# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the commands that read results share: the place of results, and the selection of rows."""

from __future__ import annotations

import argparse
from pathlib import Path

from tactus.lab.results.folder import Loaded, Measured, require
from tactus.project import UserError, say

FOLDER = Path("results/lab")
_CHOICES = ("kernel", "load", "instrument", "target")


def add_folders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "results",
        nargs="*",
        type=Path,
        metavar="RESULTS",
        help=f"folders or files that `lab run` wrote (default {FOLDER})",
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    for name in _CHOICES:
        parser.add_argument(f"--{name}", metavar="NAME", help=f"rows of this {name} only")


def read(paths: list[Path]) -> Loaded:
    """All results, and a line for each file that cannot be used."""
    loaded = require(paths or [FOLDER])
    for problem in loaded.problems:
        say(problem)
    return loaded


def chosen(loaded: Loaded, args: argparse.Namespace) -> list[Measured]:
    """The valid rows that were requested. A name that no row has is an error, which lists the
    names."""
    rows = loaded.rows()
    for name in _CHOICES:
        wanted = getattr(args, name)
        if wanted is None:
            continue
        there = sorted({str(getattr(m.row, name)) for m in rows})
        if wanted not in there:
            raise UserError(f"no results of the {name} {wanted!r}; there are: {', '.join(there)}")
        rows = [m for m in rows if getattr(m.row, name) == wanted]
    return rows
