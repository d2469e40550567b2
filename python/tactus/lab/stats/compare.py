# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two sets of results, row by row: which differences are real?

The tests are permutation tests without simulation. The number of samples of A above a level of both
together has, over all permutations, a hypergeometric distribution (the quantile test: R. A.
Johnson, S. Verrill, D. H. Moore, Biometrics 43(3), 1987). With that level at the median and at the
99th percentile, and Mann and Whitney's test of the whole, a row has three tests. Holm's correction
over all of them keeps the probability of even one wrong claim at 5 %. The size of a difference has
an interval from a bootstrap in blocks, which serial correlation does not narrow. A difference is
real only if that interval also excludes 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tactus.lab.model import Clock, Row, Series
from tactus.lab.results.folder import Measured
from tactus.lab.stats import checks

Floats = NDArray[np.float64]

SIGNIFICANT = 0.05
_DRAWS_MAX, _DRAWS_MIN, _WORK = 400, 100, 3_000_000
_BY_COUNTS = 50_000
"""From this number of samples on, blocks of raw samples are too slow; counts are drawn instead."""


@dataclass(frozen=True, slots=True)
class Difference:
    """B against A in one respect."""

    what: str
    """`p50`, `p99`, `all` (the probability that a sample of B is longer) or the unit of a
    number."""
    a: float
    b: float
    low: float
    high: float
    """Interval of b - a (for `all`: of the probability)."""
    chance: float
    """Probability of such a difference by chance, corrected for the number of tests."""
    real: bool

    @property
    def ratio(self) -> float | None:
        return self.b / self.a if self.a else None


@dataclass(frozen=True, slots=True)
class Comparison:
    row: Row
    identical: bool
    differences: tuple[Difference, ...]
    note: str = ""

    @property
    def real(self) -> bool:
        return any(d.real for d in self.differences)


@dataclass(frozen=True, slots=True)
class Compared:
    rows: tuple[Comparison, ...]
    only_a: tuple[Row, ...]
    only_b: tuple[Row, ...]


def compare(a: Iterable[Measured], b: Iterable[Measured], seed: int = 0) -> Compared:
    """Rows with the same key are compared; several runs of one are put together."""
    left, right = _grouped(a), _grouped(b)
    rng = np.random.default_rng(seed)
    shared = [key for key in left if key in right]
    made = [_row(left[key], right[key], rng) for key in shared]
    return Compared(
        tuple(_corrected(made)),
        tuple(left[key][0].row for key in left if key not in right),
        tuple(right[key][0].row for key in right if key not in left),
    )


def _grouped(rows: Iterable[Measured]) -> dict[tuple[str, ...], list[Measured]]:
    groups: dict[tuple[str, ...], list[Measured]] = defaultdict(list)
    for measured in rows:
        groups[measured.row.key()].append(measured)
    return groups


def _row(a: Sequence[Measured], b: Sequence[Measured], rng: np.random.Generator) -> Comparison:
    row = a[0].row
    if row.value is not None:
        return _numbers(row, [m.row.value or 0.0 for m in a], [m.row.value or 0.0 for m in b])
    one, two = _joined(a), _joined(b)
    if one is None or two is None:
        return Comparison(row, False, (), "no samples on one side")
    (va, ca), (vb, cb) = one.weighted(), two.weighted()
    if np.array_equal(va, vb) and np.array_equal(ca, cb):
        return Comparison(row, True, ())
    values, inverse = np.unique(np.concatenate([va, vb]), return_inverse=True)
    counts_a: Floats = np.bincount(inverse[: len(va)], ca, len(values)).astype(np.float64)
    counts_b: Floats = np.bincount(inverse[len(va) :], cb, len(values)).astype(np.float64)
    drawn_a, drawn_b = _bootstrap(one, rng), _bootstrap(two, rng)
    found = [_superiority(counts_a, counts_b, max(_inflation(one), _inflation(two)))]
    for column, (name, share) in enumerate((("p50", 0.5), ("p99", 0.99))):
        chance = _quantile_test(counts_a, counts_b, share)
        spread = drawn_b[:, column] - drawn_a[:, column]
        low, high = np.quantile(spread, [0.025, 0.975])
        at_a, at_b = (_quantile(v, c, share) for v, c in ((va, ca), (vb, cb)))
        step = max(row.resolution_ns, b[0].row.resolution_ns)
        real = (low > 0 or high < 0) and abs(at_b - at_a) >= step
        found.append(Difference(name, at_a, at_b, float(low), float(high), chance, real))
    return Comparison(row, False, tuple(found))


def _numbers(row: Row, a: Sequence[float], b: Sequence[float]) -> Comparison:
    """Single numbers (an index): a test if both sides have several, otherwise only their ratio."""
    at_a, at_b = float(np.median(a)), float(np.median(b))
    if list(a) == list(b):
        return Comparison(row, True, ())
    if min(len(a), len(b)) < 3:
        exact = row.clock is Clock.VIRTUAL
        note = "" if exact else "fewer than three runs on a side: no test is possible"
        gap = at_b - at_a
        chance = 0.0 if exact else 1.0
        return Comparison(
            row, False, (Difference(row.unit, at_a, at_b, gap, gap, chance, exact),), note
        )
    found = stats.permutation_test(
        (np.array(a), np.array(b)),
        lambda x, y, axis: np.mean(y, axis=axis) - np.mean(x, axis=axis),
        vectorized=True,
        n_resamples=9999,
        rng=np.random.default_rng(0),
    )
    spread = stats.ttest_ind(b, a, equal_var=False).confidence_interval()
    low, high = float(spread.low), float(spread.high)
    chance = float(found.pvalue)
    return Comparison(row, False, (Difference(row.unit, at_a, at_b, low, high, chance, True),))


