# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of `bench`, 80 columns, and its JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from tactus.bench import goals
from tactus.bench.measured import Measured

WIDTH = 80
_LAYOUT = "{:<20}{:>12}{:>12}{:>9}{:>9}  {}"
STATISTIC = "the quickest round of each side, sides in turn"


def number(value: float | None) -> str:
    """Three digits or more, at most ten characters."""
    if value is None:
        return "-"
    if abs(value) >= 99.95:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def condition(row: Measured) -> str:
    """The conditions of the row's measurement."""
    parts = [f"CPU {row.cpu}", "SCHED_FIFO" if row.fifo else "SCHED_OTHER, no permission for FIFO"]
    if row.name != "trace_event":
        parts.append("trace off")
    parts.append(f"{len(row.rounds_ns)} rounds, {STATISTIC}")
    return ", ".join(parts)


def render(rows: Mapping[str, Measured], sides: tuple[str, str] = ("Tactus", "Linux")) -> str:
    """sides: what is measured, and its counterpart."""
    heads = ("row", *(f"{side} ns" for side in sides), "ratio", "instr.", "goal")
    lines = [_LAYOUT.format(*heads)]
    for row in rows.values():
        met = goals.goal_met(row.name, rows)
        goal = goals.goal_text(row.name)
        verdict = "" if goal is None else {True: "met", False: "MISSED", None: "not told"}[met]
        lines.append(
            _LAYOUT.format(
                row.name,
                number(row.value),
                number(row.peer_value),
                number(row.ratio),
                number(row.instructions),
                verdict,
            ).rstrip()
        )
        lines += _wrapped(row.what)
        if row.peer is not None:
            lines += _wrapped(f"{sides[1]}: {row.peer}")
        if row.figures:
            named = (f"{k.replace('_', ' ')} {number(v)}" for k, v in row.figures.items())
            lines += _wrapped("; ".join(named))
        lines += [line for limit in goals.of_row(row.name) for line in _wrapped(_said(limit, rows))]
    return "\n".join(lines)


def _said(limit: goals.Limit, rows: Mapping[str, Measured]) -> str:
    said = {True: "met", False: "MISSED", None: "not measured"}[limit.met(rows)]
    return f"goal: {limit.text}: {said}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ")


def as_json(rows: Mapping[str, Measured], manifest: Mapping[str, object]) -> dict[str, Any]:
    """The document of docs/spec/bench.md."""
    return {
        "schema": 1,
        "manifest": dict(manifest),
        "results": [
            {
                "name": row.name,
                "what": row.what,
                "value": row.value,
                "unit": "ns",
                "median": row.median,
                "peer": row.peer,
                "peer_value": row.peer_value,
                "peer_median": row.peer_median,
                "ratio": row.ratio,
                "instructions": row.instructions,
                "figures": dict(row.figures),
                "condition": condition(row),
                "goal": goals.goal_text(row.name),
                "met": goals.goal_met(row.name, rows),
                "rounds": list(row.rounds_ns),
                "peer_rounds": list(row.peer_rounds_ns),
                "notices": list(row.notices),
            }
            for row in rows.values()
        ],
    }
