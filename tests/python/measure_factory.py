# SPDX-License-Identifier: LGPL-2.1-or-later
"""Results of made-up runs for the tests of measure: outputs in the form of the instruments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tactus.measure import noise, results, samples
from tactus.measure.instruments import Output
from tactus.measure.plan import LINUX, LINUX_SPIN, THREAD, Setup
from tactus.measure.results import Result
from tactus.measure.session import Measurement

PERIOD_NS = 1_000_000


def output(latencies_ns: Sequence[int], tasks: int = 1, overruns: int = 0) -> Output:
    """A round of `tasks` tasks that had the latencies in turn."""
    count = len(latencies_ns)
    records = np.zeros(count, dtype=samples.RECORD)
    records["latency_ns"] = latencies_ns
    records["task"] = np.arange(count) % tasks
    records["release_ns"] = np.arange(count) // tasks * PERIOD_NS
    records["overruns"][:1] = overruns
    duration_ns = max(1, count // tasks) * PERIOD_NS
    result: dict[str, Any] = {
        "samples": count,
        "duration_ns": duration_ns,
        "wall_ns": duration_ns,
        "cpu_ns": duration_ns // 10,
        "spun_ns": duration_ns // 50,
        "notices": [],
        "task_set": [{"period_ns": PERIOD_NS, "offset_ns": 0, "work_ns": 0}] * tasks,
    }
    return Output(result, records)


def noise_output(gaps_ns: Sequence[int], steal_ns: int | None = 0) -> Output:
    records = np.zeros(len(gaps_ns), dtype=samples.RECORD)
    records["latency_ns"] = gaps_ns
    records["release_ns"] = np.arange(len(gaps_ns)) * PERIOD_NS
    facts = {
        "gaps": len(gaps_ns),
        "threshold_ns": 1000,
        "spun_ns": 10**9,
        "steal_ns": steal_ns,
    }
    return Output(facts, records)


LEAD_US = 50.0
"""The gravity of Tactus, unless a test gives another one."""


def setup(core: str, load: str = "idle", tasks: int = 1, lead_us: float = 0) -> Setup:
    idle = "sleep" if core == LINUX else "hybrid"
    same = core == LINUX_SPIN and lead_us == LEAD_US
    return Setup(core, "task", tasks, load, idle, PERIOD_NS / 1000, lead_us, same_lead=same)


def run(
    core: str,
    p50_ns: int,
    tail_ns: int,
    *,
    load: str = "idle",
    tasks: int = 1,
    lead_us: float = 0,
    failure: str | None = None,
) -> Result:
    """2000 samples: 97 of 100 at p50_ns, the others at tail_ns."""
    latencies = ([p50_ns] * 97 + [tail_ns] * 3) * 20
    return results.combine(setup(core, load, tasks, lead_us), [output(latencies, tasks)], failure)


def measurement(*runs: Result, max_gap_ns: int = 5000) -> Measurement:
    loads = dict.fromkeys(r.setup.load for r in runs)
    return Measurement(
        runs,
        {load: noise.combine([noise_output([2000, max_gap_ns])]) for load in loads},
    )


def usual() -> Measurement:
    """Both loads, one task and ten, all cores; Tactus is better."""
    runs = [
        r
        for load in ("idle", "cpu")
        for tasks in (1, 10)
        for r in (
            run(LINUX, 40_123, 98_765, load=load, tasks=tasks),
            run(LINUX_SPIN, 20_000, 90_000, load=load, tasks=tasks, lead_us=25),
            run(LINUX_SPIN, 30, 60_000, load=load, tasks=tasks, lead_us=50),
            run(THREAD, 45, 2_100, load=load, tasks=tasks),
        )
    ]
    return measurement(*runs)
