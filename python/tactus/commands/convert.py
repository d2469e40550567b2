# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus convert`: sources in place, or the difference; exit status 0 if every file was read."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

from tactus.convert import api, codes
from tactus.convert.convert import C_SUFFIXES, CPLUSPLUS_SUFFIXES, Converted, convert
from tactus.project import Project, UserError

SUMMARY = "convert C and C++ sources to version 1 of the native API"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        type=Path,
        help="C or C++ sources and headers; give files that belong together at once",
    )
    parser.add_argument("--diff", action="store_true", help="print the changes and write nothing")


def check(args: argparse.Namespace) -> None:
    for path in args.files:
        if path.suffix not in C_SUFFIXES | CPLUSPLUS_SUFFIXES:
            raise UserError(f"{path}: not the name of a C or C++ source")


def _read(path: Path) -> str:
    try:
        # As it is: also its ends of lines.
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: not UTF-8 at byte {error.start}; convert its encoding first"
        ) from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error


def _difference(path: Path, one: Converted) -> None:
    before, after = one.before.splitlines(keepends=True), one.after.splitlines(keepends=True)
    sys.stdout.writelines(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"))


def _tell_codes(converted: dict[Path, Converted]) -> None:
    """Of files that were written for the API before: a second conversion tells nothing."""
    for path, one in converted.items():
        if one.after == one.before:
            continue
        for line, code in codes.named(one.before):
            print(
                f"{path}:{line}: {code}: its causes changed, compare with docs/guide/api-1.md, "
                "Error codes",
                file=sys.stderr,
            )


def run(args: argparse.Namespace, project: Project) -> int:
    texts = {path: _read(path) for path in args.files}
    converted = convert(texts, api.read(project.root))
    for path, one in converted.items():
        if args.diff:
            _difference(path, one)
        elif one.after != one.before:
            try:
                path.write_bytes(one.after.encode())
            except OSError as error:
                raise UserError(f"{path}: {error.strerror}") from error
    changed = sum(one.after != one.before for one in converted.values())
    left = [(path, note) for path, one in converted.items() for note in one.notes]
    for path, note in left:
        print(f"{path}:{note.line}: {note.sentence}", file=sys.stderr)
    _tell_codes(converted)
    verb = "would change" if args.diff else "changed"
    print(
        f"{verb} {changed} of {len(converted)} files; {len(left)} lines are left", file=sys.stderr
    )
    return 0
