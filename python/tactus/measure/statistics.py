# SPDX-License-Identifier: LGPL-2.1-or-later
"""From samples to figures. Pure functions; nothing is trimmed, and an unknown figure is None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram
from numpy.typing import NDArray

Nanoseconds = NDArray[np.int64]

SAMPLES_BEYOND = 10
"""A percentile with fewer samples beyond it is chance, and is not given."""
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
    return _percentile(*_counted(values_ns), per_mille)


def _percentile(values_ns: Nanoseconds, counts: Nanoseconds, per_mille: int) -> int | None:
    ranks = np.cumsum(counts)
    total = int(ranks[-1]) if len(ranks) else 0
    rank = -(-total * per_mille // 1000)
    if rank < 1 or total - rank < SAMPLES_BEYOND:
        return None
    return int(values_ns[np.searchsorted(ranks, rank)])


def _counted(values_ns: Nanoseconds) -> tuple[Nanoseconds, Nanoseconds]:
    values, counts = np.unique(values_ns, return_counts=True)
    return values, counts.astype(np.int64)


def summarize(values_ns: Nanoseconds) -> Summary:
    return summarize_counts(*_counted(values_ns))


def summarize_counts(values_ns: Nanoseconds, counts: Nanoseconds) -> Summary:
    """From different values in ascending order, and the count of each."""
    total = int(counts.sum())
    if total == 0:
        return Summary(0, 0, None, None, None, None, None, None)
    return Summary(
        samples=total,
        early=int(counts[values_ns < 0].sum()),
        min_ns=int(values_ns[0]),
        avg_ns=round(float(np.dot(values_ns.astype(np.float64), counts)) / total, 1),
        p50_ns=_percentile(values_ns, counts, 500),
        p99_ns=_percentile(values_ns, counts, 990),
        p999_ns=_percentile(values_ns, counts, 999),
        max_ns=int(values_ns[-1]),
    )


def hdr_histogram(values_ns: Nanoseconds) -> HdrHistogram:
    """All values from 0 on; early ones (below 0) are counted separately."""
    return _hdr_histogram(*_counted(values_ns))


def _hdr_histogram(values_ns: Nanoseconds, counts: Nanoseconds) -> HdrHistogram:
    histogram = HdrHistogram(1, HIGHEST_NS, SIGNIFICANT_DIGITS)
    kept = values_ns >= 0
    for value, count in zip(values_ns[kept].tolist(), counts[kept].tolist(), strict=True):
        if not histogram.record_value(value, count):
            raise StatisticsError(f"a latency of {value} ns is longer than an hour")
    if histogram.total_count != counts[kept].sum():
        raise StatisticsError("the histogram lost samples")
    return histogram


def log_bins(values_ns: Nanoseconds) -> list[list[int]]:
    """[from_ns, below_ns, count] for readers without an HdrHistogram library; values below 1 ns in
    a first bin [0, 1)."""
    return _log_bins(*_counted(values_ns))


def _log_bins(values_ns: Nanoseconds, counts: Nanoseconds) -> list[list[int]]:
    values, weights = values_ns[values_ns >= 0], counts[values_ns >= 0]
    if len(values) == 0:
        return []
    decades = int(np.ceil(np.log10(max(int(values.max()), 1) + 1)))
    raw = np.power(10.0, np.arange(decades * BINS_PER_DECADE + 1) / BINS_PER_DECADE)
    edges = np.unique(np.concatenate([[0], np.ceil(raw).astype(np.int64)]))
    if edges[-1] <= values.max():
        edges = np.append(edges, values.max() + 1)
    # Each value's bin is the last edge that is not above it.
    sums = np.zeros(len(edges), dtype=np.int64)
    np.add.at(sums, np.searchsorted(edges, values, side="right") - 1, weights)
    rows = zip(edges[:-1].tolist(), edges[1:].tolist(), sums[:-1].tolist(), strict=True)
    return [[low, high, count] for low, high, count in rows if count]


def histogram_json(values_ns: Nanoseconds) -> dict[str, Any]:
    """The histogram in the form of the JSON (docs/spec/measure.md)."""
    return histogram_json_counts(*_counted(values_ns))


def histogram_json_counts(values_ns: Nanoseconds, counts: Nanoseconds) -> dict[str, Any]:
    """From different values in ascending order, and the count of each."""
    return {
        "encoding": "HdrHistogram V2 compressed, base64",
        "significant_digits": SIGNIFICANT_DIGITS,
        "highest_ns": HIGHEST_NS,
        "early": int(counts[values_ns < 0].sum()),
        "bins": _log_bins(values_ns, counts),
        "data": _hdr_histogram(values_ns, counts).encode().decode("ascii"),
    }


def worst(times_ns: Nanoseconds, values_ns: Nanoseconds, tasks: Nanoseconds, count: int) -> Any:
    """[time_ns, latency_ns, task] of the `count` longest latencies, in order of time."""
    chosen = np.sort(np.argsort(values_ns, kind="stable")[-count:])
    rows = np.stack([times_ns[chosen], values_ns[chosen], tasks[chosen]], axis=1)
    return sorted(rows.tolist())


def timeline(times_ns: Nanoseconds, values_ns: Nanoseconds, span_ns: int, bins: int) -> list[int]:
    """The longest latency in each of `bins` equal parts of the run; -1: no release was in it."""
    result = np.full(bins, -1, dtype=np.int64)
    index = np.minimum(times_ns * bins // max(span_ns, 1), bins - 1)
    np.maximum.at(result, index, values_ns)
    return [int(value) for value in result]
