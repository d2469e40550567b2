# SPDX-License-Identifier: LGPL-2.1-or-later
"""Published numbers (lab/published.toml) beside ours; do the systems come in the same order?"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tactus import tomltext
from tactus.lab.model import Row
from tactus.project import UserError

FILE = Path(__file__).resolve().parents[4] / "lab/published.toml"
_SCALES = {"µs": 1e-3}


class Order(StrEnum):
    AGREES = "same order"
    DIFFERS = "other order"
    OPEN = "not measured"


@dataclass(frozen=True, slots=True)
class System:
    name: str
    published: float
    role: str
    """Our system that stands for it; empty: the same."""
    ours: float | None


@dataclass(frozen=True, slots=True)
class Figure:
    id: str
    paper: str
    machine: str
    origin: str
    what: str
    ran: str
    """What ran here, under which load."""
    unit: str
    systems: tuple[System, ...]
    order: Order
    differs: tuple[tuple[str, str], ...]
    """Pairs with the opposite order here."""


def load(path: Path = FILE) -> Mapping[str, Any]:
    return tomltext.read(path)


def compare(document: Mapping[str, Any], rows: Sequence[Row]) -> list[Figure]:
    try:
        return [_figure(document["papers"], entry, rows) for entry in document["figure"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise UserError(f"published.toml: a figure lacks or misspells {error}") from None


def _figure(papers: Mapping[str, Any], entry: Mapping[str, Any], rows: Sequence[Row]) -> Figure:
    statistic = entry["statistic"]
    scale = _SCALES.get(entry["unit"], 1.0)
    found = [_ours(each.get("ours"), rows, statistic) for each in entry["system"]]
    if "relative" in entry:
        names = [each["name"] for each in entry["system"]]
        base = found[names.index(entry["relative"])]
        found = [v / base if v is not None and base else None for v in found]
        scale = 1.0
    systems = tuple(
        System(
            each["name"],
            float(each["published"]),
            each.get("role", ""),
            None if value is None else value * scale,
        )
        for each, value in zip(entry["system"], found, strict=True)
    )
    order, differs = _order(systems)
    return Figure(
        entry["id"],
        papers[entry["paper"]]["title"],
        papers[entry["paper"]]["machine"],
        entry["origin"],
        entry["what"],
        entry["ran"],
        entry["unit"],
        systems,
        order,
        differs,
    )


def _ours(chosen: Mapping[str, Any] | None, rows: Sequence[Row], statistic: str) -> float | None:
    if chosen is None:
        return None
    values = [
        getattr(row, statistic)
        for row in rows
        if all(getattr(row, key) == value for key, value in chosen.items())
        and getattr(row, statistic) is not None
    ]
    return statistics.median(values) if values else None


def _order(systems: Sequence[System]) -> tuple[Order, tuple[tuple[str, str], ...]]:
    """For systems with equal published numbers, any order agrees."""
    differs = []
    compared = 0
    for a, b in itertools.combinations(systems, 2):
        if a.ours is None or b.ours is None or a.published == b.published:
            continue
        compared += 1
        if (a.published - b.published) * (a.ours - b.ours) <= 0:
            differs.append((a.name, b.name))
    if not compared:
        return Order.OPEN, ()
    return (Order.DIFFERS if differs else Order.AGREES), tuple(differs)
