# SPDX-License-Identifier: LGPL-2.1-or-later
"""The machine's own noise: the gaps in a loop that only reads the clock on the CPU in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tactus.measure import statistics
from tactus.measure.instruments import Output

WORST = 50


@dataclass(frozen=True, slots=True)
class Noise:
    """Under one load."""

    threshold_ns: int
    spun_ns: int
    gaps: int
    gap_ns: int
    max_gap_ns: int
    steal_ns: int | None
    details: dict[str, Any]

    @property
    def gaps_per_s(self) -> float:
        return self.gaps / (self.spun_ns / 1e9) if self.spun_ns else 0.0

    @property
    def share(self) -> float:
        """The share of the observed time that was taken from the loop."""
        return self.gap_ns / self.spun_ns if self.spun_ns else 0.0


def combine(outputs: Sequence[Output]) -> Noise:
    gaps = np.concatenate([o.records["latency_ns"].astype(np.int64) for o in outputs])
    times = np.concatenate([o.records["release_ns"].astype(np.int64) for o in outputs])
    results = [o.result for o in outputs]
    steals = [r["steal_ns"] for r in results]
    return Noise(
        threshold_ns=max(r["threshold_ns"] for r in results),
        spun_ns=sum(r["spun_ns"] for r in results),
        gaps=len(gaps),
        gap_ns=int(gaps.sum()),
        max_gap_ns=int(gaps.max(initial=0)),
        steal_ns=None if None in steals else sum(steals),
        details={
            "p50_ns": statistics.percentile(gaps, 500),
            "p99_ns": statistics.percentile(gaps, 990),
            "histogram": statistics.histogram_json(gaps),
            "worst": statistics.worst(times, gaps, np.zeros_like(gaps), WORST),
        },
    )


def as_json(cpu: int, by_load: Mapping[str, Noise]) -> dict[str, Any]:
    """The `noise` of the JSON: the worst over all loads, and each load."""
    return {
        "cpu": cpu,
        "threshold_ns": max((n.threshold_ns for n in by_load.values()), default=0),
        "max_gap_ns": max((n.max_gap_ns for n in by_load.values()), default=0),
        "by_load": {
            load: {
                "spun_ns": n.spun_ns,
                "gaps": n.gaps,
                "gaps_per_s": round(n.gaps_per_s, 1),
                "gap_ns": n.gap_ns,
                "gap_share": round(n.share, 6),
                "max_gap_ns": n.max_gap_ns,
                "steal_ns": n.steal_ns,
                **n.details,
            }
            for load, n in by_load.items()
        },
    }
