# SPDX-License-Identifier: LGPL-2.1-or-later
"""The lines that `lab run` and `lab show` print: a block for each load and metric."""

from __future__ import annotations

from tactus.lab.model import Row
from tactus.lab.results.folder import Loaded
from tactus.measure.units import count_text, time_text

WIDTH = 96
_FIGURES = ("min", "avg", "p50", "p99", "p99.9", "max", "samples")


def _what(row: Row) -> str:
    parts = [row.instrument, row.core, row.context if row.core == "thread" else ""]
    parts += [f"{row.tasks} tasks" if row.tasks > 1 else "", row.variant]
    return " ".join(part for part in parts if part)


def _figures(row: Row) -> str:
    times = (row.min_ns, row.avg_ns, row.p50_ns, row.p99_ns, row.p999_ns, row.max_ns)
    return "".join(f"{text:>8}" for text in [*map(time_text, times), count_text(row.samples)])


def render(loaded: Loaded) -> str:
    """A `!` marks a run whose load died; failures stand below with their reasons."""
    rows = [measured.row for measured in loaded.rows(valid_only=False)]
    lines: list[str] = []
    for block in dict.fromkeys((r.target, r.load, r.metric, r.unit) for r in rows):
        target, load, metric, unit = block
        clock = next(r.clock for r in rows if (r.target, r.load, r.metric, r.unit) == block)
        ticks = " (1 ns = 1 instruction)" if clock == "virtual" and unit == "ns" else ""
        lines += ["", f"{metric}, load {load}, target {target}{ticks}"]
        head = "".join(f"{name:>8}" for name in _FIGURES) if unit == "ns" else f"{unit:>8}"
        lines.append(f"{'kernel':12} {'':26}{head}")
        for row in (r for r in rows if (r.target, r.load, r.metric, r.unit) == block):
            name = f"{row.kernel} {row.cpus}"[:12]
            mark = " " if row.load_ok else "!"
            figures = _figures(row) if unit == "ns" else f"{row.value or 0:>8.6g}"
            lines.append(f"{name:12}{mark}{_what(row)[:26]:26}{figures}")
    for run in loaded.failures():
        job = run.job
        lines.append(f"! {job.kernel} {job.load} {job.instrument}: {run.status}: {run.reason}")
    return "\n".join(lines).lstrip("\n")
