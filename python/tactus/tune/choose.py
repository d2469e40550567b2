# SPDX-License-Identifier: LGPL-2.1-or-later
"""From measured delays to gravity. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tactus.measure.statistics import Nanoseconds

MARGIN_NS = 12
MARGIN_SHARE = 0.125
"""A start before its release is a fault, but a start a few ns after it is not. So this much is kept
of the shortest way, although it was the shortest of thousands."""
IDLE_SHARE = 0.99
IDLE_HIGHEST_NS = 150_000
"""More than this is noise of the machine, and spinning it away would cost time in every period."""
PREEMPT_SHARE = 0.75
PREEMPT_HIGHEST_NS = 100_000
LOWEST_NS = 1


def anticipation(shortest_ns: int) -> int:
    """The gravity of a context whose shortest way took this long."""
    margin_ns = max(MARGIN_NS, math.ceil(shortest_ns * MARGIN_SHARE))
    return max(shortest_ns - margin_ns, LOWEST_NS)


def after_check(gravity_ns: int, earliest_ns: int) -> int:
    """The rest of a gravity whose check saw this earliest start; it is unchanged if no start came
    nearer to its release than half of the margin."""
    if earliest_ns >= MARGIN_NS // 2:
        return gravity_ns
    return max(gravity_ns - (MARGIN_NS - earliest_ns), LOWEST_NS)


def lead(delays: Sequence[Nanoseconds], share: float, highest_ns: int) -> int:
    """The lead that this share of the delays needs, under the worst of the loads."""
    worst = max(_rank(one, share) for one in delays)
    return min(max(worst, LOWEST_NS), highest_ns)


def _rank(delays: Nanoseconds, share: float) -> int:
    ordered = np.sort(delays)
    return int(ordered[max(math.ceil(share * len(ordered)) - 1, 0)])
