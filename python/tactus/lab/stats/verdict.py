# SPDX-License-Identifier: LGPL-2.1-or-later
"""Is a deadline met with a probability? Yes, no, or not enough data and how much would be enough.

Observations come first: latencies that missed the deadline more often than the probability allows
need no model. Then comes the extreme-value estimate, if there is one. Without a model, only
counting is left: after n independent releases without a miss, the probability of a miss is below
ln(20)/n (95 %).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy import stats

from tactus.lab.model import Clock, Row, Series
from tactus.lab.stats import gpd
from tactus.lab.stats.extremes import CONFIDENCE, Estimate, Refusal, estimate
from tactus.measure.units import prose_time


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    NOT_ENOUGH = "not enough data"


@dataclass(frozen=True, slots=True)
class Question:
    period_ns: int
    deadline_ns: int
    probability: float
    confidence: float = CONFIDENCE


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """For one row."""

    row: Row
    answer: Answer
    why: str
    needed: int | None
    """The total number of samples that would probably answer the question; None: it is answered."""
    misses: int
    estimate: Estimate

    @property
    def needed_s(self) -> float | None:
        return None if self.needed is None else self.needed * (self.row.period_ns or 0) / 1e9


def judge(row: Row, series: Series, question: Question) -> Verdict:
    values, counts = series.weighted()
    # A sample of a clock with steps may be up to one step longer than its value.
    late = values + (series.resolution_ns - 1) > question.deadline_ns
    misses = int(counts[late].sum()) + row.overruns
    total = series.size + row.overruns
    found = estimate(series, question.probability, question.confidence)

    def say(answer: Answer, why: str, needed: int | None = None) -> Verdict:
        return Verdict(row, answer, why, needed, misses, found)

    risk = 1 - question.confidence
    if misses and float(stats.beta.ppf(risk, misses, total - misses + 1)) > question.probability:
        skipped = f" ({row.overruns} skipped)" if row.overruns else ""
        return say(Answer.NO, f"{misses} of {total} releases{skipped} missed the deadline")
    counted = counting_need(question.probability, misses, risk)
    if total >= counted:
        return say(Answer.YES, f"{misses} of {total} releases missed the deadline")
    if found.level is None:
        return say(
            Answer.NOT_ENOUGH, f"no extrapolation: {found.why}", _without_model(found, counted)
        )
    low, high = found.level.low_ns, found.level.high_ns
    between = f"between {prose_time(low)} and {prose_time(high)}"
    if high <= question.deadline_ns:
        return say(Answer.YES, f"the latency of that probability is {between}")
    if low > question.deadline_ns:
        return say(Answer.NO, f"the latency of that probability is {between}")
    needed = min(counted, _needed(found, question.deadline_ns, total))
    return say(Answer.NOT_ENOUGH, f"the latency of that probability is {between}", needed)


def counting_need(probability: float, misses: int, risk: float) -> int:
    """The number of samples after which so few misses alone would prove the probability."""
    return math.ceil(float(stats.chi2.ppf(1 - risk, 2 * (misses + 1))) / 2 / probability)


def _without_model(found: Estimate, counted: int) -> int:
    from tactus.lab.stats.extremes import SAMPLES_MIN

    return 5 * SAMPLES_MIN if found.refusal is Refusal.FEW else counted


def _needed(found: Estimate, deadline_ns: int, total: int) -> int:
    """The likelihood of a level falls in proportion to the number of samples. So its fall at the
    deadline gives the number that makes the deadline the end of the interval."""
    assert found.excesses is not None and found.fit is not None
    needed_drop = float(stats.chi2.ppf(found.confidence, 1)) / 2
    above = deadline_ns - found.threshold_ns
    if above <= 0:
        return 2 * total
    at_deadline = gpd.profile_of_level(above, found.excesses, found.times)
    drop = max(found.fit.log_likelihood - at_deadline, 1e-6)
    return math.ceil(total * max(needed_drop / drop, 1.0))


def sentence(verdict: Verdict) -> str:
    """One line for people."""
    row = verdict.row
    parts = [row.core, row.context if row.core == "thread" else "", row.load]
    who = " ".join(part for part in [row.kernel, row.instrument, *parts] if part)
    text = f"{who}: {verdict.answer}; {verdict.why}"
    if verdict.needed is not None and verdict.needed_s is not None:
        text += (
            f"; about {verdict.needed:.2g} samples would be enough ({_duration(verdict.needed_s)})"
        )
    if row.clock is Clock.VIRTUAL:
        text += "; in instructions, which say nothing about time on hardware"
    return text


def _duration(seconds: float) -> str:
    for unit, name in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.3g} seconds"
