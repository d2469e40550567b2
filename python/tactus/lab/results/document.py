# SPDX-License-Identifier: LGPL-2.1-or-later
"""The JSON of a plan's run (docs/spec/lab-results.md): the schema of measure, and in each row the
further parameters of the laboratory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from tactus.lab import table
from tactus.lab.model import Row, RunResult, Series
from tactus.lab.results.folder import Loaded
from tactus.measure import statistics
from tactus.measure.document import SCHEMA
from tactus.measure.results import TIMELINE_BINS, WORST


def make(loaded: Loaded, manifest: Mapping[str, Any], sentence: str = "") -> dict[str, Any]:
    """`manifest` describes the computer that ran the plan; each run of a target has its own."""
    runs = [
        _run_json(run, row, series)
        for run in loaded.results
        for row, series in zip(run.rows, run.series, strict=True)
    ]
    return {
        "schema": SCHEMA,
        "manifest": dict(manifest),
        "noise": _noise(loaded.results),
        "runs": runs,
        "failures": [_failure(run) for run in loaded.failures()],
        "sentence": sentence,
        "table": table.render(loaded).splitlines(),
        "notices": list(loaded.problems),
    }


def _run_json(run: RunResult, row: Row, series: Series | None) -> dict[str, Any]:
    entry = asdict(row)
    entry["extra"] = dict(row.extra)
    entry.update(run=run.run_id, job=run.job.id, status=str(run.status), plan=run.job.plan)
    entry.update(per_task=[], notices=[], best_lead=None, rounds=1)
    entry.update(
        {key: row.extra.get(key) for key in ("spun_share", "cpu_share", "duration_ns", "lead_ns")}
    )
    if series is None or series.size == 0:
        return {**entry, "histogram": None, "worst": [], "timeline_ns": []}
    values, counts = series.weighted()
    entry["histogram"] = statistics.histogram_json_counts(values, counts)
    if not series.ordered or row.period_ns is None:
        return {**entry, "worst": [], "timeline_ns": []}
    # The samples have no release times here: the n-th release of each task is n periods after the
    # start.
    times = np.arange(series.size, dtype=np.int64) // max(row.tasks, 1) * row.period_ns
    span = int(times[-1]) + row.period_ns
    entry["duration_ns"] = entry["duration_ns"] or span
    entry["worst"] = statistics.worst(times, series.values_ns, np.zeros_like(times), WORST)
    entry["timeline_ns"] = statistics.timeline(times, series.values_ns, span, TIMELINE_BINS)
    return entry


def _failure(run: RunResult) -> dict[str, Any]:
    return {
        "job": run.job.id,
        "run": run.run_id,
        "status": str(run.status),
        "reason": run.reason,
        **{
            name: getattr(run.job, name)
            for name in ("target", "kernel", "cpus", "instrument", "load", "core", "context")
        },
        "log": run.log_end,
    }


def _noise(results: Sequence[RunResult]) -> dict[str, Any]:
    """The longest gaps of all kernels; those of each kernel are rows of the instrument `noise`."""
    rows = [row for run in results if run.valid for row in run.rows if row.instrument == "noise"]
    by_load: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row.max_ns or 0):
        by_load[row.load] = {
            "kernel": row.kernel,
            "gaps": row.samples,
            "max_gap_ns": row.max_ns or 0,
            "p50_ns": row.p50_ns,
            "p99_ns": row.p99_ns,
            **dict(row.extra),
        }
    return {
        "cpu": None,
        "threshold_ns": max((int(r.extra.get("threshold_ns", 0)) for r in rows), default=0),
        "max_gap_ns": max((row.max_ns or 0 for row in rows), default=0),
        "by_load": by_load,
    }
