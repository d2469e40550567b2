# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus uitron-cfg`: kernel_cfg.c and kernel_id.h of a configuration; exit status 0 if it was
written."""

from __future__ import annotations

import argparse
from pathlib import Path

from tactus.project import Project, UserError
from tactus.uitron.parse import read
from tactus.uitron.write import header, source

SUMMARY = "make the objects of a µITRON 4.0 configuration (static API)"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="the configuration: CRE_TSK(…); and its like"
    )
    parser.add_argument(
        "-o",
        dest="folder",
        metavar="FOLDER",
        type=Path,
        default=Path(),
        help="where kernel_cfg.c and kernel_id.h are written; default: here",
    )
    parser.add_argument(
        "-I", dest="includes", metavar="FOLDER", action="append", default=[], help="for #include"
    )
    parser.add_argument(
        "-D", dest="macros", metavar="NAME", action="append", default=[], help="a macro"
    )


def check(args: argparse.Namespace) -> None:
    if not args.file.is_file():
        raise UserError(f"{args.file}: there is no such file")
    if not args.folder.is_dir():
        raise UserError(f"{args.folder}: there is no such folder")


def run(args: argparse.Namespace, project: Project) -> int:  # noqa: ARG001
    options = [f"-I{folder}" for folder in args.includes]
    options += [f"-D{macro}" for macro in args.macros]
    configuration = read(args.file, options)
    (args.folder / "kernel_id.h").write_text(header(configuration), encoding="utf-8")
    (args.folder / "kernel_cfg.c").write_text(source(configuration), encoding="utf-8")
    return 0
