# SPDX-License-Identifier: LGPL-2.1-or-later
"""May a tail be extrapolated? Goodness of fit, independence, and one half against the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tactus.lab.stats import gev, gpd

Floats = NDArray[np.float64]

REPLICATES = 199
SIGNIFICANT = 0.001
"""Significance of tests whose failure refuses an answer; each answer has several of them."""
MATERIAL_CORRELATION = 0.1
LAGS = 25
_CHUNK = 2_000_000


@dataclass(frozen=True, slots=True)
class Goodness:
    """Probabilities of a worse fit if the model were true."""

    anderson_darling: float
    cramer_von_mises: float

    @property
    def worst(self) -> float:
        return min(self.anderson_darling, self.cramer_von_mises)


def distances(probabilities: Floats) -> tuple[Floats, Floats]:
    """The distances of each row from the uniform distribution, by Anderson and Darling and by
    Cramér and von Mises."""
    ordered = np.clip(np.sort(probabilities, axis=1), 1e-12, 1 - 1e-12)
    count = ordered.shape[1]
    odd = 2 * np.arange(1, count + 1) - 1
    logs = np.log(ordered) + np.log1p(-ordered[:, ::-1])
    darling = -count - (odd * logs).mean(axis=1)
    mises = ((ordered - odd / (2 * count)) ** 2).sum(axis=1) + 1 / (12 * count)
    return darling, mises


def _goodness(own: Floats, made: Floats) -> Goodness:
    """By parametric bootstrap: parameters are fitted to each replicate as to the samples; otherwise
    the tables of both distances would be wrong."""
    observed, replicated = distances(own), distances(made)
    shares = [
        (1 + int((b >= a[0]).sum())) / (1 + len(b))
        for a, b in zip(observed, replicated, strict=True)
    ]
    return Goodness(*shares)


def pareto_goodness(excesses: Floats, fitted: gpd.Fit, rng: np.random.Generator) -> Goodness:
    count = len(excesses)
    made = []
    step = max(1, _CHUNK // count)
    for start in range(0, REPLICATES, step):
        size = (min(step, REPLICATES - start), count)
        drawn = stats.genpareto.rvs(fitted.shape, scale=fitted.scale, size=size, random_state=rng)
        scale, shape, _ = gpd.fit_many(drawn)
        made.append(gpd.cdf(drawn, scale[:, None], shape[:, None]))
    own = gpd.cdf(excesses[None, :], fitted.scale, fitted.shape)
    return _goodness(own, np.concatenate(made))


def maxima_goodness(maxima: Floats, rng: np.random.Generator) -> Goodness:
    location, scale, shape = gev.moments_many(maxima[None, :])
    drawn = stats.genextreme.rvs(
        -shape[0], location[0], scale[0], size=(REPLICATES, len(maxima)), random_state=rng
    )
    fitted = [parameter[:, None] for parameter in gev.moments_many(drawn)]
    own = gev.cdf(maxima[None, :], location[:, None], scale[:, None], shape[:, None])
    return _goodness(own, gev.cdf(drawn, *fitted))


def autocorrelation(values: Floats, lags: int = LAGS) -> Floats:
    """At distances of 1 to `lags`; empty for values that are all the same."""
    lags = min(lags, len(values) // 4)
    centred = values - values.mean()
    variance = float(centred @ centred)
    if variance == 0 or lags < 1:
        return np.zeros(0)
    return np.array([centred[:-lag] @ centred[lag:] for lag in range(1, lags + 1)]) / variance


def ljung_box(values: Floats, lags: int = LAGS) -> tuple[float, float, int]:
    """Significance of any correlation, the largest one, and its lag."""
    found = autocorrelation(values, lags)
    if len(found) == 0:
        return 1.0, 0.0, 0
    count = len(values)
    steps = np.arange(1, len(found) + 1)
    statistic = count * (count + 2) * float((found**2 / (count - steps)).sum())
    at = int(np.abs(found).argmax())
    return float(stats.chi2.sf(statistic, len(found))), float(found[at]), at + 1


def extremal_index(above: NDArray[np.bool_], rng: np.random.Generator) -> tuple[float, float]:
    """1 if exceedances come alone, 1/c if they come in clusters of c, and its upper 97.5 % bound:
    the intervals estimator (C. Ferro, J. Segers, J. R. Statist. Soc. B 65(2), 2003)."""
    gaps = np.diff(np.flatnonzero(above)).astype(np.float64)
    if len(gaps) < 2:
        return 1.0, 1.0
    drawn = rng.choice(gaps, size=(REPLICATES, len(gaps)))
    values = _intervals(np.concatenate([gaps[None, :], drawn]))
    return float(values[0]), float(np.quantile(values[1:], 0.975))


def _intervals(gaps: Floats) -> Floats:
    count = gaps.shape[1]
    longer = gaps.max(axis=1) > 2
    plain = 2 * gaps.sum(axis=1) ** 2 / (count * np.maximum((gaps**2).sum(axis=1), 1))
    inner = 2 * (gaps - 1).sum(axis=1) ** 2
    other = inner / np.maximum(count * ((gaps - 1) * (gaps - 2)).sum(axis=1), 1)
    return np.asarray(np.minimum(1.0, np.where(longer, other, plain)))


def correlation(values: Floats, above: NDArray[np.bool_], rng: np.random.Generator) -> str | None:
    """Why the samples are not independent enough, or None. The whole is tested by ranks, so that a
    few huge values do not hide a correlation; the exceedances are also tested alone, because only
    their clusters matter."""
    chance, size, lag = ljung_box(np.asarray(stats.rankdata(values)))
    if chance < SIGNIFICANT and abs(size) > MATERIAL_CORRELATION:
        return f"samples are correlated ({size:+.2f} at a distance of {lag})"
    chance, size, lag = ljung_box(above.astype(np.float64))
    if chance < SIGNIFICANT and abs(size) > MATERIAL_CORRELATION:
        return f"long latencies are correlated ({size:+.2f} at a distance of {lag})"
    index, bound = extremal_index(above, rng)
    if bound < 0.9:
        return f"long latencies come in clusters of {1 / index:.1f}"
    return None


def halves(values: Floats, share: float, confidence: float) -> str | None:
    """Why a fit on one half of the time does not cover the other half, or None."""
    middle = len(values) // 2
    parts = (values[:middle], values[middle:])
    names = ("first", "second")
    for own, other in ((0, 1), (1, 0)):
        threshold = float(np.quantile(parts[own], 1 - share))
        mine = parts[own][parts[own] > threshold] - threshold
        theirs = parts[other][parts[other] > threshold] - threshold
        table = [[len(mine), len(theirs)], [len(parts[0]) - len(mine), middle - len(theirs)]]
        if stats.fisher_exact(np.maximum(table, 0)).pvalue < SIGNIFICANT:
            return (
                f"the {names[other]} half of the run exceeds {threshold:.0f} ns {len(theirs)} "
                f"times, the {names[own]} half {len(mine)} times"
            )
        if len(theirs) and stats.ks_2samp(mine, theirs).pvalue < SIGNIFICANT:
            return "the long latencies of the two halves of the run are distributed differently"
        fitted = gpd.fit(mine)
        # Not reached in this many releases with a probability of 99 %, at the end of the interval.
        times = share * len(parts[other]) / 0.01
        _, bound = gpd.level_interval(fitted, mine, max(times, 2.0), confidence)
        highest = float(theirs.max(initial=0.0))
        if highest > bound:
            return (
                f"the {names[other]} half of the run reaches {threshold + highest:.0f} ns, the "
                f"{names[own]} half predicts no more than {math.ceil(threshold + bound)} ns"
            )
    return None
