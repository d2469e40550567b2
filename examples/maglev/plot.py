#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws runs of maglev beside each other: where the ball was, and how late each turn began.

usage: plot.py RUN.csv [RUN.csv ...] OUT.html

The page holds its pictures and opens anywhere. Of the turns that share a pixel the lowest and the
highest are drawn: no extreme is lost.
"""

from __future__ import annotations

import html
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 240, 64, 34, 26
HEADS = "turn,late_ns,gap_mm,current_a,drops"
GAP_RANGE_MM = (0.5, 6.0)
LATE_DECADES_NS = (1, 8)
TITLES = {
    "tactus": "Tactus task",
    "linux": "Linux thread, SCHED_FIFO",
    "linux-other": "Linux thread",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One file of maglev's."""

    title: str
    period_ns: int
    time_s: tuple[float, ...]
    late_ns: tuple[int, ...]
    gap_mm: tuple[float, ...]
    lost: int


def read(file: Path) -> Run:
    """Refuses what it does not understand, with the line."""
    lines = file.read_text(encoding="ascii").splitlines()
    if len(lines) < 3 or not lines[0].startswith("# ") or lines[1] != HEADS:
        raise SystemExit(f"{file}: not a file of maglev's, or an empty one")
    said = dict(word.split("=", 1) for word in lines[0][2:].split())
    load = "" if said["load"] == "none" else f", {said['load']}"
    period_ns = int(said["period_ns"])
    time_s: list[float] = []
    late_ns: list[int] = []
    gap_mm: list[float] = []
    missed = lost = 0
    for number, line in enumerate(lines[2:], 3):
        try:
            turn, late, gap, _, drops = line.split(",")
            lost = int(drops)
            time_s.append((int(turn) + missed) * period_ns / 1e9)
            late_ns.append(int(late))
            gap_mm.append(float(gap))
        except ValueError:
            raise SystemExit(f"{file}:{number}: not a turn: {line!r}") from None
        # A turn that began more than a period late took the place of those behind it.
        missed += max(0, late_ns[-1]) // period_ns
    title = TITLES.get(said["core"], said["core"]) + load
    return Run(title, period_ns, tuple(time_s), tuple(late_ns), tuple(gap_mm), lost)


def envelope(
    x: Sequence[float], y: Sequence[float], columns: int
) -> list[tuple[int, float, float]]:
    """(column, lowest, highest) for each column that has a value."""
    span = max(x[-1] - x[0], 1e-9)
    found: dict[int, tuple[float, float]] = {}
    for at, value in zip(x, y, strict=True):
        column = min(columns - 1, int((at - x[0]) / span * columns))
        low, high = found.get(column, (value, value))
        found[column] = (min(low, value), max(high, value))
    return [(column, low, high) for column, (low, high) in sorted(found.items())]


def chart(
    title: str,
    x: Sequence[float],
    y: Sequence[float],
    scale: Callable[[float], float],
    ticks: Sequence[tuple[float, str]],
) -> str:
    """An SVG. scale: a value's height, 0 (bottom) to 1 (top)."""
    columns, rows = WIDTH - LEFT - 10, HEIGHT - BOTTOM - TOP

    def height(value: float) -> float:
        return TOP + rows * (1 - min(1.0, max(0.0, scale(value))))

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{html.escape(title)}</title>']
    parts.append(f'<text x="{LEFT}" y="16" class="title">{html.escape(title)}</text>')
    for value, text in ticks:
        at = height(value)
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 10}" y1="{at:.1f}" y2="{at:.1f}"/>'
        )
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
    marks = [
        f"M{LEFT + column + 0.5} {height(low) + 0.5:.1f}V{height(high) - 0.5:.1f}"
        for column, low, high in envelope(x, y, columns)
    ]
    parts.append(f'<path class="data" d="{"".join(marks)}"/>')
    for step in range(5):
        at = LEFT + columns * step / 4
        second = x[0] + (x[-1] - x[0]) * step / 4
        anchor = "end" if step == 4 else "middle"
        parts.append(
            f'<text x="{at:.0f}" y="{HEIGHT - 14}" text-anchor="{anchor}">{second:.2f} s</text>'
        )
    parts.append("</svg>")
    return "".join(parts)


def gap_chart(run: Run) -> str:
    low, high = GAP_RANGE_MM
    return chart(
        f"gap below the magnet, mm; the ball is lost at {low:g} and {high:g}",
        run.time_s,
        run.gap_mm,
        lambda gap: 1 - (gap - low) / (high - low),
        [(gap, f"{gap:g}") for gap in (0.5, 2, 4, 6)],
    )


def late_chart(run: Run) -> str:
    low, high = LATE_DECADES_NS
    names = {1: "10 ns", 3: "1 µs", 5: "100 µs", 7: "10 ms"}
    return chart(
        "start of each turn after its release",
        run.time_s,
        [float(max(1, late)) for late in run.late_ns],
        lambda late: (math.log10(late) - low) / (high - low),
        [(10.0**decade, text) for decade, text in names.items()],
    )


def summary(run: Run) -> str:
    late = sorted(run.late_ns)
    cells = (
        run.title,
        f"{len(late)}",
        f"{late[len(late) // 2] / 1000:.3f}",
        f"{late[len(late) * 99 // 100] / 1000:.3f}",
        f"{late[-1] / 1000:.3f}",
        f"{min(run.gap_mm):.3f} to {max(run.gap_mm):.3f}",
        f"{run.lost} times",
    )
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def page(runs: Sequence[Run]) -> str:
    columns = "".join(
        f"<div><h2>{html.escape(run.title)}</h2>{gap_chart(run)}{late_chart(run)}</div>"
        for run in runs
    )
    rows = "".join(summary(run) for run in runs)
    heads = ("run", "turns", "median, µs late", "p99", "max", "gap, mm", "ball lost")
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>A ball in the air</title><style>
body {{ font: 14px system-ui, sans-serif; margin: 2em auto; padding: 0 2em }}
body {{ max-width: {20 + 580 * len(runs)}px }}
.runs {{ display: flex; flex-wrap: wrap; gap: 12px }}
.runs div {{ flex: 1 1 400px; max-width: {WIDTH}px }}
h2 {{ font-size: 16px; margin: 0 0 6px }}
svg {{ width: 100%; font-size: 11px }} svg .title {{ font-size: 13px; font-weight: 600 }}
.grid {{ stroke: #ddd }} .data {{ stroke: #0b6bcb; stroke-width: 1.2; fill: none }}
td, th {{ padding: 2px 12px 2px 0; text-align: left; font-variant-numeric: tabular-nums }}
</style><h1>A ball in the air</h1>
<p>A ball below a magnet, held by a loop of 10 kHz: each turn computes the plant up to the
present, so that a late turn finds the ball farther away. The wanted gap changes every quarter of a
second.</p>
<div class="runs">{columns}</div>
<table><tr>{"".join(f"<th>{head}</th>" for head in heads)}</tr>{rows}</table></html>
"""


def main(arguments: Sequence[str]) -> int:
    if len(arguments) < 2 or arguments[0] in ("-h", "--help"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    *files, out = (Path(argument) for argument in arguments)
    if out.suffix != ".html":
        raise SystemExit(f"{out}: name a file that ends in .html for the page, behind the runs")
    missing = [file for file in files if not file.is_file()]
    if missing:
        raise SystemExit(f"there is no {missing[0]}: make it by maglev {missing[0]}")
    out.write_text(page([read(file) for file in files]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
