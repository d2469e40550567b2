# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of a measurement: 80 columns, a block for each load and number of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tactus.measure.noise import Noise
from tactus.measure.plan import BUILT_IN, LINUX_BEST, LINUX_SPIN, OWN
from tactus.measure.results import Result, best_leads, rows
from tactus.measure.units import count_text, plural, share_text, time_text

WIDTH = 80
_LAYOUT = "{:<10}{:1}{:<7}" + "{:>7}" * 6 + "{:>6}{:>8}{:>6}"
_NAMES = ("core", "", "context", "min", "avg", "p50", "p99", "p99.9", "max")
_HEAD = (
    _LAYOUT.format(*[""] * 9, "over-", "", "").rstrip(),
    _LAYOUT.format(*_NAMES, "runs", "samples", "spun"),
)


def render(results: Sequence[Result], noise: Mapping[str, Noise]) -> str:
    """Every load and number of tasks; for the spinning peer the lead of Tactus, and the best one if
    it is another."""
    shown = rows(results)
    blocks = list(dict.fromkeys((r.setup.load, r.setup.tasks) for r in shown))
    parts = [
        _block([r for r in shown if (r.setup.load, r.setup.tasks) == block], noise.get(block[0]))
        for block in blocks
    ]
    return "\n\n".join(parts)


def _block(results: Sequence[Result], noise: Noise | None) -> str:
    setup = results[0].setup
    period = time_text(setup.period_us * 1000)
    if setup.tasks == 1:
        what = f"1 task of {period}"
    else:
        longest = time_text(max(task.period_ns for task in results[0].tasks))
        what = f"{setup.tasks} tasks of {period} to {longest}"
    title = f"load {setup.load}, {what}"
    machine = f"machine alone: max gap {time_text(noise.max_gap_ns)}" if noise else ""
    lines = [f"{title}{machine:>{WIDTH - len(title)}}", *_HEAD, *map(_row, results)]
    built_in = next((r for r in results if r.setup.gravity == BUILT_IN), None)
    best = best_leads(results)
    for result in results:
        if result.setup.core == LINUX_SPIN:
            lines.append(_lead(result, best=result in best, beside=results))
        elif result.setup.gravity == BUILT_IN and built_in is result:
            lines.append(
                "  built-in: thread with the built-in gravity, not the one of ./tactus tune"
            )
        if result.load_failure is not None:
            lines.append(f"  ! {_name(result)}: {result.load_failure}; the run is not counted")
        if result.summary.early:
            early = plural(result.summary.early, "early start")
            lines.append(f"  {_name(result)}: {early}, before the release")
    return "\n".join(lines)


def _lead(result: Result, *, best: bool, beside: Sequence[Result]) -> str:
    """The cost of the spinning peer's figures, and whether Tactus has the same cost."""
    lead = time_text(result.setup.lead_us * 1000)
    if result.setup.row == LINUX_BEST:
        return f"  {LINUX_BEST}: wakes {lead} ahead, the best of its leads"
    as_tactus = ", as Tactus" if any(r.setup.core in OWN for r in beside) else ""
    its_best = "; the best of its leads, too" if best else ""
    return f"  {LINUX_SPIN}: wakes {lead} ahead{as_tactus}{its_best}"


def _name(result: Result) -> str:
    return f"{result.setup.row} {result.setup.context}"


def _row(result: Result) -> str:
    figures = result.summary
    times = (
        figures.min_ns,
        figures.avg_ns,
        figures.p50_ns,
        figures.p99_ns,
        figures.p999_ns,
        figures.max_ns,
    )
    return _LAYOUT.format(
        result.setup.row,
        "!" if result.load_failure is not None else "",
        result.setup.context,
        *map(time_text, times),
        count_text(result.overruns),
        count_text(figures.samples),
        share_text(result.spun_share),
    )
