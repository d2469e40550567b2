# SPDX-License-Identifier: LGPL-2.1-or-later
"""Made-up results of the laboratory, in the form that real kernels give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactus.lab.model import (
    Clock,
    Job,
    Row,
    RunResult,
    RunStatus,
    Series,
    failed,
    measured,
)
from tactus.lab.results import write

KERNELS = ("generic", "server", "lowlatency", "preempt-rt")
LOADS = ("idle", "cpu", "dohell")
# Per kernel: usual latency, and the longest section under load, in nanoseconds.
SHAPES = {
    "generic": (9_000, 900_000),
    "server": (9_500, 1_400_000),
    "lowlatency": (8_000, 420_000),
    "preempt-rt": (6_000, 4_000),
}
TESTS = {
    "dhrystone2": (42_000_000.0, "lps"),
    "whetstone-double": (4200.0, "MWIPS"),
    "execl": (3100.0, "lps"),
    "index": (1500.0, "index"),
}
MANIFEST = {
    "date": "2026-11-20T10:00:00+00:00",
    "commit": "0123456789abcdef",
    "kernel": "6.1.0-31-rt-amd64",
    "cpu_model": "QEMU Virtual CPU",
}


def job(**fields: Any) -> Job:
    usual: dict[str, Any] = {
        "plan": "default",
        "target": "vm",
        "kernel": "preempt-rt",
        "cpus": 1,
        "instrument": "cyclictest",
        "clock": Clock.VIRTUAL,
    }
    return Job(**{**usual, **fields})


def latencies(kernel: str, load: str, count: int, seed: int) -> NDArray[np.int64]:
    """A body around the usual latency and, under load, a tail up to the longest section."""
    rng = np.random.default_rng([seed, KERNELS.index(kernel), LOADS.index(load)])
    usual, section = SHAPES[kernel]
    values = usual + rng.gamma(2.0, usual * 0.04, count)
    hit = rng.random(count) < {"idle": 0.0, "cpu": 0.004, "dohell": 0.05}[load]
    values[hit] += rng.random(int(hit.sum())) * section * (1 if load == "dohell" else 0.1)
    return values.astype(np.int64)


def result(
    values: Sequence[int] | NDArray[np.int64] | NDArray[np.float64], **fields: Any
) -> RunResult:
    """A run of one row with these samples."""
    made = job(**fields)
    series = Series(np.asarray(values, dtype=np.int64))
    return measured(made, [(Row.of_job(made), series)], manifest=MANIFEST, wall_s=1.5)


def default_plan(count: int = 4000, seed: int = 1) -> list[RunResult]:
    """Every instrument of the default plan on every kernel, and two runs that failed."""
    results = []
    for kernel in KERNELS:
        for load in LOADS:
            base = latencies(kernel, load, count, seed)
            micro = np.unique(base // 1000 * 1000, return_counts=True)
            cyclic = job(kernel=kernel, load=load)
            results.append(
                measured(
                    cyclic,
                    [
                        (
                            Row.of_job(cyclic),
                            Series(micro[0], micro[1].astype(np.int64), 1000),
                        )
                    ],
                    manifest=MANIFEST,
                )
            )
            for context, share in (("task", 0.7), ("light", 0.6), ("handler", 0.5)):
                results.append(
                    result(
                        (base * share).astype(np.int64),
                        kernel=kernel,
                        load=load,
                        instrument="latency",
                        core="thread",
                        context=context,
                    )
                )
            results.append(result(base, kernel=kernel, load=load, instrument="jitter"))
            results.append(_two_metrics(kernel, load, base))
            results.append(_switch(kernel, load, base))
        results.append(_ipc(kernel, latencies(kernel, "idle", 500, seed)))
        results += [_throughput(kernel, cpus) for cpus in (1, 2)]
        results.append(_noise(kernel, seed))
    results.append(
        failed(
            job(kernel="backports", load="dohell"),
            RunStatus.PANIC,
            "the kernel panicked 12 s after the start: see the end of its console",
            log="Kernel panic - not syncing: Attempted to kill init!",
        )
    )
    dead = result(latencies("server", "cpu", 50, seed), kernel="server", load="cpu", repeat=1)
    results.append(
        measured(
            dead.job,
            list(zip(dead.rows, dead.series, strict=True)),
            load_failure="the load cpu ended after 2 s",
        )
    )
    return results


def _two_metrics(kernel: str, load: str, base: NDArray[np.int64]) -> RunResult:
    made = job(kernel=kernel, load=load, instrument="irq", period_ns=1_000_000)
    return measured(
        made,
        [
            (Row.of_job(made, "irq-handler", core="linux"), Series(base // 3)),
            (Row.of_job(made, "irq-task", core="linux"), Series(base)),
            (Row.of_job(made, "irq-task", core="thread"), Series(base * 4 // 5)),
        ],
    )


def _switch(kernel: str, load: str, base: NDArray[np.int64]) -> RunResult:
    made = job(kernel=kernel, load=load, instrument="switch")
    rows = []
    for tasks in (2, 100):
        for core, share in (("linux", 4), ("thread", 16)):
            for variant in ("", "fp"):
                row = Row.of_job(made, "switch", core=core, tasks=tasks, variant=variant)
                rows.append((row, Series(base[:500] // share + tasks)))
    return measured(made, rows)


def _ipc(kernel: str, base: NDArray[np.int64]) -> RunResult:
    made = job(kernel=kernel, instrument="ipc")
    rows = []
    for number, metric in enumerate(("semaphore", "mutex", "queue", "pipe", "signal")):
        for core, share in (("linux", 2), ("thread", 9)):
            rows.append(
                (
                    Row.of_job(made, metric, core=core),
                    Series(base // share + number * 90),
                )
            )
    return measured(made, rows)


def _throughput(kernel: str, cpus: int) -> RunResult:
    made = job(kernel=kernel, cpus=cpus, instrument="index")
    cost = {"preempt-rt": 0.8, "lowlatency": 0.93}.get(kernel, 1.0)
    rows = [
        (
            Row.of_job(made, metric, tasks=cpus, value=value * cost * cpus**0.9, unit=unit),
            None,
        )
        for metric, (value, unit) in TESTS.items()
    ]
    return measured(made, rows)


def _noise(kernel: str, seed: int) -> RunResult:
    made = job(kernel=kernel, instrument="noise", target="local", clock=Clock.REAL)
    rng = np.random.default_rng(seed)
    gaps = (1000 + rng.exponential(900, 300)).astype(np.int64)
    extra = {
        "threshold_ns": 1000,
        "spun_ns": 10**9,
        "gap_ns": int(gaps.sum()),
        "steal_ns": 0,
    }
    return measured(made, [(Row.of_job(made, "noise", extra=extra), Series(gaps))])


def save(folder: Path, results: Sequence[RunResult]) -> list[Path]:
    return [write(folder, each) for each in results]


def renamed(results: Sequence[RunResult], kernel: str) -> list[RunResult]:
    """The same results, as if of another kernel."""
    return [
        replace(
            each,
            job=replace(each.job, kernel=kernel),
            rows=tuple(replace(row, kernel=kernel) for row in each.rows),
        )
        for each in results
    ]
