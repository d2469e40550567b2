# SPDX-License-Identifier: LGPL-2.1-or-later
"""Verdicts about deadlines, and comparisons of result sets."""

from __future__ import annotations

from dataclasses import replace

import lab_factory as factory
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tactus.lab.model import Clock, Row, RunResult, measured
from tactus.lab.results.folder import Loaded, Measured
from tactus.lab.stats import compare as comparing
from tactus.lab.stats.compare import Compared, compare
from tactus.lab.stats.verdict import (
    Answer,
    Question,
    Verdict,
    counting_need,
    judge,
    sentence,
)


def judged(
    values: NDArray[np.float64], deadline_ns: int, p: float = 1e-9, overruns: int = 0
) -> Verdict:
    run = factory.result(values.astype(np.int64), clock=Clock.REAL)
    assert run.series[0] is not None
    row = replace(run.rows[0], overruns=overruns)
    return judge(row, run.series[0], Question(1_000_000, deadline_ns, p))


def bounded(seed: int = 1, count: int = 4000) -> NDArray[np.float64]:
    return np.asarray(stats.genpareto.rvs(-0.2, 5000, 1000, size=count, random_state=seed))


def test_clear_cases_are_yes_and_no() -> None:
    assert judged(bounded(), 30_000).answer is Answer.YES
    assert judged(bounded(), 8000).answer is Answer.NO
    assert judged(bounded(), 9600).answer is not Answer.YES


def test_one_miss_refutes_a_small_probability_without_a_model() -> None:
    values = bounded()
    values[17] = 400_000
    found = judged(values, 100_000)
    assert (found.answer, found.misses) == (Answer.NO, 1)
    assert "1 of 4000 releases" in found.why


def test_skipped_releases_are_misses() -> None:
    found = judged(bounded(), 30_000, overruns=2)
    assert (found.answer, found.misses) == (Answer.NO, 2)


def test_probability_that_counting_proves_needs_no_model() -> None:
    constant = np.full(4000, 9000.0)
    assert judged(constant, 10_000, 1e-3).answer is Answer.YES
    assert counting_need(1e-9, 0, 0.05) == pytest.approx(2.9957e9, rel=1e-4)


def test_not_enough_data_says_how_much_would_be() -> None:
    heavy = stats.genpareto.rvs(0.1, 5000, 1000, size=1500, random_state=2)
    true = float(stats.genpareto.isf(1e-9, 0.1, 5000, 1000))
    found = judged(heavy, int(true * 1.6))
    assert found.answer is Answer.NOT_ENOUGH
    assert found.needed is not None and 1500 < found.needed < 3e9
    more = stats.genpareto.rvs(0.1, 5000, 1000, size=4 * found.needed, random_state=8)
    assert judged(more, int(true * 1.6)).answer is not Answer.NO
    refused = judged(np.full(4000, 9000.0), 100_000)
    assert refused.answer is Answer.NOT_ENOUGH
    assert refused.needed == counting_need(1e-9, 0, 0.05)
    assert "34.7 days" in sentence(refused)


@pytest.mark.slow
def test_yes_is_rarely_wrong() -> None:
    """The deadline is just below the true level: at most one in forty intervals may be below it."""
    true = float(stats.genpareto.isf(1e-9, -0.1, 5000, 1000))
    wrong = 0
    for seed in range(30):
        drawn = stats.genpareto.rvs(-0.1, 5000, 1000, size=4000, random_state=100 + seed)
        wrong += judged(drawn, int(true * 0.999)).answer is Answer.YES
    assert wrong <= 4


def test_virtual_time_is_said_to_be_no_statement_about_hardware() -> None:
    run = factory.result(bounded().astype(np.int64))
    assert run.series[0] is not None
    found = judge(run.rows[0], run.series[0], Question(1_000_000, 30_000, 1e-9))
    assert "instructions" in sentence(found)


def rows(*runs: RunResult) -> list[Measured]:
    return Loaded(tuple(runs), (), ()).rows()


