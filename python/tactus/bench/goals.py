# SPDX-License-Identifier: LGPL-2.1-or-later
"""The goals, as pure functions of the measured rows; docs/spec/bench.md lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tactus.bench.measured import Measured


@dataclass(frozen=True, slots=True)
class Limit:
    """One inequality: the figure of a row must not be above (or below) a number."""

    row: str
    """Its name; `*_NAME` is this row of each skin."""
    figure: str
    """`value`, `ratio` (peer over value), `instructions`, or a figure that the instrument names."""
    bound: float
    text: str
    at_least: bool = False
    of_row: str = ""
    """The figure is divided by the same figure of this row."""
    of_figure: str = ""
    """The figure is divided by this other figure of the same row."""
    otherwise: Limit | None = None
    """A limit that may be met instead."""

    def met(self, rows: Mapping[str, Measured]) -> bool | None:
        """None: a figure that it needs was not measured."""
        met = self._met(rows)
        if met is False and self.otherwise is not None:
            return self.otherwise.met(rows)
        return met

    def _met(self, rows: Mapping[str, Measured]) -> bool | None:
        actual = _figure(rows.get(self.row), self.figure)
        if self.of_row:
            actual = _over(actual, _figure(rows.get(self.of_row), self.figure))
        if self.of_figure:
            actual = _over(actual, _figure(rows.get(self.row), self.of_figure))
        if actual is None:
            return None
        return actual >= self.bound if self.at_least else actual <= self.bound


def _figure(row: Measured | None, name: str) -> float | None:
    if row is None:
        return None
    if name in ("value", "ratio", "instructions"):
        found: float | None = getattr(row, name)
        return found
    return row.figures.get(name)


def _over(a: float | None, b: float | None) -> float | None:
    return None if a is None or not b else a / b


TIMER_ARM_10 = 503
"""Instructions of the row at 0724bf75, by gcc 12: the support for a million must not cost small
numbers more."""

LIMITS: tuple[Limit, ...] = (
    Limit("handoff_sem", "value", 2.6, "time <= 2.6 times that of switch_raw", of_row="switch_raw"),
    Limit("handoff_sem", "ratio", 35, ">= 35 times faster", at_least=True),
    Limit("mutex_uncontended", "instructions", 170, "<= 170 instructions"),
    Limit("timer_arm_10", "instructions", TIMER_ARM_10, f"<= {TIMER_ARM_10} instructions"),
    Limit(
        "timer_arm_1000000",
        "value",
        3,
        "time <= 3 times a random read",
        of_figure="random_read_ns",
    ),
    Limit(
        "timer_arm_1000000",
        "queue_instructions",
        2,
        "instructions <= 2 times those with 10",
        of_row="timer_arm_10",
    ),
    Limit(
        "heap_alloc_free",
        "alloc_worst_instructions",
        4,
        "allocate: worst <= 4 times the median",
        of_figure="alloc_median_instructions",
    ),
    Limit(
        "heap_alloc_free",
        "free_worst_instructions",
        4,
        "free: worst <= 4 times the median",
        of_figure="free_median_instructions",
    ),
    Limit("trace_event", "value", 15, "<= 15 ns"),
    Limit("mode_switch", "ratio", 1 / 1.5, "<= 1.5 times two futex hand-overs", at_least=True),
    Limit("remote_call", "ratio", 1 / 1.5, "<= 1.5 times two futex hand-overs", at_least=True),
    Limit("remote_post", "value", 1000, "<= 1 us"),
    Limit("tasks_100000", "bytes_each", 1024, "<= 1 KiB each beside the stack"),
    Limit("*_handoff", "times_native", 1.1, "<= 1.1 times the native hand-over"),
    Limit("*_give_take", "added_ns", 4, "<= 4 ns more for a call"),
    Limit(
        "wake_task",
        "value",
        100,
        "p50 <= 100 ns, or 1/100 of Linux's",
        otherwise=Limit("wake_task", "ratio", 100, "1/100 of Linux's", at_least=True),
    ),
    Limit("wake_task_computing", "value", 1000, "p50 <= 1 us"),
    Limit("wake_task_computing", "spun_percent", 5, "<= 5 % of the CPU spun away"),
    Limit("wake_10_tasks", "ratio", 3, "p50 of all >= 3 times below Linux's best", at_least=True),
    Limit(
        "wake_10_tasks",
        "peer_p99_ns",
        3,
        "p99 of all >= 3 times below",
        at_least=True,
        of_figure="p99_ns",
    ),
    Limit(
        "wake_10_tasks",
        "least_p50_ratio_of_a_task",
        3,
        "p50 of each task >= 3 times below",
        at_least=True,
    ),
    Limit(
        "wake_10_tasks",
        "least_p99_ratio_of_a_task",
        3,
        "p99 of each task >= 3 times below",
        at_least=True,
    ),
)


def of_row(name: str, limits: Sequence[Limit] = LIMITS) -> list[Limit]:
    return [
        replace(limit, row=name)
        for limit in limits
        if limit.row == name or (limit.row[0] == "*" and name.endswith(limit.row[1:]))
    ]


def goal_text(name: str) -> str | None:
    """The goal of a row; None: it has no goal."""
    return "; ".join(limit.text for limit in of_row(name)) or None


def goal_met(name: str, rows: Mapping[str, Measured]) -> bool | None:
    """False if a limit is missed; None if a limit could not be evaluated, or if there is none."""
    answers = [limit.met(rows) for limit in of_row(name)]
    if False in answers:
        return False
    return None if None in answers or not answers else True
