# SPDX-License-Identifier: LGPL-2.1-or-later
"""Figures of measure against independent implementations: a sorted list, numpy, HdrHistogram."""

from __future__ import annotations

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram

from tactus.measure import statistics
from tactus.measure.statistics import Nanoseconds

RANDOM = np.random.default_rng(20261)
SHAPES: dict[str, Nanoseconds] = {
    "log-normal": RANDOM.lognormal(7, 2, 20_011).astype(np.int64),
    "mostly zero": np.where(RANDOM.random(12_345) < 0.9, 0, 50_000).astype(np.int64),
    "two humps": np.concatenate([np.full(9_990, 12), np.full(3_000, 8_000_000)]).astype(np.int64),
    "some early": RANDOM.integers(-20, 2_000, 11_001),
}


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("per_mille", [500, 990, 999])
def test_percentile_is_that_of_a_sorted_list_and_of_numpy(
    values: Nanoseconds, per_mille: int
) -> None:
    found = statistics.percentile(values, per_mille)
    by_hand = sorted(values.tolist())[(len(values) * per_mille + 999) // 1000 - 1]
    by_numpy = np.percentile(values, per_mille / 10, method="inverted_cdf")
    assert found == by_hand == int(by_numpy)


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("per_mille", [500, 990, 999])
def test_histogram_agrees_with_the_samples_to_three_digits(
    values: Nanoseconds, per_mille: int
) -> None:
    not_early = values[values >= 0]
    exact = statistics.percentile(not_early, per_mille)
    assert exact is not None
    coarse = statistics.hdr_histogram(values).get_value_at_percentile(per_mille / 10)
    assert coarse == pytest.approx(exact, rel=1e-3, abs=1)


@pytest.mark.parametrize(("per_mille", "fewest"), [(500, 20), (990, 1000), (999, 10_000)])
def test_percentile_needs_ten_samples_beyond_it(per_mille: int, fewest: int) -> None:
    assert statistics.percentile(np.arange(fewest - 1), per_mille) is None
    assert statistics.percentile(np.arange(fewest), per_mille) == fewest * per_mille // 1000 - 1


def test_summary_of_nothing_has_no_figures() -> None:
    summary = statistics.summarize(np.array([], dtype=np.int64))
    assert (summary.samples, summary.min_ns, summary.avg_ns, summary.max_ns) == (
        0,
        None,
        None,
        None,
    )


def test_early_starts_are_counted_and_stay_in_minimum_and_average() -> None:
    summary = statistics.summarize(np.array([-30, -10, 100], dtype=np.int64))
    assert (summary.early, summary.min_ns, summary.avg_ns, summary.max_ns) == (
        2,
        -30,
        20.0,
        100,
    )


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES.keys())
def test_histogram_in_json_holds_every_sample(values: Nanoseconds) -> None:
    entry = statistics.histogram_json(values)
    decoded = HdrHistogram.decode(entry["data"].encode("ascii"))
    assert decoded.total_count + entry["early"] == len(values)
    assert sum(count for *_, count in entry["bins"]) + entry["early"] == len(values)


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES.keys())
def test_bins_count_what_lies_in_them(values: Nanoseconds) -> None:
    for low, high, count in statistics.log_bins(values):
        assert count == int(((values >= low) & (values < high)).sum())


@pytest.mark.parametrize("value", [0, 1, 9, 10, 999, 1000, 10**9, statistics.HIGHEST_NS])
def test_single_values_fall_into_one_bin(value: int) -> None:
    ((low, high, count),) = statistics.log_bins(np.array([value], dtype=np.int64))
    assert low <= value < high
    assert count == 1


def test_latency_beyond_the_histogram_is_refused_not_dropped() -> None:
    with pytest.raises(statistics.StatisticsError, match="longer than an hour"):
        statistics.hdr_histogram(np.array([1, 2 * statistics.HIGHEST_NS], dtype=np.int64))


def test_worst_samples_come_in_order_of_time() -> None:
    times = np.array([10, 20, 30, 40], dtype=np.int64)
    latencies = np.array([500, 1, 900, 700], dtype=np.int64)
    tasks = np.array([0, 1, 2, 3], dtype=np.int64)
    assert statistics.worst(times, latencies, tasks, 3) == [
        [10, 500, 0],
        [30, 900, 2],
        [40, 700, 3],
    ]


def test_timeline_keeps_the_maximum_of_each_part() -> None:
    times = np.array([0, 1, 49, 50, 99], dtype=np.int64)
    latencies = np.array([3, 8, 5, 2, 7], dtype=np.int64)
    assert statistics.timeline(times, latencies, 100, 4) == [8, 5, 2, 7]
    assert statistics.timeline(times[:1], latencies[:1], 100, 4) == [3, -1, -1, -1]
