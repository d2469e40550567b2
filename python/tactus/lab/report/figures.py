# SPDX-License-Identifier: LGPL-2.1-or-later
"""The charts of the report, in the form that chart.js draws and images.py prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tactus.lab.model import Clock
from tactus.lab.naming import IRQ, LATENCY, LOADS, NOISE, in_order, machine, system
from tactus.lab.results.folder import Measured
from tactus.report.charts import Point, distinguish, thin

_STYLES = (0, 2, 3, 4, 1, 5, 6)
"""The colours of the page, as different as possible: most charts have two to four kernels or
loads."""
BINS = 60
_TIMELINE_BINS = 240


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, and the name of its files."""

    name: str
    chart: dict[str, Any]


Line = tuple[str, str, Measured]
"""Name, the meaning of its colour, samples."""


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def survival(measured: Measured) -> list[Point]:
    """The share of samples at or above each value."""
    assert measured.series is not None
    values, counts = measured.series.weighted()
    left = counts.sum() - np.cumsum(counts) + counts
    points = zip(np.maximum(values, 1).tolist(), (left / counts.sum()).tolist(), strict=True)
    return thin([list(point) for point in points])


def bins(measured: Measured) -> list[Point]:
    """[from, below, share] of bins of equal width on the log axis, none narrower than a step of the
    instrument. Values below 1 ns count as 1 ns, because a log axis has no zero."""
    assert measured.series is not None
    values, counts = measured.series.weighted()
    values, step = np.maximum(values, 1), measured.series.resolution_ns
    raw = np.geomspace(values[0], values[-1] + step, BINS + 1)
    first, last = values[0] // step * step, (values[-1] // step + 1) * step
    edges = np.unique(np.clip(np.round(raw / step).astype(np.int64) * step, first, last))
    edges = np.unique(np.concatenate([[max(first, 1)], edges[edges > first], [last]]))
    sums = np.bincount(np.searchsorted(edges, values, side="right") - 1, counts, len(edges))
    rows = zip(edges[:-1].tolist(), edges[1:].tolist(), sums[:-1].tolist(), strict=True)
    return [[low, high, count / counts.sum()] for low, high, count in rows if count]


def over_time(measured: Measured) -> list[Point]:
    """The longest latency of each part of the run, at its time in seconds."""
    assert measured.series is not None
    values = measured.series.values_ns
    period_s = (measured.row.period_ns or 1_000_000) / 1e9
    parts = np.array_split(values, min(_TIMELINE_BINS, len(values)))
    ends = np.cumsum([len(part) for part in parts])
    tasks = max(measured.row.tasks, 1)
    return [
        [float(end) / tasks * period_s, float(max(part.max(), 1))]
        for end, part in zip(ends, parts, strict=True)
    ]


_KINDS: dict[str, Callable[[Measured], list[Point]]] = {
    "steps": survival,
    "bars": bins,
    "dots": over_time,
}


def _chart(title: str, kind: str, lines: Sequence[Line], label: str = "latency") -> dict[str, Any]:
    """Dashes distinguish lines of one colour."""
    virtual = all(m.row.clock is Clock.VIRTUAL for *_, m in lines)
    time = {"label": f"{label} (1 ns = 1 instruction)" if virtual else label}
    time.update(scale="log", unit="ns")
    share = {"label": "share of samples", "scale": "log", "unit": ""}
    run = {"label": "time in the run", "scale": "linear", "unit": "s"}
    series = []
    colours = list(dict.fromkeys(colour for _, colour, _ in lines))
    for name, colour, measured in lines:
        style = _STYLES[colours.index(colour) % len(_STYLES)]
        own = {"name": name, "style": style, "kind": kind, "points": _KINDS[kind](measured)}
        series.append(own)
    distinguish(series)
    x, y = (run, time) if kind == "dots" else (time, share)
    return {"title": title, "x": x, "y": y, "series": series}


def _with_samples(rows: Iterable[Measured]) -> list[Measured]:
    return [m for m in rows if m.series is not None and m.series.size]


def _first(lines: Iterable[Line]) -> list[Line]:
    """Of several runs with one name, the one with the longest latency."""
    found: dict[str, Line] = {}
    for line in lines:
        name, _, measured = line
        if name not in found or (measured.row.max_ns or 0) > (found[name][2].row.max_ns or 0):
            found[name] = line
    return list(found.values())


