# SPDX-License-Identifier: LGPL-2.1-or-later
"""From samples to figures. Pure functions; nothing is trimmed, and what cannot be said is None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram
from numpy.typing import NDArray

Nanoseconds = NDArray[np.int64]

SAMPLES_BEYOND = 10
"""A percentile with fewer samples beyond it is chance and is not given."""
HIGHEST_NS = 3600 * 10**9
SIGNIFICANT_DIGITS = 3
BINS_PER_DECADE = 10


class StatisticsError(Exception):
    """The samples cannot be represented without loss."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of one distribution."""

    samples: int
    early: int
    min_ns: int | None
    avg_ns: float | None
    p50_ns: int | None
    p99_ns: int | None
    p999_ns: int | None
    max_ns: int | None


def percentile(values_ns: Nanoseconds, per_mille: int) -> int | None:
    """The smallest sample that at least per_mille/1000 of all samples do not exceed, or None with
    fewer than SAMPLES_BEYOND samples beyond its rank."""
    count = len(values_ns)
    rank = -(-count * per_mille // 1000)
    if rank < 1 or count - rank < SAMPLES_BEYOND:
        return None
    return int(np.partition(values_ns, rank - 1)[rank - 1])


def summarize(values_ns: Nanoseconds) -> Summary:
    if len(values_ns) == 0:
        return Summary(0, 0, None, None, None, None, None, None)
    return Summary(
        samples=len(values_ns),
        early=int(np.count_nonzero(values_ns < 0)),
        min_ns=int(values_ns.min()),
        avg_ns=round(float(values_ns.mean()), 1),
        p50_ns=percentile(values_ns, 500),
        p99_ns=percentile(values_ns, 990),
        p999_ns=percentile(values_ns, 999),
        max_ns=int(values_ns.max()),
    )


def hdr_histogram(values_ns: Nanoseconds) -> HdrHistogram:
    """All values from 0 on; early ones (below 0) are counted beside it."""
    histogram = HdrHistogram(1, HIGHEST_NS, SIGNIFICANT_DIGITS)
    values, counts = np.unique(values_ns[values_ns >= 0], return_counts=True)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        if not histogram.record_value(value, count):
            raise StatisticsError(f"a latency of {value} ns is longer than an hour")
    if histogram.total_count != np.count_nonzero(values_ns >= 0):
        raise StatisticsError("the histogram lost samples")
    return histogram


def log_bins(values_ns: Nanoseconds) -> list[list[int]]:
    """[from_ns, below_ns, count] for readers without an HdrHistogram library; values below 1 ns in
    a first bin [0, 1)."""
    values = values_ns[values_ns >= 0]
    if len(values) == 0:
        return []
    decades = int(np.ceil(np.log10(max(int(values.max()), 1) + 1)))
    raw = np.power(10.0, np.arange(decades * BINS_PER_DECADE + 1) / BINS_PER_DECADE)
    edges = np.unique(np.concatenate([[0], np.ceil(raw).astype(np.int64)]))
    if edges[-1] <= values.max():
        edges = np.append(edges, values.max() + 1)
    # numpy's last bin is closed; an edge of its own above the maximum makes it like the others.
    counts, _ = np.histogram(values, bins=np.append(edges, edges[-1] + 1))
    rows = zip(edges[:-1].tolist(), edges[1:].tolist(), counts[:-1].tolist(), strict=True)
    return [[low, high, count] for low, high, count in rows if count]


def histogram_json(values_ns: Nanoseconds) -> dict[str, Any]:
    """The histogram as it stands in the JSON (docs/spec/measure.md)."""
    encoded = hdr_histogram(values_ns).encode()
    return {
        "encoding": "HdrHistogram V2 compressed, base64",
        "significant_digits": SIGNIFICANT_DIGITS,
        "highest_ns": HIGHEST_NS,
        "early": int(np.count_nonzero(values_ns < 0)),
        "bins": log_bins(values_ns),
        "data": encoded.decode("ascii"),
    }


def worst(times_ns: Nanoseconds, values_ns: Nanoseconds, tasks: Nanoseconds, count: int) -> Any:
    """[time_ns, latency_ns, task] of the `count` longest latencies, in order of time."""
    chosen = np.sort(np.argsort(values_ns, kind="stable")[-count:])
    rows = np.stack([times_ns[chosen], values_ns[chosen], tasks[chosen]], axis=1)
    return sorted(rows.tolist())


def timeline(times_ns: Nanoseconds, values_ns: Nanoseconds, span_ns: int, bins: int) -> list[int]:
    """The longest latency in each of `bins` equal parts of the run; -1 where no release was."""
    result = np.full(bins, -1, dtype=np.int64)
    index = np.minimum(times_ns * bins // max(span_ns, 1), bins - 1)
    np.maximum.at(result, index, values_ns)
    return [int(value) for value in result]
