# SPDX-License-Identifier: LGPL-2.1-or-later
"""A plain Linux thread measured by three programs with independent loops: if their medians agree,
none of them measures itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactus.lab.model import Row
from tactus.lab.naming import LATENCY, SYSTEMS, machine
from tactus.lab.report.tables import Table, clock_note, time

AGREE_NS = 1000
_NAMES = {"cyclictest": "cyclictest", "jitter": "jitter", "latency": "tactus-latency"}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The medians of the instruments on one kernel under one load."""

    kernel: str
    load: str
    medians_ns: tuple[int | None, ...]
    """In the order of SYSTEMS."""

    @property
    def apart_ns(self) -> int:
        known = [each for each in self.medians_ns if each is not None]
        return max(known) - min(known)

    @property
    def agrees(self) -> bool:
        return self.apart_ns <= AGREE_NS


def agreements(rows: Sequence[Row]) -> list[Agreement]:
    """Where at least two of them measured the same."""
    found: dict[tuple[str, str, int | None], dict[str, int]] = {}
    for row in rows:
        plain = row.metric == LATENCY and row.core == "linux" and row.tasks == 1
        if plain and row.instrument in SYSTEMS and row.p50_ns is not None:
            own = found.setdefault((machine(row), row.load, row.period_ns), {})
            own.setdefault(row.instrument, row.p50_ns)
    return [
        Agreement(kernel, load, tuple(medians.get(name) for name in SYSTEMS))
        for (kernel, load, _), medians in found.items()
        if len(medians) > 1
    ]


def table(rows: Sequence[Row]) -> Table | None:
    found = agreements(rows)
    if not found:
        return None
    answers = ["yes" if each.agrees else "no" for each in found]
    return Table(
        "crosscheck",
        "A plain Linux thread, measured in three ways: medians",
        ("kernel", "load", *(_NAMES[name] for name in SYSTEMS), "apart", "within 1 µs"),
        tuple(
            (each.kernel, each.load, *map(time, each.medians_ns), time(each.apart_ns), answer)
            for each, answer in zip(found, answers, strict=True)
        ),
        tuple(
            (each.kernel, each.load, *each.medians_ns, each.apart_ns, answer)
            for each, answer in zip(found, answers, strict=True)
        ),
        note=(
            f"Three programs measure the same latency with three loops. {clock_note(rows)}"
        ).strip(),
    )


def sentence(rows: Sequence[Row]) -> str:
    """Only those that all three measured."""
    whole = [each for each in agreements(rows) if None not in each.medians_ns]
    if not whole:
        return ""
    differ = [f"{each.kernel}, {each.load}" for each in whole if not each.agrees]
    if not differ:
        return (
            "cyclictest, jitter and tactus-latency agree on a plain Linux thread within 1 µs at "
            "the median."
        )
    return (
        "cyclictest, jitter and tactus-latency differ by more than 1 µs at the median of a plain "
        f"Linux thread on: {'; '.join(differ)}."
    )
