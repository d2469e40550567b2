# SPDX-License-Identifier: LGPL-2.1-or-later
"""The generalised Pareto distribution of excesses over a threshold.

Fits many samples at once, as the bootstrap needs it, by the profile likelihood in one parameter of
S. D. Grimshaw, "Computing maximum likelihood estimates for the generalized Pareto distribution",
Technometrics 35(2), 1993. Intervals of a level are by its profile likelihood as in S. Coles, "An
Introduction to Statistical Modeling of Extreme Values" (2001), 4.3.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Floats = NDArray[np.float64]

SHAPE_LOW, SHAPE_HIGH = -1.0, 1.5
"""Below -1 the likelihood has no maximum; no latency was ever seen above 1.5."""
_GRID = np.concatenate(
    [-1.0 + np.geomspace(1e-5, 0.99, 24), [1e-3, 1e-2], np.geomspace(3e-2, 6.0, 18)]
)
_REFINED = 9
_ROUNDS = 3
_ZERO = 1e-9
_SHAPES = np.linspace(SHAPE_LOW, SHAPE_HIGH, 251)


@dataclass(frozen=True, slots=True)
class Fit:
    scale: float
    shape: float
    log_likelihood: float


def fit_many(excesses: Floats) -> tuple[Floats, Floats, Floats]:
    """Scale, shape and log-likelihood of each row of `excesses` (all positive)."""
    count = excesses.shape[1]
    highest = excesses.max(axis=1, keepdims=True)
    means = excesses.mean(axis=1, keepdims=True)
    # The grid of ratio = shape/scale: negative ones end at -1/highest, positive ones are 2^shape -
    # 1 over the median.
    ratios = np.where(_GRID < 0, _GRID / highest, _GRID / np.median(excesses, axis=1)[:, None])
    for _ in range(_ROUNDS):
        shapes, values = _profile(ratios, excesses)
        best = np.clip(values.argmax(axis=1), 1, ratios.shape[1] - 2)
        rows = np.arange(len(ratios))
        low, high = ratios[rows, best - 1], ratios[rows, best + 1]
        steps = np.linspace(0.0, 1.0, _REFINED)
        ratios = low[:, None] + (high - low)[:, None] * steps
    shapes, values = _profile(ratios, excesses)
    best = values.argmax(axis=1)
    rows = np.arange(len(ratios))
    shape, ratio, value = shapes[rows, best], ratios[rows, best], values[rows, best]
    scale = np.where(np.abs(shape) > _ZERO, shape / np.where(ratio == 0, 1.0, ratio), means[:, 0])
    # At the bound of the shape the distribution is uniform up to the highest sample.
    uniform = -count * np.log(highest[:, 0])
    at_bound = ~np.isfinite(value) | (uniform > value)
    return (
        np.where(at_bound, highest[:, 0], scale),
        np.where(at_bound, SHAPE_LOW, shape),
        np.where(at_bound, uniform, value),
    )


def _profile(ratios: Floats, excesses: Floats) -> tuple[Floats, Floats]:
    """The best shape and the log-likelihood for each ratio."""
    count = excesses.shape[1]
    shapes = np.empty_like(ratios)
    for index in range(ratios.shape[1]):
        with np.errstate(divide="ignore", invalid="ignore"):
            shapes[:, index] = np.log1p(ratios[:, index, None] * excesses).mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        flat = np.abs(shapes) < _ZERO
        scales = np.where(flat, excesses.mean(axis=1, keepdims=True), shapes / ratios)
        values = -count * (np.log(scales) + shapes + 1)
    allowed = np.isfinite(values) & (shapes >= SHAPE_LOW) & (shapes <= SHAPE_HIGH)
    return shapes, np.where(allowed, values, -np.inf)


def fit(excesses: Floats) -> Fit:
    scale, shape, value = fit_many(excesses[None, :])
    return Fit(float(scale[0]), float(shape[0]), float(value[0]))


def cdf(excesses: Floats, scale: Floats | float, shape: Floats | float) -> Floats:
    return np.asarray(stats.genpareto.cdf(excesses, shape, scale=scale))


def growth(shape: float | Floats, times: float) -> Floats:
    """(times^shape - 1) / shape, log(times) at shape 0: the level in units of the scale that is
    exceeded `times` less often than the threshold."""
    shape = np.asarray(shape, dtype=np.float64)
    logged = math.log(times)
    safe = np.where(np.abs(shape) < _ZERO, 1.0, shape)
    return np.where(np.abs(shape) < _ZERO, logged, np.expm1(shape * logged) / safe)


def profile_of_level(level: float, excesses: Floats, times: float) -> float:
    """The highest log-likelihood with this level above the threshold (exceeded `times` less often
    than the threshold)."""
    values = _level_values(_SHAPES, level, excesses, times)
    best = int(values.argmax())
    low, high = _SHAPES[max(best - 1, 0)], _SHAPES[min(best + 1, len(_SHAPES) - 1)]
    finer = _level_values(np.linspace(low, high, 41), level, excesses, times)
    return float(max(values[best], finer.max()))


def _level_values(shapes: Floats, level: float, excesses: Floats, times: float) -> Floats:
    scales = level / growth(shapes, times)
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = np.log1p((shapes / scales)[:, None] * excesses).sum(axis=1)
        flat = np.abs(shapes) < _ZERO
        safe = np.where(flat, 1.0, shapes)
        tails = np.where(flat, excesses.sum() / scales, (1 + 1 / safe) * sums)
        values = -len(excesses) * np.log(scales) - tails
    return np.where(np.isfinite(values), values, -np.inf)


def level_interval(
    fitted: Fit, excesses: Floats, times: float, confidence: float
) -> tuple[float, float]:
    """The levels whose profile likelihood is close enough to the best."""
    drop = stats.chi2.ppf(confidence, 1) / 2
    best = fitted.scale * float(growth(fitted.shape, times))

    def beyond(level: float) -> float:
        return profile_of_level(level, excesses, times) - fitted.log_likelihood + float(drop)

    return (_crossing(beyond, best, 0.8), _crossing(beyond, best, 1.3))


def _crossing(beyond: Callable[[float], float], best: float, factor: float) -> float:
    """Where the function falls below 0, at growing distances from `best`."""
    inside, outside = best, best * factor
    for _ in range(200):
        if beyond(outside) < 0:
            return float(optimize.brentq(beyond, inside, outside, rtol=1e-6))
        inside, outside = outside, outside * factor
    return outside
