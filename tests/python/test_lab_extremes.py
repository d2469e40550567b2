# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rare latencies: intervals cover the truth of known distributions, and bad samples are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tactus.lab.model import Series
from tactus.lab.stats import checks, gev, gpd
from tactus.lab.stats.extremes import Refusal, estimate

Floats = NDArray[np.float64]
P = 1e-9
# name: distribution, and how many of 20 intervals of 95 % must cover its level: 16 or more have a
# probability of 99.7 %. The tails of normal and uniform only approach the model's.
KNOWN = {
    "exponential": (stats.expon(5000, 1000), 16),
    "pareto, heavy": (stats.genpareto(0.2, 5000, 1000), 16),
    "pareto, bounded": (stats.genpareto(-0.2, 5000, 1000), 16),
    "extreme value": (stats.genextreme(-0.1, 5000, 1000), 16),
    "gumbel": (stats.gumbel_r(5000, 1000), 16),
    "normal": (stats.norm(10_000, 1000), 13),
    "uniform": (stats.uniform(5000, 4000), 13),
}


def series(values: Floats, resolution_ns: int = 1) -> Series:
    stepped = np.floor(values / resolution_ns).astype(np.int64) * resolution_ns
    return Series(stepped, None, resolution_ns)


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_interval_covers_the_true_level(name: str) -> None:
    distribution, least = KNOWN[name]
    true = float(distribution.isf(P))
    covered = refused = 0
    for seed in range(20):
        drawn = distribution.rvs(4000, random_state=np.random.default_rng([3, seed]))
        found = estimate(series(drawn))
        if found.level is None:
            refused += 1
            continue
        assert found.level.low_ns <= found.level.value_ns <= found.level.high_ns
        covered += found.level.low_ns <= true <= found.level.high_ns
    assert refused <= 3, f"{refused} of 20 refused"
    assert covered >= least - refused, f"{covered} of {20 - refused} intervals cover {true:.0f}"


@pytest.mark.parametrize("shape", [-0.3, 0.0, 0.3])
def test_fit_agrees_with_another_implementation(shape: float) -> None:
    """SciPy's fit searches in two dimensions from its own start."""
    drawn = stats.genpareto.rvs(shape, scale=700, size=800, random_state=4)
    own = gpd.fit(drawn)
    other = stats.genpareto.fit(drawn, 0.1, floc=0)
    likelihood = stats.genpareto.logpdf(drawn, *other).sum()
    assert own.log_likelihood >= likelihood - 0.01
    assert own.shape == pytest.approx(other[0], abs=0.01)
    assert own.scale == pytest.approx(other[2], rel=0.01)
    maxima = stats.genextreme.rvs(-shape, 5000, 300, size=300, random_state=5)
    block = gev.fit(maxima)
    reference = stats.genextreme.fit(maxima, -shape, loc=5000, scale=300)
    assert block.log_likelihood >= stats.genextreme.logpdf(maxima, *reference).sum() - 0.01
    assert block.shape == pytest.approx(-reference[0], abs=0.01)


def test_interval_ends_where_the_likelihood_has_fallen() -> None:
    drawn = stats.genpareto.rvs(0.1, scale=700, size=300, random_state=4)
    own = gpd.fit(drawn)
    for confidence in (0.9, 0.99):
        for edge in gpd.level_interval(own, drawn, 1e6, confidence):
            fallen = own.log_likelihood - gpd.profile_of_level(edge, drawn, 1e6)
            assert 2 * fallen == pytest.approx(stats.chi2.ppf(confidence, 1), rel=0.01)


def test_goodness_of_fit_is_uniform_under_the_model() -> None:
    rng = np.random.default_rng(6)
    chances = []
    for _ in range(60):
        drawn = stats.genpareto.rvs(0.1, scale=500, size=150, random_state=rng)
        chances.append(checks.pareto_goodness(drawn, gpd.fit(drawn), rng).anderson_darling)
    assert stats.kstest(chances, "uniform").pvalue > 0.001


def test_goodness_of_fit_sees_a_wrong_model() -> None:
    rng = np.random.default_rng(7)
    drawn = np.concatenate([rng.exponential(100, 300), 5000 + rng.normal(0, 50, 100)])
    assert checks.pareto_goodness(drawn, gpd.fit(drawn), rng).worst < 0.02


def refusal(values: Floats, resolution_ns: int = 1) -> Refusal | None:
    return estimate(series(values, resolution_ns)).refusal


def autoregressive(factor: float, rng: np.random.Generator) -> Floats:
    values = np.zeros(4000)
    for index in range(1, 4000):
        values[index] = factor * values[index - 1] + rng.normal()
    return 10_000 + 1000 * values


