# SPDX-License-Identifier: LGPL-2.1-or-later
"""One measured row: the instrument's rounds, and the figures from them."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class OutputError(ValueError):
    """The instrument's output is no result."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Times are nanoseconds per operation, one number per round."""

    name: str
    what: str
    cpu: int
    fifo: bool
    rounds_ns: tuple[float, ...]
    peer: str | None
    peer_rounds_ns: tuple[float, ...]
    figures: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    instructions: float | None = None

    @property
    def value(self) -> float:
        """The quickest round: whatever else this machine does only adds time."""
        return min(self.rounds_ns)

    @property
    def peer_value(self) -> float | None:
        return min(self.peer_rounds_ns) if self.peer_rounds_ns else None

    @property
    def ratio(self) -> float | None:
        """The counterpart's time as a multiple of ours."""
        return None if self.peer_value is None else self.peer_value / self.value

    @property
    def median(self) -> float:
        return statistics.median(self.rounds_ns)

    @property
    def peer_median(self) -> float | None:
        return statistics.median(self.peer_rounds_ns) if self.peer_rounds_ns else None


def _numbers(document: dict[str, Any], key: str) -> tuple[float, ...]:
    values = document.get(key, [])
    if not isinstance(values, list) or not all(
        isinstance(v, int | float) and v > 0 for v in values
    ):
        raise OutputError(f"{key}: no list of times")
    return tuple(float(v) for v in values)


def parse(document: Any) -> Measured:
    """Parses the instrument's JSON; OutputError says what is wrong with it."""
    if not isinstance(document, dict):
        raise OutputError("not an object")
    missing = {"name", "what", "cpu", "fifo", "rounds", "figures", "notices"} - document.keys()
    if missing:
        raise OutputError(
            f"the JSON lacks {', '.join(sorted(missing))}: build the instruments anew"
        )
    rounds = _numbers(document, "rounds")
    peer_rounds = _numbers(document, "peer_rounds")
    if not rounds:
        raise OutputError("no rounds")
    if bool(peer_rounds) != ("peer" in document):
        raise OutputError("rounds of one side only")
    return Measured(
        name=document["name"],
        what=document["what"],
        cpu=document["cpu"],
        fifo=document["fifo"],
        rounds_ns=rounds,
        peer=document.get("peer"),
        peer_rounds_ns=peer_rounds,
        figures={k: float(v) for k, v in document["figures"].items()},
        notices=tuple(document["notices"]),
    )
