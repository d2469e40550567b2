# SPDX-License-Identifier: LGPL-2.1-or-later
"""The latency exceeded once in so many releases, with its interval, or why it is unknown.

Peaks over threshold give the answer, and block maxima must not contradict it. The threshold is the
lowest of a few whose excesses the model fits (sequential goodness of fit: B. Bader, J. Yan, X.
Zhang, Annals of Applied Statistics 12(1), 2018). An extrapolation is worthless if its conditions do
not hold, so each condition is tested, and a failed test is an answer, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tactus.lab.model import Series
from tactus.lab.stats import checks, gev, gpd
from tactus.lab.stats.checks import Goodness

Floats = NDArray[np.float64]

PROBABILITY = 1e-9
CONFIDENCE = 0.95
SAMPLES_MIN = 600
"""Fewer samples have no tail to fit."""
EXCESSES_MIN, EXCESSES_MAX = 60, 4000
SHARE_MAX = 0.1
DISTINCT_MIN = 10
FITS = 0.05
SHAPE_MAX = 0.9
BLOCKS_MIN, BLOCKS_MAX, BLOCK_MIN = 30, 400, 40


class Refusal(StrEnum):
    FEW = "too few samples"
    UNORDERED = "the order of the samples is not known"
    DISCRETE = "too few different values"
    CORRELATED = "samples are correlated"
    MISFIT = "no extreme-value model fits"
    HALVES = "the halves of the run contradict each other"
    DISAGREE = "block maxima contradict peaks over threshold"


@dataclass(frozen=True, slots=True)
class Level:
    """A level, and the interval that contains it with the requested confidence."""

    value_ns: float
    low_ns: float
    high_ns: float


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The latency that a release exceeds with `probability`."""

    probability: float
    confidence: float
    samples: int
    refusal: Refusal | None = None
    why: str = ""
    """The refusal in words, with its figures."""
    level: Level | None = None
    block_level: Level | None = None
    threshold_ns: float = 0.0
    excesses: Floats | None = None
    fit: gpd.Fit | None = None
    goodness: Goodness | None = None
    block_goodness: Goodness | None = None
    extremal_index: float | None = None

    @property
    def times(self) -> float:
        """How much rarer than the threshold the level is exceeded."""
        count = 0 if self.excesses is None else len(self.excesses)
        return count / self.samples / self.probability


