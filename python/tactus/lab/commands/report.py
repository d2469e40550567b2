# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab report`: one HTML file, and its figures and tables as files."""

from __future__ import annotations

import argparse
from pathlib import Path

from tactus.lab.commands import _results
from tactus.measure import document
from tactus.project import Project, UserError, say

SUMMARY = "make a report of results: HTML, and its figures as PNG, SVG and CSV"


def configure(parser: argparse.ArgumentParser) -> None:
    _results.add_folders(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.html",
        help="default: report.html beside the results; the figures go to a folder of the same name",
    )
    parser.add_argument("--no-images", action="store_true", help="write only the HTML")


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    # Imported late: drawing takes a second to import, which other commands need not spend.
    from tactus.lab.report import images, page

    sources = args.results or [_results.FOLDER]
    output = (
        args.output or (sources[0] if sources[0].is_dir() else sources[0].parent) / "report.html"
    )
    if not output.absolute().parent.is_dir():
        raise UserError(f"there is no folder {output.absolute().parent}: make it first")
    if output.suffix != ".html":
        raise UserError(f"{output}: name a file that ends in .html")
    report = page.make(_results.read(args.results))
    document.write(output, page.render(report))
    print(output)
    if not args.no_images:
        paths = images.save(output.with_suffix(""), report.figures, report.tables)
        say(f"{len(paths)} figures and tables in {output.with_suffix('')}/")
    return 0
