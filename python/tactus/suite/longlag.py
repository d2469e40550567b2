# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far the oldest result of the long run is behind the tree: always reported, first as a
warning, later as a failure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tactus.project import UserError
from tactus.suite import history, longrun
from tactus.suite.case import Case, Outcome
from tactus.suite.longrun import REPORT

WARNS_OVER = 50
FAILS_AT = 200
NAME = "long run is not far behind"
REPEAT = "./tactus test --long"


def case(root: Path, tell: Callable[[str], None] = print) -> Case:
    """The case in a run of the suite; `tell` gets the line that is printed above it."""
    try:
        rows = longrun.read(root / REPORT)
    except UserError as error:
        return Case(NAME, Outcome.FAILED, str(error), REPEAT)
    if not rows:
        return Case(NAME, Outcome.FAILED, f"{REPORT} has no results", REPEAT)
    try:
        lag, commit = max(
            (history.lag(root, commit, FAILS_AT), commit)
            for commit in {row.commit for row in rows.values()}
        )
    except history.NoHistoryError as error:
        # A tree without its history, such as a release or a shallow clone.
        return Case(NAME, Outcome.SKIPPED, f"commits cannot be counted: {error}")
    many = f"{lag} or more" if lag >= FAILS_AT else str(lag)
    parts = sum(row.commit == commit for row in rows.values())
    said = longrun.total(rows.values())
    line = f"oldest of the long run: {parts} parts at {commit[:8]}, {many} commits ago ({said})"
    if lag >= FAILS_AT:
        return Case(NAME, Outcome.FAILED, line, REPEAT)
    tell(f"  warning: {line}: run {REPEAT}" if lag > WARNS_OVER else f"  {line}")
    return Case(NAME, Outcome.PASSED, line)
