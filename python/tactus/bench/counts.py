# SPDX-License-Identifier: LGPL-2.1-or-later
"""All instruction counts of a table, side by side, before the first row is timed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from tactus.bench import instructions
from tactus.bench.measured import Measured
from tactus.project import Project

STEPPED = {
    "heap_alloc_free": "base/tests/base_heap_bench",
    "timer_arm_10": "base/tests/base_timerq_bench",
    "timer_arm_1000000": "base/tests/base_timerq_bench",
}
"""The programs that measure heap and timer queue alone, and their rows; and the program that counts
calls."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of the requested rows."""

    of_row: Mapping[str, float | None] = field(default_factory=dict)
    """Instructions of one operation; None: they could not be counted."""
    printed: Mapping[str, str] = field(default_factory=dict)
    """Output by program of STEPPED."""

    def added_to(self, row: Measured) -> Measured:
        count = self.of_row.get(row.name)
        notices = row.notices
        if row.name in self.of_row and count is None:
            notices += (f"{row.name}: valgrind could not count its instructions",)
        figures = {**row.figures, **self._stepped(row.name)}
        return replace(row, figures=figures, instructions=count, notices=notices)

    def _stepped(self, row: str) -> dict[str, float]:
        text = self.printed.get(STEPPED.get(row, ""), "")
        if row == "heap_alloc_free":
            return instructions.heap_figures(text)
        armed = row.removeprefix("timer_arm_")
        found = instructions.timer_figures(text)
        return {"queue_instructions": found[armed]} if armed in found else {}


def count(project: Project, names: Iterable[str], counter: instructions.Counter | None) -> Counts:
    """Counts are the same whatever else runs, so as many run at once as there are processors. The
    stepped programs take longest, and so begin first."""
    rows = list(names)
    programs = list(dict.fromkeys(STEPPED[name] for name in rows if name in STEPPED))
    counted = [name for name in rows if counter is not None and name in instructions.COUNTED]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        printed = {name: pool.submit(project.run, name) for name in programs}
        found = {name: pool.submit(counter.count, name) for name in counted if counter is not None}
        return Counts(
            {name: future.result() for name, future in found.items()},
            {name: future.result().stdout for name, future in printed.items()},
        )
