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


def _rounds(row: dict[str, Any], side: str) -> tuple[float, ...]:
    values = row[side].get("rounds_ns") if isinstance(row.get(side), dict) else None
    if not isinstance(values, list) or not all(
        isinstance(v, int | float) and v > 0 for v in values
    ):
        raise OutputError(f"{side}: no list of times in rounds_ns")
    if not values:
        raise OutputError(f"{side}: no rounds")
    return tuple(float(v) for v in values)


def _expect(document: Any, keys: set[str]) -> None:
    if not isinstance(document, dict):
        raise OutputError("not an object")
    missing = keys - document.keys()
    if missing:
        raise OutputError(
            f"the JSON lacks {', '.join(sorted(missing))}: build the instruments anew"
        )


def parse(document: Any, sides: tuple[str, str] = ("tactus", "linux")) -> Measured:
    """Parses the only row of the instrument's JSON; OutputError says what is wrong with it. sides:
    the keys of what is measured and of its counterpart."""
    ours, peers = sides
    _expect(document, {"cpu", "rows"})
    if not isinstance(document["rows"], list) or len(document["rows"]) != 1:
        raise OutputError("not one row")
    row = document["rows"][0]
    _expect(row, {"name", "what", "peer", "fifo", ours, "figures", "notices"})
    measured_peer = peers in row
    if measured_peer and row["peer"] is None:
        raise OutputError("rounds of a counterpart without a name")
    return Measured(
        name=row["name"],
        what=row["what"],
        cpu=document["cpu"],
        fifo=row["fifo"],
        rounds_ns=_rounds(row, ours),
        peer=row["peer"] if measured_peer else None,
        peer_rounds_ns=_rounds(row, peers) if measured_peer else (),
        figures={k: float(v) for k, v in row["figures"].items()},
        notices=tuple(row["notices"]),
    )