def latencies(seed: int, scale: float = 1.0) -> list[Measured]:
    """Twelve rows."""
    return rows(
        *(
            factory.result(
                (factory.latencies(kernel, load, 4000, seed) * scale).astype(np.int64),
                kernel=kernel,
                load=load,
            )
            for kernel in factory.KERNELS
            for load in factory.LOADS
        )
    )


def real(found: Compared) -> int:
    return sum(row.real for row in found.rows)


@pytest.mark.slow
def test_equal_distributions_rarely_differ_and_equal_samples_never() -> None:
    claims = [real(compare(latencies(seed), latencies(seed + 50))) for seed in range(6)]
    assert sum(claim > 0 for claim in claims) <= 1
    found = compare(latencies(1), latencies(1))
    assert all(row.identical for row in found.rows)


def test_every_real_difference_is_found_with_its_size() -> None:
    found = compare(latencies(1), latencies(2, 1.05))
    assert real(found) == 12
    for row in found.rows:
        median = next(d for d in row.differences if d.what == "p50")
        assert median.real and median.low <= median.b - median.a <= median.high
        assert median.ratio == pytest.approx(1.05, abs=0.02)


def test_difference_of_the_tail_alone_is_found() -> None:
    rng = np.random.default_rng(1)
    one, two = rng.normal(9000, 300, 4000), rng.normal(9000, 300, 4000)
    two[::50] += 40_000
    found = compare(rows(factory.result(one)), rows(factory.result(two))).rows[0]
    assert [d.what for d in found.differences if d.real] == ["p99"]


def test_correlated_samples_do_not_make_a_difference_real() -> None:
    def walk(seed: int) -> NDArray[np.float64]:
        rng = np.random.default_rng(seed)
        values = np.zeros(4000)
        for index in range(1, 4000):
            values[index] = 0.9 * values[index - 1] + rng.normal()
        return 9000 + 300 * values

    claims = 0
    for seed in range(10):
        one, two = (rows(factory.result(walk(s))) for s in (seed, seed + 100))
        claims += real(compare(one, two))
    assert claims <= 2


def test_quantile_test_is_the_permutation_test() -> None:
    """Against real shuffling."""
    rng = np.random.default_rng(4)
    one, two = rng.integers(0, 40, 60), rng.integers(4, 44, 60)
    both = np.concatenate([one, two])
    values, inverse = np.unique(both, return_inverse=True)
    counted = [
        np.bincount(part, minlength=len(values)).astype(float)
        for part in (inverse[:60], inverse[60:])
    ]
    exact = comparing._quantile_test(counted[0], counted[1], 0.5)
    level = np.sort(both)[59]
    own = (two > level).sum()
    shuffled = np.array([(rng.permutation(both)[60:] > level).sum() for _ in range(20_000)])
    simulated = 2 * min((shuffled >= own).mean(), (shuffled <= own).mean())
    assert exact == pytest.approx(min(1.0, simulated), abs=0.01)


def test_rows_of_one_side_are_listed_and_steps_are_no_difference() -> None:
    found = compare(latencies(1)[:6], latencies(1)[3:])
    assert (len(found.rows), len(found.only_a), len(found.only_b)) == (3, 3, 6)


def test_single_numbers_of_real_time_are_no_test() -> None:
    def index(value: float, clock: Clock) -> list[Measured]:
        job = factory.job(instrument="throughput", clock=clock)
        return rows(measured(job, [(Row.of_job(job, "index", value=value, unit="index"), None)]))

    alone = compare(index(100, Clock.REAL), index(140, Clock.REAL)).rows[0]
    assert not alone.real and "three runs" in alone.note
    assert compare(index(100, Clock.VIRTUAL), index(140, Clock.VIRTUAL)).rows[0].real
    few, many = (
        [m for v in vs for m in index(v, Clock.REAL)] for vs in ((1, 2, 3, 2, 1), (8, 9, 8, 7, 9))
    )
    assert compare(few, many).rows[0].real
