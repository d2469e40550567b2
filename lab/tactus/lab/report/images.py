# SPDX-License-Identifier: LGPL-2.1-or-later
"""Charts as PNG and SVG, tables as CSV, for papers and slides."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Plot
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tactus.lab.report.figures import Figure
from tactus.lab.report.tables import Table
from tactus.measure.units import prose_time
from tactus.project import UserError

# The colours and dashes of report/page.css and chart.js.
_COLOURS = ("#b3541e", "#8a6d00", "#0072b2", "#00795a", "#a3487c", "#3a8fc2", "#444b54", "#8b939c")
_DASHES = ("-", (0, (6, 3)), "-", (0, (2, 2)), (0, (8, 2, 2, 2)), "-", (0, (4, 2)), (0, (1, 3)))
_MARKS = ("o", "^", "s")
_SETTINGS: Any = {
    "font.size": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "tactus",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def _plot(axes: Axes, series: dict[str, Any]) -> None:
    style, points = series["style"], series["points"]
    look: dict[str, Any] = {"color": _COLOURS[style], "label": series["name"], "linewidth": 1.4}
    look["linestyle"] = _DASHES[series.get("dash", style)]
    if series["kind"] == "dots":
        look.update(linestyle="none", marker=_MARKS[style % 3], markersize=2.5)
        axes.plot([p[0] for p in points], [p[1] for p in points], **look)
    elif series["kind"] == "steps":
        axes.step([p[0] for p in points], [p[1] for p in points], where="pre", **look)
    elif points:
        edges = [points[0][0]]
        heights: list[float] = []
        for low, high, share in points:
            if low > edges[-1]:
                edges.append(low)
                heights.append(float("nan"))
            edges.append(high)
            heights.append(share)
        axes.stairs(heights, edges, baseline=None, **look)


def _scale(axes: Axes, axis: Axis, spec: dict[str, str]) -> None:
    axis.set_label_text(spec["label"] + (" (s)" if spec["unit"] == "s" else ""))
    if spec["scale"] == "log":
        (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
        axis.set_minor_formatter(NullFormatter())
    if spec["unit"] == "ns":
        axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
        low, high = axis.get_view_interval()
        if high < 30 * low:
            steps = (1, 2, 5) if high > 6 * low else tuple(range(1, 10))
            axis.set_major_locator(LogLocator(subs=steps))


def _draw(chart: dict[str, Any]) -> Plot:
    plot = Plot(figsize=(7.2, 4.2), layout="constrained")
    axes = plot.add_subplot()
    for series in chart["series"]:
        _plot(axes, series)
    _scale(axes, axes.xaxis, chart["x"])
    _scale(axes, axes.yaxis, chart["y"])
    axes.set_title(chart["title"], loc="left", fontsize=10)
    axes.grid(True, linewidth=0.4, color="#d9dde2")
    plot.legend(loc="outside lower center", fontsize=7, frameon=False, ncols=4)
    return plot


def _bytes(plot: Plot, kind: str) -> bytes:
    FigureCanvasAgg(plot)
    data = io.BytesIO()
    metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    plot.savefig(data, format=kind, dpi=160, metadata=metadata)
    return data.getvalue()


def _tick(value: float) -> str:
    text = prose_time(value)
    number, _, unit = text.partition(" ")
    return f"{float(number):g} {unit}" if unit else text


def image(chart: dict[str, Any], kind: str) -> bytes:
    """`png` or `svg`; the same chart gives the same bytes."""
    with matplotlib.rc_context(_SETTINGS):
        plot = _draw(chart)
        return _bytes(plot, kind)


def _bar_image(table: Table, kind: str) -> bytes:
    with matplotlib.rc_context(_SETTINGS):
        plot = Plot(figsize=(7.2, 0.8 + 0.4 * len(table.rows)), layout="constrained")
        axes = plot.add_subplot()
        names = [row[0] for row in table.rows]
        drawn = axes.barh(names, list(table.bars), color=_COLOURS[2], height=0.6)
        axes.bar_label(drawn, [row[1] for row in table.rows], padding=3)
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.set_xlim(0, 1.15)
        axes.set_title(table.title, loc="left", fontsize=10)
        return _bytes(plot, kind)


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
    """All of them into `folder`; files of an earlier report are replaced."""
    contents: dict[str, bytes] = {}
    for figure in figures:
        for kind in ("png", "svg"):
            contents[f"{figure.name}.{kind}"] = image(figure.chart, kind)
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
