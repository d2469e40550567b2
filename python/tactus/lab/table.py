# SPDX-License-Identifier: LGPL-2.1-or-later
"""The lines that `lab run` prints: a block for each load and metric."""

from __future__ import annotations

from itertools import groupby

from tactus.lab.model import Clock, Row
from tactus.lab.naming import sorted_rows
from tactus.lab.results.folder import Loaded, Measured
from tactus.measure.plan import BARE, LINUX_SPIN, THREAD
from tactus.measure.units import count_text, time_text

WIDTH = 80
"""The usual width; longer names of machines or variants make lines longer, and are not cut."""
_FIGURES = ("min", "avg", "p50", "p99", "max", "samples")
_LEGEND = "task, light, handler: contexts of Tactus; linux: a plain SCHED_FIFO thread"


def _what(row: Row) -> str:
    who = row.context if row.core == THREAD else row.core
    if row.core == BARE:
        who = f"{row.core} {row.context}"
    many = f"×{row.tasks}" if row.tasks > 1 else ""
    return " ".join(part for part in (row.instrument, who, many, row.variant) if part)


def _figures(row: Row) -> str:
    if row.unit != "ns":
        return f"{row.value or 0:>8.6g}"
    times = (row.min_ns, row.avg_ns, row.p50_ns, row.p99_ns, row.max_ns)
    return "".join(f"{text:>8}" for text in [*map(time_text, times), count_text(row.samples)])


def _kernel(row: Row) -> str:
    return row.kernel if row.cpus == 1 else f"{row.kernel}, {row.cpus} CPUs"


def _block(rows: list[Row]) -> list[str]:
    row = rows[0]
    first = max(len(_kernel(row)) for row in rows)
    second = max(len(_what(row)) for row in rows)
    ticks = ", 1 ns = 1 instruction" if row.clock is Clock.VIRTUAL and row.unit == "ns" else ""
    lines = ["", f"{row.metric}, load {row.load} (target {row.target}{ticks})"]
    names = _FIGURES if row.unit == "ns" else (row.unit,)
    head = "".join(f"{name:>8}" for name in names)
    lines.append(f"{'kernel':{first}} {'':{second}}{head}")
    shown = ""
    for row in rows:
        kernel = _kernel(row) if _kernel(row) != shown else ""
        shown = _kernel(row)
        mark = " " if row.load_ok else "!"
        lines.append(f"{kernel:{first}}{mark}{_what(row):{second}}{_figures(row)}")
    return lines


def _lead(rows: list[Row]) -> list[str]:
    """How far ahead the spinning thread wakes, and whether Tactus has the same cost."""
    theirs, ours = (
        {r.extra.get("lead_ns") for r in rows if r.core == c} for c in (LINUX_SPIN, THREAD)
    )
    named = sorted(int(ns) for ns in theirs if ns)
    if not named:
        return []
    as_tactus = ", as Tactus" if theirs <= ours else ""
    ahead = " and ".join(map(time_text, named))
    return [f"{LINUX_SPIN}: one that wakes {ahead} ahead of a release{as_tactus}, and spins"]


def _place(measured: Measured) -> tuple[str, str, str, str]:
    row = measured.row
    return row.metric, row.unit, row.load, row.target


def render(loaded: Loaded) -> str:
    """A `!` marks a run whose load died; failures follow below with their reasons."""
    measured = sorted_rows(loaded.rows(valid_only=False))
    places = list(dict.fromkeys(map(_place, measured)))
    lines: list[str] = []
    for _, block in groupby(sorted(measured, key=lambda m: places.index(_place(m))), _place):
        lines += _block([each.row for each in block])
    if any(each.row.core == THREAD for each in measured):
        lines += ["", _LEGEND]
        lines += _lead([each.row for each in measured])
    for run in loaded.failures():
        job = run.job
        lines.append(f"! {job.kernel} {job.load} {job.instrument}: {run.status}: {run.reason}")
    return "\n".join(lines).lstrip("\n")
