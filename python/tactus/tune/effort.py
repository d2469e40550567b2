# SPDX-License-Identifier: LGPL-2.1-or-later
"""How much a tuning measures. Without numpy: options are parsed before that is installed."""

from __future__ import annotations

from dataclasses import dataclass

CONTEXTS = ("handler", "light", "task")
PERIOD_US = 500.0
DURATION_S = 36.0
COMPARED = 3
"""Rounds of each side in the comparison of the values found with the built-in ones."""
SHORT_SHARE = 0.1
SHORTEST_US = 50.0
"""Tasks of shorter periods have warm caches, and must not start early either. Below the shortest
period, the CPU has no time to sleep."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The extent of the measurements."""

    loads: tuple[str, ...]
    run_s: float
    period_us: float = PERIOD_US

    @classmethod
    def within(
        cls, duration_s: float, period_us: float = PERIOD_US, *, loaded: bool = True
    ) -> Effort:
        """Idle and, if loaded, under cpu load: each delay and each check in its own run; those of
        the contexts once more, idle, with a shorter period; then each context beside the built-in
        values."""
        loads = ("idle", "cpu") if loaded else ("idle",)
        runs = len(loads) + 1 + 2 * len(CONTEXTS) * (len(loads) + 1 + COMPARED)
        return cls(loads, duration_s / runs, period_us)

    @property
    def short_us(self) -> float:
        return min(self.period_us, max(SHORT_SHARE * self.period_us, SHORTEST_US))
