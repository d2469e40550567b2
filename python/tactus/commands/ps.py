# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus ps`: exit status 0, also if no program runs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tactus.abi.layout import load
from tactus.measure.options import check_output
from tactus.project import Project, UserError
from tactus.ps.find import find
from tactus.ps.table import as_json, render

SUMMARY = "list the real-time tasks of all running Tactus programs"
NEEDS_BUILD = True
PROC = Path("/proc")
PACE_S = 1.0
CLEAR = "\x1b[H\x1b[2J"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE too")
    parser.add_argument(
        "--watch", action="store_true", help="print anew every second until interrupted"
    )


def check(args: argparse.Namespace) -> None:
    check_output(args.json)


def run(args: argparse.Namespace, project: Project) -> int:
    layout = load(project.program("tools/abi/abi.json"))
    while True:
        found = find(PROC, layout)
        if args.watch and sys.stdout.isatty():
            print(CLEAR, end="")
        print(render(found), flush=True)
        if args.json is not None:
            write(args.json, json.dumps(as_json(found), indent=2) + "\n")
        if not args.watch:
            return 0
        time.sleep(PACE_S)
        if not sys.stdout.isatty():
            print()


def write(file: Path, text: str) -> None:
    """Writes the file as a whole, if the place allows that, because another program may read it
    during --watch."""
    try:
        if file.exists() and not file.is_file():
            file.write_text(text, encoding="utf-8")
            return
        new = file.with_name(f".{file.name}.new")
        new.write_text(text, encoding="utf-8")
        new.replace(file)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
