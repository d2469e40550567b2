# SPDX-License-Identifier: LGPL-2.1-or-later
"""What moves, scans or swaps pages of a running task."""

from __future__ import annotations

import re

from tactus.doctor.finding import Finding, bad, ok, unknown, warn
from tactus.doctor.machine import Machine

ENOUGH_LOCKED_BYTES = 64 << 20
ENOUGH_MAPS = 65_530


def swap(machine: Machine) -> Finding:
    areas = machine.text("proc/swaps").splitlines()[1:]
    if not areas:
        return ok("There is no swap.")
    return warn(
        f"Swap is on ({areas[0].split()[0]}): memory that is not locked may be swapped out.",
        "swapoff -a",
    )


def _chosen(text: str) -> str:
    match = re.search(r"\[([\w+]+)\]", text)
    return match[1] if match else text


def huge_pages(machine: Machine) -> Finding:
    folder = "sys/kernel/mm/transparent_hugepage"
    if not machine.exists(folder):
        return ok("The kernel has no transparent huge pages.")
    enabled = _chosen(machine.text(f"{folder}/enabled"))
    defrag = _chosen(machine.text(f"{folder}/defrag"))
    if enabled == "never" or (enabled == "madvise" and defrag in ("never", "madvise", "defer")):
        return ok(f"Linux makes huge pages only on request (enabled {enabled}, defrag {defrag}).")
    return warn(
        f"Linux makes huge pages without a request (enabled {enabled}, defrag {defrag}).",
        f"echo madvise > /{folder}/enabled",
    )


def compaction(machine: Machine) -> Finding:
    path = "proc/sys/vm/compaction_proactiveness"
    if not machine.exists(path):
        return ok("The kernel does not compact memory proactively.")
    if (value := machine.number(path)) == 0:
        return ok("The kernel compacts memory only when it needs to.")
    return warn(
        f"The kernel compacts memory in the background (proactiveness {value}), which moves pages.",
        "sysctl vm.compaction_proactiveness=0",
    )


def numa_balancing(machine: Machine) -> Finding:
    path = "proc/sys/kernel/numa_balancing"
    if not machine.exists(path) or machine.number(path) == 0:
        return ok("The kernel does not move pages between memory nodes.")
    return warn(
        "NUMA balancing unmaps pages to see their use: running tasks meet page faults.",
        "sysctl kernel.numa_balancing=0",
    )


def same_page_merging(machine: Machine) -> Finding:
    path = "sys/kernel/mm/ksm/run"
    if not machine.exists(path) or machine.number(path) != 1:
        return ok("Equal pages are not merged (KSM is off).")
    return warn(
        "KSM merges equal pages: the next write to one is a page fault.",
        "echo 2 > /sys/kernel/mm/ksm/run",
    )


def lockable(machine: Machine) -> Finding:
    limit = machine.probes.lockable_bytes
    if limit is None:
        return unknown("The limit of locked memory cannot be read.")
    if limit < 0:
        return ok("Any amount of memory may be locked.")
    if limit >= ENOUGH_LOCKED_BYTES:
        return ok(f"{limit >> 20} MiB may be locked.")
    return bad(
        f"Only {limit >> 10} KiB may be locked: tasks will meet page faults.",
        "run as root, or set memlock to unlimited in /etc/security/limits.conf",
    )


def mappings(machine: Machine) -> Finding:
    limit = machine.number("proc/sys/vm/max_map_count")
    tasks = limit // 2
    if limit > ENOUGH_MAPS:
        return ok(f"A program may have about {tasks} guarded stacks (max_map_count).")
    return warn(
        f"With more than about {tasks} tasks, stacks have canaries instead of guard pages.",
        "sysctl vm.max_map_count=1048576",
    )


CHECKS = (
    ("swap", swap),
    ("huge pages", huge_pages),
    ("compaction", compaction),
    ("NUMA balancing", numa_balancing),
    ("page merging", same_page_merging),
    ("locked memory", lockable),
    ("stack guards", mappings),
)