def estimate(
    series: Series,
    probability: float = PROBABILITY,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> Estimate:
    """The answer for the samples of a row; the same samples give the same answer."""
    if not 0 < probability < 1 or not 0.5 <= confidence < 1:
        raise ValueError("a probability is between 0 and 1, a confidence from 0.5 to below 1")
    rng = np.random.default_rng(seed)

    def no(refusal: Refusal, why: str) -> Estimate:
        return Estimate(probability, confidence, series.size, refusal, why)

    if series.size < SAMPLES_MIN:
        return no(Refusal.FEW, f"{series.size} samples; a tail needs at least {SAMPLES_MIN}")
    if not series.ordered:
        return no(Refusal.UNORDERED, "a histogram cannot show whether samples are correlated")
    tail = np.sort(series.values_ns)[-max(EXCESSES_MIN, int(SHARE_MAX * series.size)) :]
    distinct = len(np.unique(tail))
    if distinct < DISTINCT_MIN:
        return no(Refusal.DISCRETE, f"the longest {len(tail)} samples have only {distinct} values")
    # A clock's step is spread evenly: otherwise ties alone would refute any model.
    values = series.values_ns + rng.random(series.size) * series.resolution_ns
    above = values > np.quantile(values, 1 - SHARE_MAX)
    correlated = checks.correlation(values, above, rng)
    if correlated:
        return no(Refusal.CORRELATED, correlated)
    return _fitted(values, series.resolution_ns, probability, confidence, rng)


def _fitted(
    values: Floats, step_ns: int, probability: float, confidence: float, rng: np.random.Generator
) -> Estimate:
    def no(refusal: Refusal, why: str) -> Estimate:
        return Estimate(probability, confidence, len(values), refusal, why)

    tried = _threshold(values, probability, rng)
    threshold, excesses, fitted, goodness = tried
    if goodness.worst < FITS:
        return no(
            Refusal.MISFIT,
            f"the best fit, above {threshold:.0f} ns, would be worse by chance in "
            f"{goodness.worst:.1%} of cases only",
        )
    if fitted.shape > SHAPE_MAX:
        return no(
            Refusal.MISFIT,
            f"the best fit has the shape {fitted.shape:.2f}, a tail without a mean: there are "
            "rare latencies of another cause, too few to fit",
        )
    if step_ns > 2 * fitted.scale:
        return no(Refusal.DISCRETE, f"steps of {step_ns} ns are too coarse for this tail")
    share = max(len(excesses) / len(values), 2 * EXCESSES_MIN / len(values))
    against = checks.halves(values, min(share, SHARE_MAX), 0.99)
    if against:
        return no(Refusal.HALVES, against)
    level = _level(values, threshold, excesses, fitted, probability, confidence)
    maxima, block = _maxima(values)
    block_fit = gev.fit(maxima)
    block_level = Level(
        gev.level(block_fit, block, probability),
        *gev.level_interval(block_fit, maxima, block, probability, confidence),
    )
    if block_level.low_ns > level.high_ns or block_level.high_ns < level.low_ns:
        return no(
            Refusal.DISAGREE,
            f"block maxima say {block_level.low_ns:.0f} to {block_level.high_ns:.0f} ns, peaks "
            f"over threshold {level.low_ns:.0f} to {level.high_ns:.0f} ns",
        )
    return Estimate(
        probability,
        confidence,
        len(values),
        level=level,
        block_level=block_level,
        threshold_ns=threshold,
        excesses=excesses,
        fit=fitted,
        goodness=goodness,
        block_goodness=checks.maxima_goodness(maxima, rng),
        extremal_index=checks.extremal_index(values > threshold, rng)[0],
    )


def _threshold(
    values: Floats, probability: float, rng: np.random.Generator
) -> tuple[float, Floats, gpd.Fit, Goodness]:
    """The lowest threshold that fits; if none does, the one that fits best."""
    ordered = np.sort(values)
    count = min(int(SHARE_MAX * len(values)), EXCESSES_MAX)
    best: tuple[float, Floats, gpd.Fit, Goodness] | None = None
    while best is None or count >= EXCESSES_MIN:
        # Between two samples, so that no excess is zero.
        threshold = float((ordered[-count - 1] + ordered[-count]) / 2)
        excesses = ordered[-count:] - threshold
        fitted = gpd.fit(excesses)
        goodness = checks.pareto_goodness(excesses, fitted, rng)
        if best is None or goodness.worst > best[3].worst:
            best = (threshold, excesses, fitted, goodness)
        if goodness.worst >= 2 * FITS or count / len(values) < 2 * probability:
            break
        count //= 2
    return best


def _level(
    values: Floats,
    threshold: float,
    excesses: Floats,
    fitted: gpd.Fit,
    probability: float,
    confidence: float,
) -> Level:
    """The interval also contains that of half as many excesses. A tail that only approaches the
    model (as a normal one does, slowly) moves it, which is a part of the uncertainty."""
    times = len(excesses) / len(values) / probability
    best = fitted.scale * float(gpd.growth(fitted.shape, times))
    low, high = gpd.level_interval(fitted, excesses, times, confidence)
    found = Level(threshold + best, threshold + low, threshold + high)
    count = len(excesses) // 2
    if count < EXCESSES_MIN or times <= 2:
        return found
    higher = threshold + float(np.sort(excesses)[-count - 1 : -count + 1].mean())
    fewer = values[values > higher] - higher
    low, high = gpd.level_interval(gpd.fit(fewer), fewer, times / 2, confidence)
    return replace(
        found, low_ns=min(found.low_ns, higher + low), high_ns=max(found.high_ns, higher + high)
    )


def _maxima(values: Floats) -> tuple[Floats, int]:
    blocks = min(max(len(values) // BLOCK_MIN, BLOCKS_MIN), BLOCKS_MAX)
    block = len(values) // blocks
    return values[: blocks * block].reshape(blocks, block).max(axis=1), block