def _joined(rows: Sequence[Measured]) -> Series | None:
    all_series = [m.series for m in rows if m.series is not None and m.series.size]
    if not all_series:
        return None
    if all(s.ordered for s in all_series):
        joined = np.concatenate([s.values_ns for s in all_series])
        return Series(joined, None, all_series[0].resolution_ns)
    pairs = [s.weighted() for s in all_series]
    values, counts = (np.concatenate(part) for part in zip(*pairs, strict=True))
    distinct, inverse = np.unique(values, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, inverse, counts)
    return Series(distinct, sums, all_series[0].resolution_ns)


def _quantile(values: NDArray[np.int64], counts: NDArray[np.int64], share: float) -> float:
    ranks = np.cumsum(counts)
    return float(values[np.searchsorted(ranks, np.ceil(share * ranks[-1]))])


def _quantile_test(counts_a: Floats, counts_b: Floats, share: float) -> float:
    """Two-sided. With ties at the level, samples above it are counted, which stays exact."""
    both = np.cumsum(counts_a + counts_b)
    at = int(np.searchsorted(both, share * both[-1]))
    above_a, above_b = int(counts_a[at + 1 :].sum()), int(counts_b[at + 1 :].sum())
    total, size_b = int(both[-1]), int(counts_b.sum())
    spread = stats.hypergeom(total, above_a + above_b, size_b)
    return float(min(1.0, 2 * min(spread.cdf(above_b), spread.sf(above_b - 1))))


def _superiority(counts_a: Floats, counts_b: Floats, inflation: float) -> Difference:
    """Mann and Whitney's test from counts, with the correction for ties. The effect is the
    probability that a sample of B is longer than one of A; ties count half."""
    size_a, size_b = counts_a.sum(), counts_b.sum()
    below_a = np.cumsum(counts_a) - counts_a / 2
    chance_longer = float((counts_b * below_a).sum() / (size_a * size_b))
    total = size_a + size_b
    ties = ((counts_a + counts_b) ** 3 - (counts_a + counts_b)).sum()
    variance = (total + 1 - ties / (total * (total - 1))) / (12 * size_a * size_b)
    spread = float(np.sqrt(max(variance * inflation, 1e-30)))
    significance = 2 * float(stats.norm.sf(abs(chance_longer - 0.5) / spread))
    edges = (chance_longer - 1.96 * spread, chance_longer + 1.96 * spread)
    # A test of thousands of samples detects differences that do not matter.
    material = abs(chance_longer - 0.5) > 0.02
    return Difference("all", 0.5, chance_longer, *edges, significance, material)


def _inflation(series: Series) -> float:
    """The factor by which the mean rank varies more than that of independent samples would."""
    if not series.ordered or series.size < 100:
        return 1.0
    ranks = np.asarray(stats.rankdata(series.values_ns), dtype=np.float64)
    found = checks.autocorrelation(ranks)
    return max(1.0, 1.0 + 2.0 * float(found[np.abs(found) > 3 / np.sqrt(series.size)].sum()))


def _bootstrap(series: Series, rng: np.random.Generator) -> Floats:
    """p50 and p99 of replicates, one per line."""
    size = series.size
    draws = int(np.clip(_WORK // size, _DRAWS_MIN, _DRAWS_MAX))
    if not series.ordered or size > _BY_COUNTS:
        values, counts = series.weighted()
        drawn = np.cumsum(rng.multinomial(size, counts / size, size=draws), axis=1)
        at = [(drawn >= np.ceil(q * size)).argmax(axis=1) for q in (0.5, 0.99)]
        return np.stack([values[index] for index in at], axis=1).astype(np.float64)
    block = max(1, round(2 * size ** (1 / 3)))
    starts = rng.integers(0, max(1, size - block + 1), size=(draws, -(-size // block)))
    index = (starts[:, :, None] + np.arange(block)).reshape(draws, -1)[:, :size]
    ranks = [int(np.ceil(q * size)) - 1 for q in (0.5, 0.99)]
    drawn_values = np.partition(series.values_ns[index], ranks, axis=1)
    return drawn_values[:, ranks].astype(np.float64)


def _corrected(rows: Sequence[Comparison]) -> list[Comparison]:
    """Holm's correction over all tests of all rows."""
    flat = [(i, j) for i, row in enumerate(rows) for j in range(len(row.differences))]
    flat.sort(key=lambda at: rows[at[0]].differences[at[1]].chance)
    lists = [list(row.differences) for row in rows]
    highest = 0.0
    for rank, (i, j) in enumerate(flat):
        one = lists[i][j]
        highest = max(highest, min(1.0, one.chance * (len(flat) - rank)))
        lists[i][j] = replace(one, chance=highest, real=one.real and highest < SIGNIFICANT)
    return [replace(row, differences=tuple(own)) for row, own in zip(rows, lists, strict=True)]
