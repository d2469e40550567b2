# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tuned values beside the built-in ones, in turns, before they are stored. Pure functions."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_NS = 25.0
"""Effect of the clock and the caches of one start on a median."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A context: the median lateness of each round, with the tuned values and the built-in ones."""

    context: str
    tuned_ns: tuple[float, ...]
    built_in_ns: tuple[float, ...]

    @property
    def difference_ns(self) -> float:
        """Below 0: tuned starts are nearer to their release."""
        return statistics.median(self.tuned_ns) - statistics.median(self.built_in_ns)

    @property
    def noise_ns(self) -> float:
        """The difference between rounds of one side; a smaller difference between sides is none."""
        spreads = (max(side) - min(side) for side in (self.tuned_ns, self.built_in_ns))
        return max(LEAST_NS, *spreads)

    @property
    def is_worse(self) -> bool:
        return self.difference_ns > self.noise_ns

    @property
    def is_better(self) -> bool:
        return self.difference_ns < -self.noise_ns


def worse(compared: Sequence[Compared]) -> list[Compared]:
    """The comparisons that speak against storing."""
    return [each for each in compared if each.is_worse]


def sentence(compared: Sequence[Compared]) -> str:
    """The effect of the values on this machine."""
    better = [each.context for each in compared if each.is_better]
    always = (
        "stored values are the same at each start, while built-in ones are measured "
        "in the 20 ms of that start"
    )
    if better:
        return f"The tuned values start {' and '.join(better)} nearer to the release; {always}."
    return (
        "No start is nearer to its release than with the built-in values, whose lead "
        "follows the machine while a program runs. The gain of tuning here is that "
        f"{always}."
    )
