# SPDX-License-Identifier: LGPL-2.1-or-later
"""The group `skins`: a program for each skin, with the native API as the counterpart."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from tactus.bench.instructions import Counter
from tactus.bench.measured import Measured
from tactus.project import Project, UserError

GROUP = "skins"
SIDES = ("skin", "native")
"""As the programs name them: what is measured, and its counterpart."""
FOLDER = "instruments/bench"
PREFIX = "bench-"
SIM = "-sim"
CALLS = 2
"""Calls of an operation: each undoes what the one before did."""


@dataclass(frozen=True, slots=True)
class Skin:
    """The programs of one skin, and the rows that it has."""

    name: str
    program: Path
    sim: Path
    rows: tuple[str, ...]


def find(project: Project) -> list[Skin]:
    """The skins for which programs were built, by name. Raises UserError if there is none."""
    folder = project.build / FOLDER
    programs = sorted(
        path for path in folder.glob(f"{PREFIX}*") if path.is_file() and path.suffix == ""
    )
    skins = [
        Skin(
            path.name.removeprefix(PREFIX),
            path,
            path.with_name(path.name + SIM),
            tuple(project.run(f"{FOLDER}/{path.name}", "--rows").stdout.split()),
        )
        for path in programs
        if not path.name.endswith(SIM)
    ]
    if not skins:
        raise UserError(f"{folder} has no program of a skin: build the instruments anew")
    return skins


@dataclass(frozen=True, slots=True)
class Counts:
    """Instructions of one operation of both sides; None: they could not be counted."""

    skin: float | None
    native: float | None


def count(of_row: Mapping[str, Skin], valgrind: str) -> dict[str, Counts]:
    """Counts both sides of the rows, as many at once as there are processors."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found: dict[str, list[Future[float | None]]] = {
            row: [pool.submit(Counter(skin.sim, valgrind).count, row, side) for side in SIDES]
            for row, skin in of_row.items()
        }
        return {row: Counts(*(side.result() for side in sides)) for row, sides in found.items()}


def rows_of(skins: Iterable[Skin]) -> dict[str, Skin]:
    """All rows, in the order in which they are shown."""
    return {row: skin for skin in skins for row in skin.rows}


def compared(row: Measured, counts: Counts | None) -> Measured:
    """With the figures that compare the two sides."""
    figures = dict(row.figures)
    notices = row.notices
    if row.peer_value is not None:
        figures["times_native"] = row.value / row.peer_value
        figures["added_ns"] = (row.value - row.peer_value) / CALLS
    if counts is None:
        return replace(row, figures=figures)
    if counts.skin is None or counts.native is None:
        notices += (f"{row.name}: valgrind could not count its instructions",)
    else:
        figures["native_instructions"] = counts.native
        figures["added_instructions"] = (counts.skin - counts.native) / CALLS
    return replace(row, figures=figures, instructions=counts.skin, notices=notices)
