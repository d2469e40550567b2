# SPDX-License-Identifier: LGPL-2.1-or-later
"""Charts as PNG and SVG, tables as CSV, for papers and slides."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure as Plot

from tactus.lab.report.figures import Figure
from tactus.lab.report.tables import Table
from tactus.project import UserError
from tactus.report import draw


def _bar_image(table: Table, kind: str) -> bytes:
    with matplotlib.rc_context(draw.SETTINGS):
        plot = Plot(figsize=(7.2, 0.8 + 0.4 * len(table.rows)), layout="constrained")
        axes = plot.add_subplot()
        names = [row[0] for row in table.rows]
        drawn = axes.barh(names, list(table.bars), color=draw.COLOURS[2], height=0.6)
        axes.bar_label(drawn, [row[1] for row in table.rows], padding=3)
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.set_xlim(0, 1.15)
        axes.set_title(table.title, loc="left", fontsize=10)
        return draw.encoded(plot, kind)


def comma_separated(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if table.groups:
        above = [name for name, width in table.groups for _ in range(width)]
        head = [f"{a} {h}".strip() for a, h in zip(above, table.head, strict=True)]
    else:
        head = [name for name in table.head if name]
    writer.writerow(head)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.raw)
    return text.getvalue()


def save(folder: Path, figures: Sequence[Figure], tables: Sequence[Table]) -> list[Path]:
    """Writes all of them into `folder`, and replaces files of an earlier report."""
    contents: dict[str, bytes] = {}
    for figure in figures:
        for kind in ("png", "svg"):
            contents[f"{figure.name}.{kind}"] = draw.image(figure.chart, kind)
    for table in tables:
        contents[f"{table.name}.csv"] = comma_separated(table).encode()
        if table.bars:
            for kind in ("png", "svg"):
                contents[f"{table.name}.{kind}"] = _bar_image(table, kind)
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in contents.items():
            paths.append(folder / name)
            paths[-1].write_bytes(data)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
    return paths
