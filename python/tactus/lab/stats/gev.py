# SPDX-License-Identifier: LGPL-2.1-or-later
"""The generalised extreme value distribution of block maxima.

Start values and the fits of the bootstrap are by probability-weighted moments: J. R. M. Hosking, J.
R. Wallis, E. F. Wood, Technometrics 27(3), 1985. SciPy's shape has the opposite sign of the one
here (positive: heavy tail), which is that of the generalised Pareto distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

Floats = NDArray[np.float64]


_IMPOSSIBLE = 1e12
"""Replaces infinity, with which the search cannot calculate."""


@dataclass(frozen=True, slots=True)
class Fit:
    location: float
    scale: float
    shape: float
    log_likelihood: float


def moments_many(maxima: Floats) -> tuple[Floats, Floats, Floats]:
    """Location, scale and shape of each row of `maxima` from its first three moments."""
    ordered = np.sort(maxima, axis=1)
    count = ordered.shape[1]
    ranks = np.arange(count)
    first = ordered.mean(axis=1)
    second = (ordered * ranks / (count - 1)).mean(axis=1)
    third = (ordered * ranks * (ranks - 1) / ((count - 1) * (count - 2))).mean(axis=1)
    spread = 2 * second - first
    with np.errstate(divide="ignore", invalid="ignore"):
        c = spread / (3 * third - first) - math.log(2) / math.log(3)
        k = 7.8590 * c + 2.9554 * c * c
        k = np.where(np.abs(k) < 1e-6, 1e-6, np.clip(k, -0.9, 2.0))
        gamma = special.gamma(1 + k)
        scale = spread * k / (gamma * (1 - 2.0**-k))
    return first + scale * (gamma - 1) / k, scale, -k


def cdf(maxima: Floats, location: Floats, scale: Floats, shape: Floats) -> Floats:
    return np.asarray(stats.genextreme.cdf(maxima, -shape, loc=location, scale=scale))


def _negative(location: float, scale: float, shape: float, maxima: Floats) -> float:
    """Minus the log-likelihood; infinite outside of the support."""
    if scale <= 0 or not -1 <= shape <= 1.5:
        return math.inf
    z = (maxima - location) / scale
    if abs(shape) < 1e-9:
        return float(len(z) * math.log(scale) + z.sum() + np.exp(-np.clip(z, -700, None)).sum())
    inner = 1 + shape * z
    if inner.min() <= 0:
        return math.inf
    logs = np.log(inner)
    with np.errstate(over="ignore"):
        total = len(z) * math.log(scale) + (1 + 1 / shape) * logs.sum()
        return float(total + np.exp(-logs / shape).sum())


def fit(maxima: Floats) -> Fit:
    location, scale, shape = (float(v[0]) for v in moments_many(maxima[None, :]))
    unit = scale if scale > 0 else float(maxima.std()) or 1.0
    shift = float(maxima.mean())
    scaled = (maxima - shift) / unit
    found = optimize.minimize(
        lambda p: _negative(p[0], math.exp(p[1]), p[2], scaled),
        [(location - shift) / unit, 0.0, max(min(shape, 0.5), -0.3)],
        method="Nelder-Mead",
        options={"maxiter": 2000, "xatol": 1e-6, "fatol": 1e-8},
    )
    own = -float(found.fun) - len(maxima) * math.log(unit)
    return Fit(found.x[0] * unit + shift, math.exp(found.x[1]) * unit, float(found.x[2]), own)


def _reduced(block: int, probability: float) -> float:
    """-log of the probability that a whole block stays below a level exceeded with
    `probability`."""
    return -block * math.log1p(-probability)


def _offset(shape: float, reduced: float) -> float:
    """The level above the location, in units of the scale."""
    logged = -math.log(reduced)
    return logged if abs(shape) < 1e-9 else math.expm1(shape * logged) / shape


def level(fitted: Fit, block: int, probability: float) -> float:
    """The value that one sample exceeds with this probability."""
    return fitted.location + fitted.scale * _offset(fitted.shape, _reduced(block, probability))


def level_interval(
    fitted: Fit, maxima: Floats, block: int, probability: float, confidence: float
) -> tuple[float, float]:
    """By the profile likelihood of the level."""
    drop = stats.chi2.ppf(confidence, 1) / 2
    reduced = _reduced(block, probability)
    unit, shift = fitted.scale, fitted.location
    best = (level(fitted, block, probability) - shift) / unit
    scaled = (maxima - shift) / unit
    top = fitted.log_likelihood + len(maxima) * math.log(unit)
    known: dict[float, tuple[float, Floats]] = {best: (drop, np.array([0.0, fitted.shape]))}

    def beyond(height: float) -> float:
        """Started from the nearest known level, the search stays on the best ridge."""
        if height not in known:
            near = known[min(known, key=lambda other: abs(other - height))][1]
            found = optimize.minimize(
                lambda p: _constrained(height, p[0], p[1], reduced, scaled),
                _feasible(height, near, reduced, scaled),
                method="Nelder-Mead",
                options={"maxiter": 600, "xatol": 1e-5, "fatol": 1e-5},
            )
            known[height] = (-float(found.fun) - top + drop, found.x)
        return known[height][0]

    def cross(direction: float) -> float:
        inside, step = best, direction * max(abs(best), 1.0) * 0.1
        for _ in range(80):
            outside = inside + step
            if beyond(outside) < 0:
                return float(optimize.brentq(beyond, inside, outside, rtol=1e-4)) * unit + shift
            inside, step = outside, step * 1.4
        return inside * unit + shift

    return cross(-1.0), cross(1.0)


def _constrained(
    height: float, location: float, shape: float, reduced: float, maxima: Floats
) -> float:
    """_negative() with the scale that has its level at `height`. With location and shape as the
    free parameters, which the maxima determine well, the search is quick at any height."""
    if not -1 <= shape <= 1.5:
        return _IMPOSSIBLE
    scale = (height - location) / _offset(shape, reduced)
    return min(_negative(location, scale, shape, maxima), _IMPOSSIBLE)


def _feasible(height: float, near: Floats, reduced: float, maxima: Floats) -> Floats:
    """`near` or, if it is impossible with this level, the likeliest of a coarse grid."""
    if _constrained(height, near[0], near[1], reduced, maxima) < _IMPOSSIBLE:
        return near
    grid = [(a, b) for a in np.linspace(-2, 2, 17) for b in np.linspace(-0.95, 1.45, 25)]
    return np.array(min(grid, key=lambda p: _constrained(height, p[0], p[1], reduced, maxima)))
