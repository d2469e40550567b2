# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the checks and shows their findings, the most expensive first, within 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tactus.doctor import bare, cpus, memory, platform, power, scheduler
from tactus.doctor.cost import COSTS, WEIGHT, Cost
from tactus.doctor.finding import Finding, Level, unknown
from tactus.doctor.machine import Machine, UnreadableError

WIDTH = 80
SCHEMA = 1
# To the left of the findings, so that a command with a long path stays on one line.
FIX_INDENT = " " * 9
Check = Callable[[Machine], Finding]
CHECKS: tuple[tuple[str, Check], ...] = (
    *scheduler.CHECKS,
    *cpus.CHECKS,
    *power.CHECKS,
    *memory.CHECKS,
    *platform.CHECKS,
    *bare.CHECKS,
)
WORST_FIRST = tuple(Level)
TO_MEND = (Level.BAD, Level.WARN)
MEND_FIRST = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """A check by name, with what it found."""

    check: str
    finding: Finding


def examine(machine: Machine) -> list[Checked]:
    """Every check, worst level first, and within a level the most expensive first. A check that
    cannot read what it needs is unknown."""
    results = [Checked(name, _finding(check, machine)) for name, check in CHECKS]
    return ranked(results)


def ranked(results: Sequence[Checked]) -> list[Checked]:
    return sorted(results, key=lambda r: (WORST_FIRST.index(r.finding.level), WEIGHT[r.check]))


def _finding(check: Check, machine: Machine) -> Finding:
    try:
        return check(machine)
    except UnreadableError as error:
        return unknown(f"Cannot be read: {error}.")


def render(results: Sequence[Checked]) -> str:
    """The table for people."""
    name_width = max(len(r.check) for r in results)
    indent = " " * (len("unknown") + name_width + 4)
    lines: list[str] = []
    group: tuple[Level, Cost] | None = None
    for result in results:
        level, cost = result.finding.level, COSTS[result.check]
        if level in TO_MEND and group != (level, cost):
            lines.append(f"{level.value}: {cost.value}")
            group = (level, cost)
        head = f"{result.finding.level.value:7}  {result.check:{name_width}}  "
        lines += textwrap.wrap(
            result.finding.text, WIDTH, initial_indent=head, subsequent_indent=indent
        )
        if result.finding.fix:
            lines += textwrap.wrap(
                result.finding.fix,
                WIDTH,
                initial_indent=f"{FIX_INDENT}fix: ",
                subsequent_indent=f"{FIX_INDENT}     ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join([*lines, "", summary(results), *first(results)])


def first(results: Sequence[Checked]) -> list[str]:
    """A line that says what to correct first, or no line."""
    names = [r.check for r in results if r.finding.level in TO_MEND][:MEND_FIRST]
    return [f"Correct first: {', '.join(names)}."] if len(names) == MEND_FIRST else []


def summary(results: Sequence[Checked]) -> str:
    count = {level: 0 for level in Level}
    for result in results:
        count[result.finding.level] += 1
    return ", ".join(f"{count[level]} {level.value}" for level in Level)


def as_json(results: Sequence[Checked], machine: Machine, kernel: str) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "cpu": machine.cpu,
        "kernel": kernel,
        "findings": [
            {
                "check": r.check,
                "level": r.finding.level.value,
                "cost": COSTS[r.check].value,
                "finding": r.finding.text,
                "fix": r.finding.fix,
            }
            for r in results
        ],
    }


def is_bad(results: Sequence[Checked]) -> bool:
    return any(r.finding.level is Level.BAD for r in results)
