# SPDX-License-Identifier: LGPL-2.1-or-later
"""Instructions: callgrind on the virtual-time build, single steps for heap and timer queue."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

COUNTED = frozenset(
    {
        "handoff_sem",
        "handoff_sem_light",
        "switch_raw",
        "sem_uncontended",
        "mutex_uncontended",
        "mutex_contended",
        "event_set_wait",
        "handoff_any",
        "queue_send_receive",
        "timer_arm_10",
        "heap_alloc_free",
        "trace_event",
    }
)
"""Rows whose work the nucleus does. A mode switch is the work of Linux, and a million timers take
minutes."""

FEW, MANY = 200, 1200
TIMEOUT_S = 120.0
_COST = re.compile(r"(?:\+|-)?\d+|\*")
_FILE = re.compile(r"(c?)f[lie]=(?:\((\d+)\))?\s*(.*)")


class ProfileError(ValueError):
    """The text is no profile of callgrind; names the line."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Where to count, and with what."""

    program: Path
    valgrind: str

    @classmethod
    def find(cls, program: Path) -> Counter | None:
        valgrind = shutil.which("valgrind")
        return cls(program, valgrind) if valgrind else None

    def count(self, row: str, side: str = "tactus") -> float | None:
        """Instructions of one operation of this side; None if valgrind cannot run it here.

        It is the difference of a long run and a short one, so that the costs of a start cancel out.
        """
        totals = [self._total(row, side, operations) for operations in (FEW, MANY)]
        if totals[0] is None or totals[1] is None:
            return None
        return (totals[1] - totals[0]) / (MANY - FEW)

    def _total(self, row: str, side: str, operations: int) -> int | None:
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder) / "profile"
            command = [
                self.valgrind,
                "--tool=callgrind",
                f"--callgrind-out-file={profile}",
                *(str(self.program), "--row", row, "--rounds", "1", "--side", side),
                *("--loops", str(operations)),
            ]
            try:
                done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)
            except subprocess.TimeoutExpired:
                return None
            if done.returncode != 0 or not profile.is_file():
                return None
            return total(profile.read_text(encoding="utf-8", errors="replace"))


@dataclass(slots=True)
class _Files:
    """The source file of a line in a profile: names are written once, and then numbered."""

    names: dict[str, str]
    function: str = ""
    current: str = ""

    def read(self, line: str) -> None:
        match = _FILE.match(line)
        if match is not None:
            callee, key, name = match.groups()
            if key and name:
                self.names[key] = name
            if callee:
                return  # only defines a name
            self.current = self.names.get(key, "") if key else name
            if line.startswith("fl="):
                self.function = self.current
        elif line.startswith("fn="):
            self.current = self.function


def total(profile: str) -> int:
    """Instructions of a profile, except those of the simulation's own files.

    Code that no other back end has makes virtual time; its cost says nothing about them.
    """
    files = _Files({})
    called = False
    instructions = 0
    for number, line in enumerate(profile.splitlines(), 1):
        files.read(line)
        if not _COST.match(line):
            # The line after this one has the cost of the callee, which is counted at its own lines.
            called = line.startswith("calls=")
        elif called:
            called = False
        else:
            fields = line.split()
            if len(fields) != 2 or not fields[1].isdigit():
                raise ProfileError(f"line {number}: {line!r}")
            if "/hal/sim/" not in files.current:
                instructions += int(fields[1])
    if not files.names:
        raise ProfileError("no files in it")
    return instructions


_HEAP = re.compile(r"^(allocate|free) +instructions: median (\d+), p99 \d+, max (\d+),", re.M)
_TIMER = re.compile(r"^ *(\d+) armed:.* ns\), ([\d.]+) instructions", re.M)


def heap_figures(printed: str) -> dict[str, float]:
    """From the output of base_heap_bench."""
    short = {"allocate": "alloc", "free": "free"}
    found: dict[str, float] = {}
    for kind, median, worst in _HEAP.findall(printed):
        found[f"{short[kind]}_median_instructions"] = float(median)
        found[f"{short[kind]}_worst_instructions"] = float(worst)
    return found


def timer_figures(printed: str) -> dict[str, float]:
    """From the output of base_timerq_bench: number armed (as text) to instructions of a pair."""
    return {armed: float(count) for armed, count in _TIMER.findall(printed)}
