# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab compare`: exit status 0 if no difference is real, 1 if one is."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from tactus.lab.commands import _results
from tactus.lab.model import Row
from tactus.lab.naming import sorted_rows
from tactus.lab.stats.compare import Compared, Comparison, Difference, compare
from tactus.measure.units import plural, prose_time
from tactus.project import Project

SUMMARY = "tell which differences between two sets of results are real"


def configure(parser: argparse.ArgumentParser) -> None:
    for name in ("a", "b"):
        parser.add_argument(name, type=Path, metavar=name.upper(), help="folder or file of results")
    _results.add_choices(parser)
    parser.add_argument("--json", action="store_true", help="print all tests as JSON")


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    a, b = (sorted_rows(_results.chosen(_results.read([path]), args)) for path in (args.a, args.b))
    found = compare(a, b)
    if args.json:
        print(json.dumps(_json(found), ensure_ascii=False))
    else:
        print("\n".join(_lines(found)))
    return 1 if any(row.real for row in found.rows) else 0


def _name(row: Row) -> str:
    parts = [row.kernel, "" if row.cpus == 1 else f"{row.cpus} CPUs", row.load, row.instrument]
    parts += [row.metric if row.metric != row.instrument else "", row.variant]
    parts += [f"{row.tasks} tasks" if row.tasks > 1 else ""]
    parts += ["" if row.core == "linux" else f"{row.core} {row.context}"]
    return " ".join(part for part in parts if part)


def _difference(one: Difference, unit: str) -> str:
    if one.what == "all":
        return f"a sample of B is longer with a probability of {one.b:.0%}"
    a, b = (prose_time(v) if unit == "ns" else f"{v:.5g}" for v in (one.a, one.b))
    change = "" if one.ratio is None else f" ({one.ratio - 1:+.1%})"
    what = "" if one.what == unit else f"{one.what} "
    chance = f"p {one.chance:.2g}" if one.chance >= 1e-4 else "p < 0.0001"
    return f"{what}{a} → {b}{change}, {chance}"


def _lines(found: Compared) -> list[str]:
    real = [row for row in found.rows if row.real]
    lines = []
    for row in real:
        lines.append(f"{_name(row.row)}:")
        lines += [f"    {_difference(d, row.row.unit)}" for d in row.differences if d.real]
    identical = sum(row.identical for row in found.rows)
    alike = len(found.rows) - len(real) - identical
    lines.append(
        f"{plural(len(found.rows), 'row')} in both: {len(real)} differ, {identical} identical, "
        f"{alike} differ by no more than chance (5 % over all tests)"
    )
    notes = dict.fromkeys(row.note for row in found.rows if row.note)
    lines += [f"{sum(r.note == note for r in found.rows)} rows: {note}" for note in notes]
    for side, rows in (("A", found.only_a), ("B", found.only_b)):
        if rows:
            names = ", ".join(dict.fromkeys(map(_name, rows)))
            lines.append(f"{plural(len(rows), 'row')} in {side} only: {names}")
    return lines


def _json(found: Compared) -> dict[str, object]:
    return {
        "rows": [_row(row) for row in found.rows],
        "only_a": [_name(row) for row in found.only_a],
        "only_b": [_name(row) for row in found.only_b],
    }


def _row(row: Comparison) -> dict[str, object]:
    return {
        "row": _name(row.row),
        "identical": row.identical,
        "real": row.real,
        "note": row.note,
        "differences": [asdict(difference) for difference in row.differences],
    }