def by_kernel(rows: Sequence[Measured]) -> list[Figure]:
    """Latency distributions of each kernel, like figures 5 to 9 of the multi-core paper."""
    own = [m for m in _with_samples(rows) if m.row.metric == LATENCY and m.row.tasks == 1]
    figures = []
    for kernel in dict.fromkeys(machine(m.row) for m in own):
        mine = [m for m in own if machine(m.row) == kernel]
        instruments = dict.fromkeys(m.row.instrument for m in mine)
        shown = [i for i in ("cyclictest", "latency", "jitter") if i in instruments][:2]
        lines = [
            (f"{system(m.row)}, {load}", load, m)
            for instrument in shown
            for load in in_order([m.row.load for m in mine], LOADS)
            for m in mine
            if m.row.instrument == instrument
            and m.row.load == load
            and (m.row.core != "thread" or m.row.context == "task")
        ]
        if lines:
            chart = _chart(f"{kernel}: latencies", "bars", _first(lines))
            figures.append(Figure(f"distribution-{_word(kernel)}", chart))
    return figures


def by_load(rows: Sequence[Measured]) -> list[Figure]:
    """The kernels side by side under each load."""
    own = [m for m in _with_samples(rows) if m.row.metric == LATENCY and m.row.tasks == 1]
    figures = []
    for load in in_order([m.row.load for m in own], LOADS):
        lines = [
            (f"{machine(m.row)}, {system(m.row)}", machine(m.row), m)
            for m in own
            if m.row.load == load
            and m.row.instrument in ("cyclictest", "latency")
            and (m.row.core != "thread" or m.row.context == "task")
        ]
        if lines:
            title = f"Load {load}: how often a latency is that long or longer"
            figures.append(Figure(f"tail-{_word(load)}", _chart(title, "steps", _first(lines))))
    return figures


def _heaviest(rows: Sequence[Measured]) -> list[Measured]:
    order = in_order([m.row.load for m in rows], LOADS)
    return [m for m in rows if m.row.load == order[-1]]


def interrupts(rows: Sequence[Measured]) -> list[Figure]:
    """Response to external interrupts under the heaviest load."""
    own = [m for m in _with_samples(rows) if m.row.instrument == IRQ]
    figures = []
    for metric in dict.fromkeys(m.row.metric for m in own):
        mine = _heaviest([m for m in own if m.row.metric == metric])
        cores = {"linux": "Linux", "thread": "Tactus"}
        lines = _first(
            (f"{machine(m.row)}, {cores.get(m.row.core, m.row.core)}", machine(m.row), m)
            for m in mine
        )
        until = metric.removeprefix("irq-")
        title = f"Interrupt to {until}, load {mine[0].row.load}"
        chart = _chart(title, "steps", lines, "response")
        figures.append(Figure(f"interrupt-{_word(until)}", chart))
    return figures


def jitter(rows: Sequence[Measured]) -> list[Figure]:
    """Activation of a periodic task over time under the heaviest load."""
    own = [
        m
        for m in _with_samples(rows)
        if m.row.metric == LATENCY and m.series is not None and m.series.ordered
    ]
    figures = []
    for name, instrument in (("Linux thread", "jitter"), ("Tactus task", "latency")):
        mine = _heaviest(
            [
                m
                for m in own
                if m.row.instrument == instrument
                and (instrument == "jitter" or (m.row.core, m.row.context) == ("thread", "task"))
            ]
        )
        if mine:
            title = f"Jitter of a periodic {name}, load {mine[0].row.load}"
            chart = _chart(title, "dots", _first((machine(m.row), machine(m.row), m) for m in mine))
            figures.append(Figure(f"jitter-{_word(name)}", chart))
    return figures


def noise(rows: Sequence[Measured]) -> list[Figure]:
    own = [m for m in _with_samples(rows) if m.row.instrument == NOISE]
    names = [f"{machine(m.row)}, {m.row.load}" for m in own]
    lines = _first((name, name, m) for name, m in zip(names, own, strict=True))
    if not lines:
        return []
    chart = _chart("Gaps that the machine makes by itself", "steps", lines[: len(_STYLES)], "gap")
    return [Figure("noise", chart)]
