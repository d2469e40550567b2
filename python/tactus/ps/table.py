# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of tasks for people, 80 columns wide, and the same for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from tactus.ps.find import Found
from tactus.ps.segment import Program, Task

WIDTH = 80
SCHEMA = 1
HEADS = (
    "TASK",
    "CPU",
    "PRIO",
    "CLASS",
    "MODE",
    "STATE",
    "SWITCH",
    "MSW",
    "OVER",
    "TIME",
    "WAITS FOR",
)
RIGHT = frozenset({"CPU", "PRIO", "SWITCH", "MSW", "OVER", "TIME"})
NAME, WAITS = 0, len(HEADS) - 1
MODES = {"primary": "prim", "secondary": "sec", "light": "light"}
CLASSES = {"sporadic": "spor", "partition": "part"}
FLEX_MIN = 8


def render(found: Found) -> str:
    """One block per program."""
    blocks = [_program(p) for p in found.programs]
    if not blocks:
        blocks = ["no Tactus program is running"]
    blocks += ["\n".join(textwrap.wrap(note, WIDTH)) for note in found.notes]
    return "\n\n".join(blocks)


def _program(program: Program) -> str:
    cpus = ", ".join(f"{c.index} on Linux CPU {c.linux_cpu}" for c in program.cpus)
    core = "" if program.core == "unknown" else f", core {program.core}"
    title = f"{program.name} ({program.pid}){core}: CPU {cpus}"
    rows = [_row(task) for task in program.tasks]
    return "\n".join([*textwrap.wrap(title, WIDTH), *_columns(rows)])


def _row(task: Task) -> tuple[str, ...]:
    priority = str(task.base_priority)
    if task.priority != task.base_priority:
        priority += f"/{task.priority}"
    return (
        task.name or f"{task.handle:#x}",
        str(task.cpu),
        priority,
        CLASSES.get(task.sched_class, task.sched_class),
        MODES[task.mode],
        task.state,
        short_count(task.switches),
        short_count(task.mode_switches),
        short_count(task.overruns),
        short_time(task.run_ns),
        _waits(task),
    )


def _waits(task: Task) -> str:
    if not task.waits_for:
        return "-"
    return task.waits_name or f"{task.waits_for:#x}"


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    table = [HEADS, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(HEADS))]
    room = WIDTH - sum(widths[1:WAITS]) - len(HEADS) + 1
    widths[WAITS] = max(FLEX_MIN, min(widths[WAITS], room - min(widths[NAME], room // 2)))
    widths[NAME] = min(widths[NAME], room - widths[WAITS])
    return [
        " ".join(
            _cell(text, width, head in RIGHT)
            for text, width, head in zip(row, widths, HEADS, strict=True)
        ).rstrip()
        for row in table
    ]


def _cell(text: str, width: int, right: bool) -> str:
    if len(text) > width:
        text = text[: width - 1] + "…"
    return text.rjust(width) if right else text.ljust(width)


def short_count(value: int) -> str:
    """At most five characters, nothing rounded up."""
    if value < 100_000:
        return str(value)
    for suffix in "kMGTP":
        value //= 1000
        if value < 1000:
            return f"{value}{suffix}"
    return f"{value // 1000}E"


def short_time(value_ns: int) -> str:
    """Seconds in the form of a stop watch, at most eight characters."""
    seconds, ns = divmod(value_ns, 1_000_000_000)
    if seconds < 1000:
        return f"{seconds}.{ns // 1_000_000:03}"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}m{seconds:02}" if hours < 100 else f"{hours}h{minutes:02}"


def as_json(found: Found) -> dict[str, object]:
    """The document of docs/spec/ps-json.md."""
    return {
        "schema": SCHEMA,
        "programs": [asdict(program) for program in found.programs],
        "notes": list(found.notes),
    }
