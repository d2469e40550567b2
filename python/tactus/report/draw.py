# SPDX-License-Identifier: LGPL-2.1-or-later
"""The charts of a report without its script: SVG for pages, SVG and PNG for papers and slides."""

from __future__ import annotations

import base64
import io
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Plot
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tactus.measure.units import prose_time

# The colours and dashes of page.css and chart.js.
COLOURS = ("#b3541e", "#8a6d00", "#0072b2", "#00795a", "#a3487c", "#3a8fc2", "#444b54", "#8b939c")
_DASHES = ("-", (0, (6, 3)), "-", (0, (2, 2)), (0, (8, 2, 2, 2)), "-", (0, (4, 2)), (0, (1, 3)))
_MARKS = ("o", "^", "s")
SETTINGS: Any = {
    "font.size": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "tactus",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def _plot(axes: Axes, series: dict[str, Any], floor: float) -> None:
    style, points = series["style"], series["points"]
    look: dict[str, Any] = {"color": COLOURS[style], "label": series["name"], "linewidth": 1.4}
    look["linestyle"] = _DASHES[series.get("dash", style)]
    if series["kind"] == "dots":
        look.update(linestyle="none", marker=_MARKS[series.get("mark", style) % 3], markersize=2.5)
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
        axes.stairs(heights, edges, baseline=floor, **look)


def _scale(axes: Axes, axis: Axis, spec: dict[str, str]) -> None:
    axis.set_label_text(spec["label"] + (" (s)" if spec["unit"] == "s" else ""))
    if spec["scale"] == "log":
        (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")
        axis.set_minor_formatter(NullFormatter())
    if spec["unit"] == "" and spec["scale"] == "log":
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    if spec["unit"] == "ns":
        axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
        low, high = axis.get_view_interval()
        if high < 30 * low:
            steps = (1, 2, 5) if high > 6 * low else tuple(range(1, 10))
            axis.set_major_locator(LogLocator(subs=steps))


PAPER, PHONE = (7.2, 4.2), (4.6, 3.7)
"""Inches. A page must be readable also at the width of a phone."""


def _floor(chart: dict[str, Any]) -> float:
    """Down to this width, bars have sides: a single bin is a bar, not a dash."""
    bars = [s["points"] for s in chart["series"] if s["kind"] == "bars"]
    return min((point[2] for points in bars for point in points), default=1.0) * 0.7


def _draw(chart: dict[str, Any], size: tuple[float, float]) -> Plot:
    plot = Plot(figsize=size, layout="constrained")
    axes = plot.add_subplot()
    for series in chart["series"]:
        _plot(axes, series, _floor(chart))
    _scale(axes, axes.xaxis, chart["x"])
    _scale(axes, axes.yaxis, chart["y"])
    axes.set_title(chart["title"], loc="left", fontsize=10)
    axes.grid(True, linewidth=0.4, color="#d9dde2")
    plot.legend(
        loc="outside lower center", fontsize=7, frameon=False, ncols=2 if size == PHONE else 4
    )
    return plot


def encoded(plot: Plot, kind: str) -> bytes:
    FigureCanvasAgg(plot)
    data = io.BytesIO()
    metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    plot.savefig(data, format=kind, dpi=160, metadata=metadata)
    return data.getvalue()


def _tick(value: float) -> str:
    text = prose_time(value)
    number, _, unit = text.partition(" ")
    return f"{float(number):g} {unit}" if unit else text


def image(chart: dict[str, Any], kind: str, size: tuple[float, float] = PAPER) -> bytes:
    """`png` or `svg`; the same chart gives the same bytes."""
    with matplotlib.rc_context(SETTINGS):
        plot = _draw(chart, size)
        return encoded(plot, kind)


def address(chart: dict[str, Any]) -> str:
    """The chart as the address of a picture inside a page: its names do not collide with others of
    the page."""
    data = base64.b64encode(image(chart, "svg", PHONE)).decode("ascii")
    return f"data:image/svg+xml;base64,{data}"
