# SPDX-License-Identifier: LGPL-2.1-or-later
"""The result of several repetitions of one measurement: how far figures vary, how often a goal was
met."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from tactus.measure.plan import BUILT_IN, LINUX, LINUX_SPIN, OWN
from tactus.measure.results import Result, best_leads
from tactus.measure.units import plural, time_text

WIDTH = 80
_LAYOUT = "{:<10} {:<7}" + "{:>8}" * 7
_HEAD = (
    _LAYOUT.format("", "", "p50", "", "", "p99", "", "", "max"),
    _LAYOUT.format("core", "context", *("lowest", "median", "highest") * 2, "highest"),
)
MEDIAN_GOAL, TAIL_GOAL = 100, 3
"""A task against a sleeping thread at p50; several tasks against the best peer at p99."""

Repeats = Sequence[Sequence[Result]]


def render(repeats: Repeats) -> str:
    """The table, then how often each goal was met. For the spinning peer, the lead of Tactus and
    the lead that is best over all repetitions."""
    blocks = dict.fromkeys((r.setup.load, r.setup.tasks) for r in repeats[0])
    lines: list[str] = []
    for load, tasks in blocks:
        own = [[r for r in each if _block(r) == (load, tasks)] for each in repeats]
        count = plural(tasks, "task")
        lines += [f"{len(repeats)} repetitions, load {load}, {count}", *_HEAD]
        setups = _setups(own)
        lines += [_row([_same(each, setup) for each in own]) for setup in setups]
        lines += [
            f"  {setup.row}: wakes {time_text(setup.lead_us * 1000)} ahead"
            + (", as Tactus" if setup.same_lead else ", the best of its leads")
            for setup in setups
            if setup.core == LINUX_SPIN
        ]
        lines += [""]
    return "\n".join([*lines, *goals(repeats)])


def _block(result: Result) -> tuple[str, int]:
    return result.setup.load, result.setup.tasks


def _same(results: Iterable[Result], setup: Any) -> Result:
    return next(r for r in results if r.setup == setup)


def _setups(own: Repeats) -> list[Any]:
    """The rows of the table; the best lead has the lowest product of costs."""
    costs = {r.setup: 1.0 for r in own[0]}
    for each in own:
        for result in each:
            costs[result.setup] *= result.cost()
    peers = [setup for setup in costs if setup.core == LINUX_SPIN]
    best = min(peers, key=lambda setup: costs[setup], default=None)
    return [s for s in costs if s.core != LINUX_SPIN or s.same_lead or s == best]


def _row(results: Sequence[Result]) -> str:
    def spread(values: Iterable[int | None]) -> tuple[str, str, str]:
        known = [value for value in values if value is not None]
        if len(known) < len(results):
            return ("–", "–", "–")
        return time_text(min(known)), time_text(statistics.median(known)), time_text(max(known))

    setup = results[0].setup
    return _LAYOUT.format(
        setup.row,
        setup.context,
        *spread(r.summary.p50_ns for r in results),
        *spread(r.summary.p99_ns for r in results),
        spread(r.summary.max_ns for r in results)[2],
    )


def goals(repeats: Repeats) -> list[str]:
    """A line for each block with a task of Tactus and its peers."""
    lines = []
    for load, tasks in dict.fromkeys(map(_block, repeats[0])):
        held = [
            answer
            for each in repeats
            if (answer := _held([r for r in each if _block(r) == (load, tasks)])) is not None
        ]
        if not held:
            continue
        what = (
            f"p50 of a task <= 1/{MEDIAN_GOAL} of the sleeping thread's"
            if tasks == 1
            else f"p99 of {tasks} tasks <= 1/{TAIL_GOAL} of the best Linux variant's"
        )
        lines.append(f"load {load}: {what}: {sum(held)} of {len(held)} times")
    return lines


def _held(results: Sequence[Result]) -> bool | None:
    """None: a figure is missing."""
    ours = [
        r
        for r in results
        if r.setup.core in OWN and r.setup.context == "task" and r.setup.gravity != BUILT_IN
    ]
    peers = [r for r in best_leads(results) if r.setup.core not in OWN]
    if not ours or ours[0].load_failure or any(peer.load_failure for peer in peers):
        return None
    if ours[0].setup.tasks == 1:
        mine = ours[0].summary.p50_ns
        others = [peer.summary.p50_ns for peer in peers if peer.setup.core == LINUX]
        times = MEDIAN_GOAL
    else:
        mine = ours[0].summary.p99_ns
        others = [peer.summary.p99_ns for peer in peers]
        times = TAIL_GOAL
    known = [value for value in others if value is not None]
    if mine is None or not known or len(known) < len(others):
        return None
    return mine * times <= min(known)


def as_json(repeats: Repeats) -> list[list[dict[str, Any]]]:
    """The figures of each single repetition (docs/spec/measure.md)."""
    return [
        [
            {
                "core": r.setup.core,
                "gravity": r.setup.gravity,
                "context": r.setup.context,
                "load": r.setup.load,
                "tasks": r.setup.tasks,
                "lead_ns": round(r.setup.lead_us * 1000) or None,
                "same_lead": r.setup.same_lead if r.setup.core == LINUX_SPIN else None,
                "samples": r.summary.samples,
                "p50_ns": r.summary.p50_ns,
                "p99_ns": r.summary.p99_ns,
                "max_ns": r.summary.max_ns,
                "overruns": r.overruns,
            }
            for r in each
        ]
        for each in repeats
    ]
