# SPDX-License-Identifier: LGPL-2.1-or-later
"""The content of a report's charts: points from histograms, ready for chart.js."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hdrh.histogram import HdrHistogram

Point = list[float]
Series = dict[str, Any]
Chart = dict[str, Any]

POINTS_MAX = 400
DASHES = ("", "8 4", "", "3 3", "10 3 2 3", "", "5 2", "1 4")
"""Number of styles; they are those of chart.js."""
NOISE_STYLE = 7
"""Style of the machine's own gaps in chart.js and page.css: grey and dotted."""


def distinguish(series: Sequence[Series]) -> None:
    """Gives runs of the same colour different dashes and marks, so that no two look alike."""
    seen: dict[int, int] = {}
    for one in series:
        style = int(one["style"])
        nth = seen.get(style, 0)
        seen[style] = nth + 1
        if nth:
            others = [d for d in (0, 1, 3, 4, 6, 7) if DASHES[d] != DASHES[style]]
            one["dash"] = others[(nth - 1) % len(others)]
            one["mark"] = style + nth


def counts(histogram: Mapping[str, Any]) -> list[tuple[int, int]]:
    """(value_ns, count) of an encoded histogram; early starts, which it does not hold, count as
    0."""
    decoded = HdrHistogram.decode(histogram["data"].encode("ascii"))
    pairs = [
        (int(item.value_iterated_to), int(item.count_added_in_this_iter_step))
        for item in decoded.get_recorded_iterator()
    ]
    early = int(histogram.get("early", 0))
    return [(0, early), *pairs] if early else pairs


def survival(pairs: Sequence[tuple[int, int]]) -> list[Point]:
    """The complementary distribution: the share of samples at or above each value, so that the
    longest latency stands at 1/samples."""
    total = left = sum(count for _, count in pairs)
    points: list[Point] = []
    for value, count in pairs:
        points.append([max(value, 1), left / total])
        left -= count
    return thin(points)


def thin(points: list[Point]) -> list[Point]:
    """Fewer points for the same curve: the tail, where each point counts, is kept whole."""
    excess = len(points) - POINTS_MAX
    if excess <= 0:
        return points
    head = points[: -POINTS_MAX // 2]
    step = -(-len(head) // (POINTS_MAX // 2))
    return head[::step] + points[-POINTS_MAX // 2 :]


def shares(histogram: Mapping[str, Any]) -> list[Point]:
    """[from_ns, below_ns, share] of each bin. Values below 2 ns, also early starts, are one bin
    from 1 ns on, because a log axis has no zero."""
    early = int(histogram.get("early", 0))
    total = sum(count for *_, count in histogram["bins"]) + early
    first = early + sum(count for low, _, count in histogram["bins"] if low < 2)
    rest = [[low, high, count / total] for low, high, count in histogram["bins"] if low >= 2]
    return [[1, 2, first / total], *rest] if first else rest


def label(run: Mapping[str, Any]) -> str:
    if run["core"] == "linux-spin":
        as_tactus = ", as Tactus" if run.get("same_lead") else ""
        return f"linux-spin, {run['lead_ns'] / 1000:g} µs ahead{as_tactus}"
    if run["core"] == "linux":
        return "linux"
    core = "built-in" if run.get("gravity") == "built-in" else run["core"]
    return f"{core} {run['context']}"


def shown(runs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The runs of the table, of the spinning peer only with the leads shown there; only runs with
    samples."""
    return [
        run
        for run in runs
        if (run["best_lead"] is not False or run.get("same_lead")) and run["samples"]
    ]


def _noise_series(noise: Mapping[str, Any] | None, kind: str) -> list[Series]:
    if not noise or not noise["gaps"]:
        return []
    histogram = noise["histogram"]
    points = shares(histogram) if kind == "bars" else survival(counts(histogram))
    return [{"name": "machine alone (gaps)", "style": NOISE_STYLE, "kind": kind, "points": points}]


def _series(runs: Sequence[Mapping[str, Any]], kind: str, points: Any) -> list[Series]:
    return [
        {"name": label(run), "style": index % NOISE_STYLE, "kind": kind, "points": points(run)}
        for index, run in enumerate(runs)
    ]


def block(runs: Sequence[Mapping[str, Any]], noise: Mapping[str, Any] | None) -> list[Chart]:
    """The three charts of one load and number of tasks."""
    latency = {"label": "latency", "scale": "log", "unit": "ns"}
    drawn: list[Chart] = [
        {
            "title": "How often a latency is that long or longer",
            "x": latency,
            "y": {"label": "share of samples", "scale": "log", "unit": ""},
            "series": _series(runs, "steps", lambda run: survival(counts(run["histogram"])))
            + _noise_series(noise, "steps"),
        },
        {
            "title": "Histogram",
            "x": latency,
            "y": {"label": "share of samples per bin", "scale": "log", "unit": ""},
            "series": _series(runs, "bars", lambda run: shares(run["histogram"]))
            + _noise_series(noise, "bars"),
        },
        {
            "title": "The longest latencies over time",
            "x": {"label": "time in the run", "scale": "linear", "unit": "s"},
            "y": {"label": "latency", "scale": "log", "unit": "ns"},
            "series": _series(runs, "dots", _over_time),
        },
    ]
    for chart in drawn:
        distinguish(chart["series"])
    return drawn


def _over_time(run: Mapping[str, Any]) -> list[Point]:
    """The maximum of each part of the run, and the worst samples at their exact times."""
    timeline = run["timeline_ns"]
    width_s = run["duration_ns"] / 1e9 / max(len(timeline), 1)
    points = [[(i + 0.5) * width_s, max(v, 1)] for i, v in enumerate(timeline) if v >= 0]
    points += [[time_ns / 1e9, max(latency_ns, 1)] for time_ns, latency_ns, _ in run["worst"]]
    return sorted(points)
