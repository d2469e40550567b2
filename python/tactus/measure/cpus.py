# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chooses the CPU under test, which must exist. It needs no packages, so that a wrong CPU is
reported at once."""

from __future__ import annotations

import os
from pathlib import Path

from tactus.measure import manifest
from tactus.project import UserError

CPU_FOLDER = Path("/sys/devices/system/cpu")


def cpu_list(text: str) -> set[int]:
    cpus: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        low, _, high = part.partition("-")
        cpus.update(range(int(low), int(high or low) + 1))
    return cpus


def check_cpu(cpu: int) -> int:
    online = cpu_list(manifest.read(CPU_FOLDER, "online") or "")
    if online and cpu not in online:
        choice = ", ".join(map(str, sorted(online)))
        raise UserError(f"there is no CPU {cpu} online; choose one of {choice}")
    return cpu


def choose_cpu(wanted: int | None) -> int:
    """The requested CPU, or an isolated one, otherwise the last. Raises UserError for a CPU that is
    not online, before anything is announced."""
    if wanted is not None:
        return check_cpu(wanted)
    isolated = cpu_list(manifest.read(CPU_FOLDER, "isolated") or "")
    allowed = os.sched_getaffinity(0)
    return max((isolated & allowed) or allowed)
