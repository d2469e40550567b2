# SPDX-License-Identifier: LGPL-2.1-or-later
"""One test case and its outcome, for all kinds of tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    # Failed in the run, passed when run again alone.
    UNSTEADY = "unsteady"


@dataclass(frozen=True, slots=True)
class Case:
    """`detail` says why it failed or was skipped; `repeat` is the command that runs it alone."""

    name: str
    outcome: Outcome
    detail: str = ""
    repeat: str = ""
    seconds: float = 0.0
    """Duration of the program whose first case this is."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers in the last line."""

    passed: int
    failed: int
    skipped: int
    unsteady: int

    def __str__(self) -> str:
        line = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"
        return f"{line}, {self.unsteady} unsteady" if self.unsteady else line


def count(cases: Iterable[Case]) -> Counts:
    of = {outcome: 0 for outcome in Outcome}
    for case in cases:
        of[case.outcome] += 1
    return Counts(*(of[outcome] for outcome in Outcome))
