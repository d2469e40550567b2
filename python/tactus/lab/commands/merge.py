# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab merge`: exit status 1 if a file could not be used."""

from __future__ import annotations

import argparse
from pathlib import Path

from tactus.lab.results import merge, rebuild
from tactus.measure.units import plural
from tactus.project import Project, say

SUMMARY = "copy results of several folders into one folder, and make its database anew"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="*", type=Path, metavar="RESULTS", help="folders or files")
    parser.add_argument(
        "--into",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="the folder; nothing in it is overwritten",
    )


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    copied, problems = merge(args.sources, args.into)
    problems += rebuild(args.into)
    for problem in problems:
        say(problem)
    print(f"{plural(len(copied), 'run')} copied to {args.into}")
    return 1 if problems else 0
