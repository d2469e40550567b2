# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the Test Anything Protocol, version 12 and the parts of 13 and 14 that C tests print.

Source: https://testanything.org/tap-specification.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tactus.suite.case import Case, Outcome

POINT = re.compile(
    r"(not )?ok\b(?:\s+\d+)?\s*(?:-\s*)?(.*?)(?:\s*#\s*(SKIP|TODO)\b\s*(.*))?$", re.I
)
PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*(?:SKIP\S*)\s*(.*))?$", re.I)
BAIL = re.compile(r"Bail out!\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Report:
    """The output of one program: its points, and why the report itself is wrong (or empty)."""

    cases: tuple[Case, ...]
    fault: str


def parse(text: str, name: str) -> Report:
    """Reads a whole report; lines after a failed point are its details."""
    cases: list[Case] = []
    notes: list[str] = []
    planned: int | None = None
    fault = ""
    for line in text.splitlines():
        if bail := BAIL.match(line):
            fault = f"bailed out: {bail[1]}"
        elif plan := PLAN.match(line):
            planned = int(plan[1])
            if planned == 0:
                cases.append(Case(name, Outcome.SKIPPED, plan[2] or ""))
        elif line.startswith(("ok", "not ok")) and (point := POINT.match(line)):
            notes = []
            cases.append(_case(point, name, len(cases) + 1))
        elif line.strip():
            notes.append(line)
            if cases and cases[-1].outcome is Outcome.FAILED:
                last = cases[-1]
                cases[-1] = Case(last.name, last.outcome, "\n".join(notes))
    if not fault and planned is None:
        fault = "printed no plan (1..N)"
    elif not fault and planned and planned != len(cases):
        fault = f"planned {planned} points, printed {len(cases)}"
    return Report(tuple(cases), fault)


def _case(point: re.Match[str], name: str, number: int) -> Case:
    refused, title, directive, reason = point.groups()
    full = f"{name}: {title or f'point {number}'}"
    if (directive or "").upper() == "SKIP":
        return Case(full, Outcome.SKIPPED, reason or "")
    if (directive or "").upper() == "TODO":
        # A known failure is no pass; a test that passes now must lose its mark.
        done = Outcome.SKIPPED if refused else Outcome.FAILED
        return Case(full, done, f"marked TODO: {reason}")
    return Case(full, Outcome.FAILED if refused else Outcome.PASSED)
