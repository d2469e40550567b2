# SPDX-License-Identifier: LGPL-2.1-or-later
"""How each load is made (lab/run/load.sh), for readers of its name in a report."""

from __future__ import annotations

from collections.abc import Iterable

from tactus.lab.naming import LOADS, in_order

SAYS = {
    "idle": "nothing beside the instrument",
    "cpu": "mixed computations by stress-ng, or a spinning shell if there is no stress-ng",
    "io": (
        "dd of 16 MiB with fsync and back, and a tree of files that is written and removed; in a "
        "guest, the file system is in memory"
    ),
    "net": (
        "flood ping, and four packets of 65000 bytes a second, on a separate loopback with "
        "Ethernet's packet size. Each such packet goes there and back in 44 fragments. A stock "
        "kernel handles all of them in one softirq, which no thread preempts; PREEMPT_RT handles "
        "them in a thread"
    ),
    "memory": "stress-ng: pages dirtied and checked, caches thrashed, TLB shootdowns",
    "hackbench": "groups of 10 tasks that pass messages",
    "dohell": "all other loads, and walks through all folders",
}


def described(names: Iterable[str]) -> list[tuple[str, str]]:
    """The loads of a report, from light to heavy; with dohell, also those of which it consists."""
    used = list(names)
    if "dohell" in used:
        used += list(SAYS)
    return [(name, SAYS[name]) for name in in_order(used, LOADS) if name in SAYS]
