# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of rare latencies: the bound with its interval, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from tactus.lab.naming import LATENCY, machine, system
from tactus.lab.report.tables import Table, clock_note, time
from tactus.lab.results.folder import Measured
from tactus.lab.stats.extremes import PROBABILITY, Estimate, estimate

_HEAD = ("kernel", "load", "measured with", "longest seen", "estimate", "from", "to", "fit", "")

_NOTE = (
    "Extreme-value estimate (peaks over threshold) with its 95 % interval. Fit: the chance of a "
    "worse fit if the model were true. If there is no estimate, the last column says why. An "
    "extrapolation would be a guess if samples are correlated, if no model fits, or if one half "
    "of a run does not cover the other."
)


def estimates(rows: Sequence[Measured]) -> list[tuple[Measured, Estimate]]:
    return [
        (m, estimate(m.series))
        for m in rows
        if m.row.metric == LATENCY and m.series is not None and m.series.size
    ]


def bounds(found: Sequence[tuple[Measured, Estimate]]) -> Table | None:
    if not found:
        return None
    text: list[tuple[str, ...]] = []
    raw: list[tuple[object, ...]] = []
    for measured, answer in found:
        row = measured.row
        words = (machine(row), row.load, system(row))
        if answer.level is None:
            text.append((*words, time(row.max_ns), "none", "", "", "", answer.why))
            raw.append((*words, row.max_ns, None, None, None, None, answer.why))
            continue
        level, goodness = answer.level, answer.goodness
        fit = goodness.worst if goodness else None
        figures = (level.value_ns, level.low_ns, level.high_ns)
        count = 0 if answer.excesses is None else len(answer.excesses)
        above = f"{count} samples above {time(answer.threshold_ns)}"
        shown = "" if fit is None else f"{fit:.2f}"
        text.append((*words, time(row.max_ns), *map(time, figures), shown, above))
        raw.append((*words, row.max_ns, *map(round, figures), fit, above))
    return Table(
        "bounds",
        f"Latency exceeded once in {1 / PROBABILITY:,.0f} releases",
        _HEAD,
        tuple(text),
        tuple(raw),
        ours=tuple(m.row.core == "thread" for m, _ in found),
        note=f"{_NOTE} {clock_note([m.row for m, _ in found])}",
    )
