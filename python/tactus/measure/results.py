# SPDX-License-Identifier: LGPL-2.1-or-later
"""One measured setup: its rounds put together, its figures, its entry in the JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tactus.measure import statistics
from tactus.measure.instruments import Output
from tactus.measure.plan import LINUX_SPIN, THREAD, Setup
from tactus.measure.statistics import Nanoseconds, Summary

WORST = 100
TIMELINE_BINS = 240


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """One task of the set."""

    task: int
    period_ns: int
    offset_ns: int
    work_ns: int
    overruns: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class Result:
    """A setup and all its measurements."""

    setup: Setup
    summary: Summary
    tasks: tuple[TaskFigures, ...]
    overruns: int
    rounds: int
    duration_ns: int
    cpu_share: float
    spun_share: float
    load_failure: str | None
    notices: tuple[str, ...]
    details: dict[str, Any]
    """Histogram, worst samples and timeline, ready for the JSON."""

    def cost(self) -> float:
        """The order among leads: p50 times p99, so that neither improves at the cost of the other.
        If p99 is not known, the maximum replaces it; 10 ns is the resolution of a clock."""
        tail = self.summary.p99_ns if self.summary.p99_ns is not None else self.summary.max_ns
        if self.summary.p50_ns is None or tail is None:
            return float("inf")
        return max(self.summary.p50_ns, 10) * float(max(tail, 10))


def combine(setup: Setup, outputs: Sequence[Output], load_failure: str | None) -> Result:
    """Puts the rounds of a setup one after the other."""
    latencies: Nanoseconds = _column(outputs, "latency_ns")
    tasks: Nanoseconds = _column(outputs, "task")
    overruns: Nanoseconds = _column(outputs, "overruns")
    starts = np.cumsum([0, *(o.result["duration_ns"] for o in outputs)])
    times: Nanoseconds = np.concatenate(
        [
            o.records["release_ns"].astype(np.int64) + s
            for o, s in zip(outputs, starts, strict=False)
        ]
    )
    wall_ns = sum(o.result["wall_ns"] for o in outputs)
    first = outputs[0].result
    return Result(
        setup=setup,
        summary=statistics.summarize(latencies),
        tasks=tuple(
            TaskFigures(
                task=index,
                period_ns=plan["period_ns"],
                offset_ns=plan["offset_ns"],
                work_ns=plan["work_ns"],
                overruns=int(overruns[tasks == index].sum()),
                summary=statistics.summarize(latencies[tasks == index]),
            )
            for index, plan in enumerate(first["task_set"])
        ),
        overruns=int(overruns.sum()),
        rounds=len(outputs),
        duration_ns=int(starts[-1]),
        cpu_share=sum(o.result["cpu_ns"] for o in outputs) / wall_ns,
        spun_share=sum(o.result["spun_ns"] for o in outputs) / wall_ns,
        load_failure=load_failure,
        notices=tuple(dict.fromkeys(n for o in outputs for n in o.result["notices"])),
        details={
            "histogram": statistics.histogram_json(latencies),
            "worst": statistics.worst(times, latencies, tasks, WORST),
            "timeline_ns": statistics.timeline(times, latencies, int(starts[-1]), TIMELINE_BINS),
        },
    )


def _column(outputs: Sequence[Output], name: str) -> Nanoseconds:
    return np.concatenate([o.records[name].astype(np.int64) for o in outputs])


def best_leads(results: Sequence[Result]) -> list[Result]:
    """Of the spinning peer's leads, only the best one for each load and number of tasks."""
    best: dict[tuple[str, int], Result] = {}
    for result in results:
        if result.setup.core == LINUX_SPIN:
            key = (result.setup.load, result.setup.tasks)
            if key not in best or result.cost() < best[key].cost():
                best[key] = result
    return [r for r in results if r.setup.core != LINUX_SPIN or r in best.values()]


def with_same_lead(results: Sequence[Result]) -> list[Result]:
    """Of the spinning peer's leads, only the one of Tactus, so that the compared rows have the same
    cost."""
    return [r for r in results if r.setup.core != LINUX_SPIN or r.setup.same_lead]


def rows(results: Sequence[Result]) -> list[Result]:
    """The rows of the table: of the spinning peer's leads, the one of Tactus and the best one."""
    wanted = [id(r) for r in (*with_same_lead(results), *best_leads(results))]
    return [r for r in results if id(r) in wanted]


def as_json(result: Result, best: bool) -> dict[str, Any]:
    """The entry of `runs`; its first keys are those of the schema, see docs/spec/measure.md."""
    figures = asdict(result.summary)
    early = figures.pop("early")
    setup = result.setup
    return {
        "core": setup.core,
        "context": setup.context,
        "tasks": setup.tasks,
        "load": setup.load,
        "idle": setup.idle,
        "period_ns": round(setup.period_us * 1000),
        **figures,
        "overruns": result.overruns,
        "early": early,
        "lead_ns": round(setup.lead_us * 1000) if setup.core == LINUX_SPIN else None,
        "same_lead": setup.same_lead if setup.core == LINUX_SPIN else None,
        "gravity": setup.gravity if setup.core == THREAD else None,
        "best_lead": best if setup.core == LINUX_SPIN else None,
        "spun_share": round(result.spun_share, 6),
        "cpu_share": round(result.cpu_share, 6),
        "rounds": result.rounds,
        "duration_ns": result.duration_ns,
        "load_ok": result.load_failure is None,
        "load_failure": result.load_failure,
        "notices": list(result.notices),
        "per_task": [_task_json(task) for task in result.tasks],
        **result.details,
    }


def _task_json(task: TaskFigures) -> dict[str, Any]:
    entry = asdict(task)
    summary = entry.pop("summary")
    return {**entry, **summary}
