# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a finding may cost, by order of magnitude, so that the most expensive finding is corrected
first.

The orders are those of ordinary PC hardware; `./tactus measure` shows those of the machine at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Cost(Enum):
    """The longest delay that it can cause to a release, the longest first."""

    STOPS = "stops of 10 ms and more"
    MILLISECONDS = "delays of a millisecond and more"
    TENS = "delays of 10 to 1000 µs"
    FEW = "delays of a few µs"
    CASE = "only where it is used"


# In the order of their weight: an upper one is corrected before those below.
COSTS: Mapping[str, Cost] = {
    "privileges": Cost.STOPS,
    "RT throttling": Cost.STOPS,
    "fair server": Cost.STOPS,
    "RT groups": Cost.STOPS,
    "steal time": Cost.STOPS,
    "hypervisor": Cost.STOPS,
    "swap": Cost.STOPS,
    "locked memory": Cost.STOPS,
    "preemption": Cost.MILLISECONDS,
    "huge pages": Cost.MILLISECONDS,
    "compaction": Cost.MILLISECONDS,
    "NUMA balancing": Cost.MILLISECONDS,
    "page merging": Cost.MILLISECONDS,
    "isolation": Cost.TENS,
    "interrupts": Cost.TENS,
    "kernel threads": Cost.TENS,
    "RCU callbacks": Cost.TENS,
    "idle states": Cost.TENS,
    "dma latency": Cost.TENS,
    "governor": Cost.TENS,
    "SMT": Cost.TENS,
    "halt polling": Cost.TENS,
    "watchdogs": Cost.TENS,
    "clock source": Cost.FEW,
    "tick": Cost.FEW,
    "timer migration": Cost.FEW,
    "syscall traps": Cost.FEW,
    "FSGSBASE": Cost.FEW,
    "stack guards": Cost.CASE,
    "bare: module": Cost.CASE,
    "bare: signature": Cost.CASE,
    "bare: free CPU": Cost.CASE,
    "bare: CPU": Cost.CASE,
    "bare: machine checks": Cost.CASE,
    "bare: broadcasts": Cost.CASE,
    "bare: IOMMU": Cost.CASE,
}
WEIGHT = {check: place for place, check in enumerate(COSTS)}
