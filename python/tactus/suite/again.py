# SPDX-License-Identifier: LGPL-2.1-or-later
"""Second runs of tests that need the machine's own time.

If a hypervisor takes the CPUs for seconds, or a disk holds a file, a sound test fails. A failed
test is run once more, alone. If it passes, it is reported as unsteady, with its output; but not if
many tests fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tactus.suite.case import Case, Outcome

MOST_TRIED_AGAIN = 3


def both_tries(first: Sequence[Case], second: Sequence[Case]) -> list[Case]:
    """The combined result of two runs of one test: a failure that did not come again is
    unsteady."""
    failed = {c.name: c for c in first if c.outcome is Outcome.FAILED}
    cases = [
        replace(failed[c.name], outcome=Outcome.UNSTEADY)
        if c.name in failed and c.outcome is Outcome.PASSED
        else c
        for c in second
    ]
    # Cases that only the first run has: the test ended out of order, or before it began.
    sound = all(c.outcome is not Outcome.FAILED for c in second)
    missing = failed.keys() - {c.name for c in second}
    outcome = Outcome.UNSTEADY if sound else Outcome.FAILED
    return cases + [replace(failed[name], outcome=outcome) for name in sorted(missing)]
