# SPDX-License-Identifier: LGPL-2.1-or-later
"""Readers of the instruments that write each sample: latency, jitter, irq, noise, contexts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactus.lab.instruments import cyclictest
from tactus.lab.instruments.text import (
    Fields,
    Measurements,
    OutputError,
    check_extremes,
    document,
    records,
)
from tactus.lab.model import Job, Row, Series
from tactus.measure.plan import BARE, CONTEXTS, LINUX

PEER = "cyclictest"
BUSY = "busy"
"""The variant of a task that preempts another, which computes all the time."""
OWN = "own instructions"
"""The variant of a row without what other CPUs computed in their turns of the emulator."""
TURNS = "turns"
"""The file of the turns (instruments/turns): CPU, nanoseconds since it was due, time of the
others."""


def _extra(result: Fields) -> dict[str, Any]:
    """Shares of the CPU's time, and what the run did not get."""
    wall_ns = result.whole("wall_ns")
    if wall_ns <= 0:
        raise OutputError(f"wall_ns is {wall_ns}")
    extra: dict[str, Any] = {
        "cpu_share": result.whole("cpu_ns") / wall_ns,
        "duration_ns": result.whole("duration_ns"),
        "notices": result.array("notices"),
    }
    if result.has("lead_ns"):
        extra["lead_ns"] = result.whole("lead_ns") or None
    if result.has("spun_ns"):
        extra["spun_share"] = result.whole("spun_ns") / wall_ns
    if result.has("step"):
        extra["step"] = dict(result.table("step").items())
    return extra


def _of_each_cpu(result: Fields, found: NDArray[np.void], shared: Row) -> Measurements:
    """A row for each real-time CPU of a run on several CPUs; each names its CPU and their
    number."""
    tasks = result.objects("task_set")
    task_cpus = np.array([task.whole("cpu") for task in tasks])
    if int(found["task"].max()) >= len(tasks):
        raise OutputError(
            f"task {int(found['task'].max())} of the sample file is not in the result"
        )
    measured: Measurements = []
    for cpu in dict.fromkeys(task_cpus.tolist()):
        own = found[task_cpus[found["task"]] == cpu]
        if not len(own):
            raise OutputError(f"CPU {cpu} has no samples")
        row = replace(
            shared,
            variant=f"CPU {cpu}",
            overruns=sum(task.whole("overruns") for task in tasks if task.whole("cpu") == cpu),
            extra={**shared.extra, "cpu": cpu, "real_time_cpus": result.whole("cpus")},
        )
        measured.append((row, Series(own["latency_ns"].astype(np.int64))))
    if len(measured) != result.whole("cpus"):
        raise OutputError(f"tasks on {len(measured)} CPUs, not on {result.whole('cpus')}")
    return measured


def read_releases(job: Job, out: Path) -> Measurements:
    """For latency and jitter: how late each release of a periodic task was served."""
    result = document(out)
    result.expect("core", job.core)
    result.expect("context", job.context)
    result.expect("tasks", job.tasks)
    result.expect("period_ns", job.period_ns)
    result.expect("lost", 0)
    found = records(out, result.whole("samples"))
    values = found["latency_ns"].astype(np.int64)
    check_extremes(values, result)
    extra = _extra(result)
    row = Row.of_job(job, idle=result.text("idle"), overruns=result.whole("overruns"), extra=extra)
    if result.has("cpus") and result.whole("cpus") > 1:
        return _of_each_cpu(result, found, row)
    return [(row, Series(values))]


def contexts_of(job: Job) -> list[tuple[str, Job, list[str]]]:
    """The parts of a run in all contexts: name, job, and the options of the part."""
    parts: list[tuple[str, Job, list[str]]] = [
        (context, replace(job, context=context), []) for context in CONTEXTS
    ]
    return [*parts, (BUSY, replace(job, context="task"), ["--busy"])]


class _Turns:
    """The time of each release that other CPUs had, in the order of a CPU's releases."""

    def __init__(self, path: Path) -> None:
        marks = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        self._marks = np.array(marks, dtype=np.int64).reshape(-1, 3)
        self._taken: dict[int, int] = {}

    @classmethod
    def of(cls, out: Path) -> _Turns | None:
        """None: the turns were not recorded."""
        return cls(out / TURNS) if (out / TURNS).is_file() else None

    def following(self, cpu: int, count: int) -> NDArray[np.int64]:
        """The next marks of the CPU."""
        begin = self._taken.get(cpu, 0)
        self._taken[cpu] = begin + count
        found: NDArray[np.int64] = self._marks[self._marks[:, 0] == cpu]
        return found[begin : begin + count]


