# SPDX-License-Identifier: LGPL-2.1-or-later
"""Second tries of tests that run on the machine's own time.

A hypervisor that takes the CPUs, or a disk that holds a file, for seconds fails a test that is
sound. What fails runs once more, alone, and is told as unsteady, with its output, if it passes;
not if many fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactus.suite.case import Case, Outcome

MOST_TRIED_AGAIN = 3


def both_tries(first: Sequence[Case], second: Sequence[Case]) -> list[Case]:
    """What two runs of one test say together: a failure that did not come again is unsteady."""
    failed = {c.name: c for c in first if c.outcome is Outcome.FAILED}
    cases = [
        replace(failed[c.name], outcome=Outcome.UNSTEADY)
        if c.name in failed and c.outcome is Outcome.PASSED
        else c
        for c in second
    ]
    # What only the first run has: it ended out of order, or before it began.
    sound = all(c.outcome is not Outcome.FAILED for c in second)
    missing = failed.keys() - {c.name for c in second}
    outcome = Outcome.UNSTEADY if sound else Outcome.FAILED
    return cases + [replace(failed[name], outcome=outcome) for name in sorted(missing)]