@pytest.mark.parametrize("factor", [0.2, 0.5, 0.9, -0.5])
def test_correlated_samples_are_refused(factor: float) -> None:
    values = autoregressive(factor, np.random.default_rng(1))
    assert refusal(values) is Refusal.CORRELATED


def test_periodic_samples_are_refused() -> None:
    rng = np.random.default_rng(1)
    values = 5000 + rng.exponential(300, 4000) + 4000 * (np.arange(4000) % 10 == 0)
    assert refusal(values) is Refusal.CORRELATED


def test_bursts_of_long_latencies_are_refused() -> None:
    rng = np.random.default_rng(1)
    values = 5000 + rng.exponential(300, 4000)
    for start in rng.integers(0, 3990, 40):
        values[start : start + 6] += rng.exponential(5000)
    assert refusal(values) is Refusal.CORRELATED


def spikes(rng: np.random.Generator) -> Floats:
    values = rng.normal(10_000, 500, 4000)
    values[rng.random(4000) < 0.0015] += 100_000
    return values


def drift(rng: np.random.Generator) -> Floats:
    return np.asarray(5000 + rng.exponential(1000, 4000) * np.linspace(1, 1.6, 4000))


def late_cause(rng: np.random.Generator) -> Floats:
    values = 5000 + rng.exponential(1000, 4000)
    values[2000::40] += 20_000 + rng.exponential(1000, 50)
    return values


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (spikes, {Refusal.MISFIT, Refusal.DISAGREE}),
        (drift, {Refusal.HALVES, Refusal.CORRELATED}),
        (late_cause, {Refusal.HALVES, Refusal.CORRELATED, Refusal.MISFIT}),
    ],
)
def test_tail_of_several_causes_is_refused(
    make: Callable[[np.random.Generator], Floats], expected: set[Refusal]
) -> None:
    for seed in range(8):
        assert refusal(make(np.random.default_rng(seed))) in expected


def test_half_that_does_not_cover_the_other_is_refused() -> None:
    rng = np.random.default_rng(2)
    values = 5000 + rng.exponential(1000, 4000)
    assert checks.halves(values, 0.1, 0.99) is None
    values[3100] = 200_000
    assert "predicts no more than" in (checks.halves(values, 0.1, 0.99) or "")


def test_few_constant_and_stepped_samples_are_refused() -> None:
    rng = np.random.default_rng(2)
    assert refusal(rng.exponential(1000, 599)) is Refusal.FEW
    assert refusal(np.full(4000, 9120.0)) is Refusal.DISCRETE
    assert refusal((9000 + 13 * rng.integers(0, 8, 4000)).astype(np.float64)) is Refusal.DISCRETE
    assert refusal(rng.exponential(2000, 4000), 1000) in (None, Refusal.DISCRETE)
    assert refusal(rng.exponential(300, 4000), 1000) is Refusal.DISCRETE


def test_instruction_counts_with_ties_are_no_misfit() -> None:
    """Virtual time gives whole numbers, many of them several times."""
    fitted = 0
    for seed in range(10):
        values = 9000 + np.random.default_rng(seed).exponential(40, 4000)
        found = estimate(series(values))
        if found.level is not None:
            fitted += 1
            assert found.level.low_ns < 9000 - 40 * np.log(P) + 40
    assert fitted >= 8


def test_microsecond_steps_widen_but_do_not_move_the_answer() -> None:
    drawn = 20_000 + np.random.default_rng(5).exponential(8000, 8000)
    fine, coarse = estimate(series(drawn)).level, estimate(series(drawn, 1000)).level
    assert fine is not None and coarse is not None
    assert coarse.value_ns == pytest.approx(fine.value_ns, rel=0.25)


def test_histogram_without_order_is_refused() -> None:
    counts = np.arange(100, 0, -1, dtype=np.int64)
    found = estimate(Series(np.arange(100) * 10, counts))
    assert found.refusal is Refusal.UNORDERED


def test_same_samples_give_the_same_answer() -> None:
    values = series(5000 + np.random.default_rng(9).exponential(1000, 3000))
    assert estimate(values).level == estimate(values).level


@pytest.mark.slow
def test_more_samples_narrow_the_interval() -> None:
    widths = []
    for count in (2000, 50_000):
        levels = []
        for seed in range(4):
            drawn = stats.genpareto.rvs(-0.1, 5000, 1000, size=count, random_state=seed)
            levels.append(estimate(series(drawn)).level)
        widths.append(np.median([found.high_ns - found.low_ns for found in levels if found]))
    assert widths[1] < 0.6 * widths[0]
