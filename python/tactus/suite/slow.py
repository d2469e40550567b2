# SPDX-License-Identifier: LGPL-2.1-or-later
"""The slowest tests of a run, each with the reason for its duration (tests/slow.toml)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tactus import tomltext
from tactus.project import UserError
from tactus.suite.case import Case

REASONS = "tests/slow.toml"
COUNT = 20
NONE_GIVEN = f"no reason is given in {REASONS}"


def reasons(file: Path) -> Mapping[str, str]:
    """Maps patterns of names to reasons; raises UserError, one line, for a wrong pattern or
    reason."""
    found = tomltext.read(file)
    for pattern, reason in found.items():
        if not isinstance(reason, str) or not reason.strip():
            raise UserError(f"{file}: {pattern!r} has no text")
        try:
            re.compile(pattern)
        except re.error as error:
            raise UserError(f"{file}: {pattern!r} is no pattern: {error}") from None
    return found


def _program(case: Case) -> str:
    """A point of a C test stands for its program; a Python test stands for itself."""
    return case.name if "::" in case.name else case.name.partition(": ")[0]


def lines(cases: Sequence[Case], given: Mapping[str, str], count: int = COUNT) -> list[str]:
    """The slowest first."""
    slow = sorted((c for c in cases if c.seconds), key=lambda c: -c.seconds)[:count]
    return [f"{case.seconds:6.1f} s  {_program(case)}: {_reason(case, given)}" for case in slow]


def _reason(case: Case, given: Mapping[str, str]) -> str:
    name = _program(case)
    return next((why for pattern, why in given.items() if re.search(pattern, name)), NONE_GIVEN)
