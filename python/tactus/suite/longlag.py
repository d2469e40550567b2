# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far the last long run is behind the tree: always reported, first as a warning, later as a
failure."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tactus.suite import history
from tactus.suite.case import Case, Outcome
from tactus.suite.longrun import REPORT

WARNS_OVER = 50
FAILS_AT = 200
NAME = "long run is not far behind"
REPEAT = "./tactus test --long"
_COMMIT = re.compile(r"^\| commit \| `([0-9a-f]{40})` \|$", re.M)
_RESULT = re.compile(r"^\| (?:ended|result) \| (.*) \|$", re.M)


def case(root: Path, tell: Callable[[str], None] = print) -> Case:
    """The case in a run of the suite; `tell` gets the line that is printed above it."""
    try:
        report = (root / REPORT).read_text(encoding="utf-8")
    except OSError as error:
        return Case(NAME, Outcome.FAILED, f"{REPORT}: {error.strerror}", REPEAT)
    commit = _COMMIT.search(report)
    if not commit:
        return Case(NAME, Outcome.FAILED, f"{REPORT} names no commit", REPEAT)
    said = ", ".join(_RESULT.findall(report))
    try:
        lag = history.lag(root, commit[1], FAILS_AT)
    except history.NoHistoryError as error:
        # A tree without its history, such as a release or a shallow clone.
        return Case(NAME, Outcome.SKIPPED, f"commits cannot be counted: {error}")
    many = f"{lag} or more" if lag >= FAILS_AT else str(lag)
    line = f"last long run: {commit[1][:8]}, {many} commits ago ({said})"
    if lag >= FAILS_AT:
        return Case(NAME, Outcome.FAILED, line, REPEAT)
    tell(f"  warning: {line}: run {REPEAT}" if lag > WARNS_OVER else f"  {line}")
    return Case(NAME, Outcome.PASSED, line)
