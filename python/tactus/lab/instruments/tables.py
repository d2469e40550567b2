# SPDX-License-Identifier: LGPL-2.1-or-later
"""Readers of the groups of operations (switch, ipc, dispatch, alloc, core) and of the instruments
with single numbers (index, clocktest)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tactus.lab.instruments.text import Fields, Measurements, OutputError, document
from tactus.lab.model import Job, Row, Series
from tactus.measure.plan import BARE, LINUX, THREAD

LIGHT = "light"
"""The variant of both sides if those of Tactus are light tasks: a pair of figures is one run."""
SWITCH = re.compile(r"switch(?P<light>_light)?_(?P<tasks>\d+)(?P<float>_float)?")
IPC = {
    "handoff_sem": ("semaphore", "task"),
    "handoff_sem_light": ("semaphore", "light"),
    "mutex_contended": ("mutex", "task"),
    "event_set_wait": ("event", "task"),
    "ipc_queue": ("queue", "task"),
    "ipc_pipe": ("pipe", "task"),
    "ipc_pipe_linux": ("pipe to Linux", "task"),
    "ipc_signal": ("signal", "task"),
}


def _named(instrument: str, name: str) -> tuple[str, str, int, str]:
    """Metric, context, tasks and variant of a row."""
    match = SWITCH.fullmatch(name)
    if match is not None:
        context = "light" if match["light"] else "task"
        variant = "fp" if match["float"] else LIGHT if match["light"] else ""
        return "switch", context, int(match["tasks"]), variant
    if instrument == "ipc" and name in IPC:
        metric, context = IPC[name]
        return metric, context, 2, LIGHT if context == "light" else ""
    for prefix, metric in (("alloc_", "alloc"), ("dispatch_", "dispatch")):
        if name.startswith(prefix):
            return metric, "task", 1, name.removeprefix(prefix)
    return name.replace("_", "-"), "task", 1, ""


def read_operations(job: Job, out: Path) -> Measurements:
    """A row for each side of each operation. Its values are means of rounds, in order."""
    result = document(out)
    result.expect("instrument", "bench")
    result.expect("group", job.instrument)
    result.expect("failed", 0)
    # A job of another core names it; the programs are linked with the library of the core thread.
    own_core = BARE if job.core == BARE else THREAD
    measured: Measurements = []
    for row in result.objects("rows"):
        metric, context, tasks, variant = _named(job.instrument, row.text("name"))
        extra = {
            "what": row.text("what"),
            "operations": row.whole("operations"),
            "of": "means of rounds",
            "fifo": row.flag("fifo"),
            "notices": row.array("notices"),
            **dict(row.table("figures").items()),
        }
        for side, core in (("tactus", own_core), ("linux", LINUX)):
            if not row.has(side):
                continue
            own = Row.of_job(
                job,
                metric,
                core=core,
                context=context if core == own_core else "task",
                tasks=tasks,
                variant=variant,
                period_ns=None,
                extra=extra,
            )
            measured.append((own, _rounds(row.table(side))))
    if not measured:
        raise OutputError(f"{job.instrument} measured no row")
    return measured


def _rounds(side: Fields) -> Series:
    rounds = side.array("rounds_ns")
    if not rounds or not all(isinstance(each, int | float) for each in rounds):
        raise OutputError("a row has rounds that are no numbers")
    values = np.asarray(rounds, dtype=np.float64)
    for key, own in (("min_ns", values.min()), ("max_ns", values.max())):
        if abs(side.number(key) - float(own)) > 1e-3:
            raise OutputError(f"{key} is {side.number(key)}, {own} in the rounds")
    return Series(np.rint(values).astype(np.int64))


def read_index(job: Job, out: Path) -> Measurements:
    """Scores of the tests and the index, for one copy and for one per CPU."""
    result = document(out)
    result.expect("instrument", "index")
    result.expect("failed", 0)
    measured: Measurements = []
    for run in result.objects("runs"):
        copies = run.whole("copies")
        shared = {"tasks": copies, "core": "linux", "context": "task", "period_ns": None}
        for test in run.objects("tests"):
            extra = {key: test.number(key) for key in ("base", "index")}
            row = Row.of_job(
                job,
                test.text("name"),
                value=test.number("score"),
                unit=test.text("unit"),
                extra={**extra, "title": test.text("title"), "passes": test.array("passes")},
                **shared,
            )
            measured.append((row, None))
        extra_of_index = {
            "seconds": result.number("seconds"),
            "code": result.text("code"),
            "notices": result.array("notices"),
        }
        index = run.number("index")
        if dict(run.items()).get("partial"):
            continue
        row = Row.of_job(job, "index", value=index, unit="index", extra=extra_of_index, **shared)
        measured.append((row, None))
    if not measured:
        raise OutputError("the index has no run")
    return measured


def read_clocktest(job: Job, out: Path) -> Measurements:
    """For each clock and CPU compared: offset, drift, and readings that went backwards."""
    result = document(out)
    result.expect("instrument", "clocktest")
    measured: Measurements = []
    rates = dict(result.table("rates").items())
    for clock in result.objects("clocks"):
        for pair in clock.objects("pairs"):
            extra = {**dict(pair.items()), "read_ns": clock.number("read_ns"), "rates": rates}
            variant = f"{clock.text('clock')} of CPU {pair.whole('cpu')}"
            for metric, key, unit in (
                ("clock-offset", "offset_ns", "ns offset"),
                ("clock-drift", "drift_ppb", "ppb"),
                ("clock-backwards", "backwards", "readings"),
            ):
                row = Row.of_job(
                    job,
                    metric,
                    variant=variant,
                    period_ns=None,
                    value=pair.number(key),
                    unit=unit,
                    samples=pair.whole("readings"),
                    extra=extra,
                )
                measured.append((row, None))
        if not clock.array("pairs"):
            row = Row.of_job(
                job,
                "clock-step",
                variant=clock.text("clock"),
                period_ns=None,
                value=clock.number("step_ns"),
                unit="ns step",
                extra={"read_ns": clock.number("read_ns"), "rates": rates},
            )
            measured.append((row, None))
    if not measured:
        raise OutputError("clocktest compared no clock")
    return measured