def _own(marks: NDArray[np.int64], series: Series, anticipated_ns: int = 0) -> Series:
    """What the CPU itself executed for each release. The count begins when the way to the first
    instruction begins, `anticipated_ns` before the release is due."""
    since = np.maximum(series.values_ns + anticipated_ns, 0)
    if not np.array_equal(marks[:, 1], since):
        raise OutputError(f"{TURNS} and the samples have different releases")
    return Series(series.values_ns - marks[:, 2])


def read_contexts(job: Job, out: Path) -> Measurements:
    """Each part has its own folder, and a row like that of a separate job. If the emulator's turns
    were recorded, it has another row beside it."""
    own = replace(job, core="linux", instrument=PEER)
    measured = [
        (replace(row, idle="sleep"), series) for row, series in cyclictest.read(own, out / PEER)
    ]
    turns = _Turns.of(out)
    for name, part, _ in contexts_of(replace(job, instrument="latency")):
        for row, series in read_releases(part, out / name):
            words = (BUSY if name == BUSY else "", row.variant)
            named = replace(row, variant=" ".join(filter(None, words)))
            measured.append((named, series))
            if turns and series:
                result = document(out / name)
                cpu = row.extra["cpu"] if "cpu" in row.extra else result.whole("cpu")
                marks = turns.following(cpu, series.size)
                alone = _own(marks, series, result.whole("anticipated_ns"))
                variant = " ".join(filter(None, (named.variant, OWN)))
                measured.append((replace(named, variant=variant), alone))
    return measured


def read_irq(job: Job, out: Path) -> Measurements:
    """From the interrupt to the task, and to the handler if the kernel could be traced; for a bare
    core beside the same of Linux. If the emulator's turns were recorded, each has another row
    beside it."""
    if job.core != BARE:
        return _read_irq(job, out)
    measured = _read_irq(replace(job, core=LINUX), out / LINUX)
    own = _read_irq(job, out / BARE)
    turns = _Turns.of(out)
    if turns:
        # For each interrupt, the handler's mark, then the task's.
        samples = min(series.size for _, series in own if series)
        marks = turns.following(document(out / BARE).whole("cpu"), 2 * samples)
        for row, series in list(own):
            if series:
                alone = _own(marks[row.context == "task" :: 2], series)
                own.append((replace(row, variant=f"{row.variant} {OWN}"), alone))
    return measured + own


def _read_irq(job: Job, out: Path) -> Measurements:
    result = document(out)
    result.expect("instrument", "irq")
    result.expect("core", job.core)
    rows = {row.text("context"): row for row in result.objects("rows")}
    if set(rows) != {"task", "handler"}:
        raise OutputError(f"the rows are {sorted(rows)}, not task and handler")
    counted = {context: row.whole("samples") for context, row in rows.items()}
    found = records(out, sum(counted.values()))
    extra = {
        "source": result.text("source"),
        "skipped": result.whole("skipped"),
        "unmatched": result.whole("unmatched"),
        "notices": result.array("notices"),
    }
    measured: Measurements = []
    for task, context in enumerate(("task", "handler")):
        values = found["latency_ns"][found["task"] == task].astype(np.int64)
        if len(values) != counted[context]:
            raise OutputError(f"{len(values)} of {counted[context]} samples of the {context}")
        if not len(values):
            continue
        check_extremes(values, rows[context])
        row = Row.of_job(
            job,
            f"irq-{context}",
            context=context,
            variant=result.text("source"),
            overruns=result.whole("skipped"),
            extra=extra,
        )
        measured.append((row, Series(values)))
    if not counted["task"]:
        raise OutputError("no interrupt reached the task")
    return measured


def read_noise(job: Job, out: Path) -> Measurements:
    """The lengths of the gaps that the machine made."""
    result = document(out)
    found = records(out, result.whole("gaps"))["latency_ns"].astype(np.int64)
    extra = {
        key: result.whole(key)
        for key in ("threshold_ns", "spun_ns", "readings", "gap_ns", "max_gap_ns")
    }
    # Not every machine reports it.
    steal_ns = result.whole_or_none("steal_ns")
    if extra["spun_ns"] <= 0:
        raise OutputError("noise measured for no time at all")
    if int(found.sum()) != extra["gap_ns"]:
        raise OutputError(f"the gaps add up to {int(found.sum())} ns, not {extra['gap_ns']}")
    shares: dict[str, Any] = {
        "steal_ns": steal_ns,
        "gaps_per_s": len(found) / (extra["spun_ns"] / 1e9),
        "gap_share": extra["gap_ns"] / extra["spun_ns"],
        "notices": result.array("notices"),
    }
    row = Row.of_job(job, "noise", period_ns=None, extra={**extra, **shares})
    return [(row, Series(found))]
