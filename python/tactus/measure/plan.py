# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is measured, in which order, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

LINUX, LINUX_SPIN, THREAD, BARE = "linux", "linux-spin", "thread", "bare"
LINUX_BEST = "linux-best"
"""In tables: linux-spin with the best of its leads, if that is not the lead of Tactus."""
CORES = (LINUX, LINUX_SPIN, THREAD)
OWN = (THREAD, BARE)
"""The cores of Tactus, with contexts and idle policies."""
STORED, BUILT_IN = "stored", "built-in"
BOTH = "both"
GRAVITIES = (STORED, BUILT_IN, BOTH)
"""Gravity of the core thread: what `tune` stored for the CPU, if it did, or the built-in one."""
CONTEXTS = ("handler", "light", "task")
LOADS = ("idle", "cpu", "io", "net", "hackbench")
DEFAULT_LOADS = ("idle", "cpu")
IDLES = ("sleep", "hybrid", "spin")
ROUNDS = 2

BUDGET_S = 82.0
"""Duration of a whole default run; the promise is 90 s on a machine slower than the tested ones."""
TOTAL_SHARE = BUDGET_S / 90
"""The same share of a requested total."""
SHORTEST_S = 0.4
"""Duration of a setup over all rounds: less gives no percentiles."""
RUN_OVERHEAD_S = 0.18
NOISE_S = 1.0
LOAD_START_S = 0.5
MANY_TASKS_WEIGHT = 2.5
"""Several tasks share the samples of a run, and the slowest has a quarter of the rate."""
DURATION_LIMIT_S = 10.0
"""Enough for p99.9 of one task at 1 kHz; a small selection does not fill the budget."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One configuration, which is a row of the table. Of several leads, only the one of Tactus and
    the best one are shown."""

    core: str
    context: str
    tasks: int
    load: str
    idle: str
    period_us: float
    lead_us: float = 0.0
    gravity: str = STORED
    same_lead: bool = False
    """Lead of the spinning peer: as far ahead as Tactus wakes its CPU here."""

    @property
    def name(self) -> str:
        """The core's name in tables, which distinguishes the rows if both gravities are
        measured."""
        return BUILT_IN if self.gravity == BUILT_IN else self.core

    @property
    def row(self) -> str:
        """The name of its row."""
        other = self.core == LINUX_SPIN and not self.same_lead
        return LINUX_BEST if other else self.name

    def describe(self) -> str:
        lead = f" {self.lead_us:g} µs ahead" if self.core == LINUX_SPIN else ""
        tasks = "1 task" if self.tasks == 1 else f"{self.tasks} tasks"
        return f"{self.name} {self.context}{lead}, {self.load}, {tasks}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The user's request; the defaults are the small matrix."""

    period_us: float = 1000.0
    tasks: tuple[int, ...] = (1, 10)
    cores: tuple[str, ...] = CORES
    contexts: tuple[str, ...] | None = None
    loads: tuple[str, ...] = DEFAULT_LOADS
    idle: str = "hybrid"
    gravities: tuple[str, ...] = (STORED,)


@dataclass(frozen=True, slots=True)
class Step:
    """One start of an instrument: a round of a setup or, if setup is None, of the noise."""

    load: str
    round: int
    setup: Setup | None
    duration_s: float


def leads_us(gravity_us: float, period_us: float) -> tuple[float, ...]:
    """The spinning peer's three leads: the gravity that Tactus uses, half of it, twice of it."""
    return tuple(sorted({_lead_us(gravity_us * f, period_us) for f in (0.5, 1.0, 2.0)}))


def _lead_us(wanted_us: float, period_us: float) -> float:
    return min(round(wanted_us, 3), period_us / 2)


def _contexts(selection: Selection, tasks: int) -> Sequence[str]:
    if selection.contexts is not None:
        return selection.contexts
    return CONTEXTS if tasks == 1 else ("task",)


def matrix(selection: Selection, gravity_us: float) -> list[Setup]:
    """Every setup of the selection, load by load."""
    setups: list[Setup] = []
    own_us = _lead_us(gravity_us, selection.period_us)
    for load in selection.loads:
        for tasks in selection.tasks:
            common = (tasks, load)
            if LINUX in selection.cores:
                setups.append(Setup(LINUX, "task", *common, "sleep", selection.period_us))
            if LINUX_SPIN in selection.cores:
                setups += [
                    Setup(
                        LINUX_SPIN,
                        "task",
                        *common,
                        "hybrid",
                        selection.period_us,
                        lead,
                        same_lead=lead == own_us,
                    )
                    for lead in leads_us(gravity_us, selection.period_us)
                ]
            setups += [
                Setup(core, context, *common, selection.idle, selection.period_us, 0.0, gravity)
                for core in OWN
                if core in selection.cores
                for context in _contexts(selection, tasks)
                for gravity in (selection.gravities if core == THREAD else (STORED,))
            ]
    return setups


def durations(
    setups: Sequence[Setup], duration_s: float | None, budget_s: float = BUDGET_S
) -> dict[Setup, float]:
    """Seconds of each setup over all rounds; from the budget unless the user gave them."""
    if duration_s is not None:
        return {setup: duration_s for setup in setups}
    loads = len({setup.load for setup in setups})
    fixed = ROUNDS * (len(setups) * RUN_OVERHEAD_S + loads * (NOISE_S + LOAD_START_S))
    weights = {s: MANY_TASKS_WEIGHT if s.tasks > 1 else 1 for s in setups}
    unit = max(SHORTEST_S, (budget_s - fixed) / sum(weights.values()))
    # A requested total is used completely.
    most = DURATION_LIMIT_S if budget_s == BUDGET_S else unit
    return {s: min(unit * w, most * w) for s, w in weights.items()}


def order(setups: Sequence[Setup], seconds: dict[Setup, float]) -> list[Step]:
    """Each setup in two rounds, the second in the reverse order, also of the loads: if a machine
    drifts (warms up, gets a busy neighbour), all setups are affected equally."""
    loads = list(dict.fromkeys(setup.load for setup in setups))
    forth = [
        step
        for load in loads
        for step in [
            Step(load, 0, None, NOISE_S),
            *(
                Step(load, 0, setup, seconds[setup] / ROUNDS)
                for setup in setups
                if setup.load == load
            ),
        ]
    ]
    back = [Step(s.load, 1, s.setup, s.duration_s) for s in reversed(forth)]
    return forth + back


def expected_s(steps: Iterable[Step]) -> float:
    """The duration of the steps, for the time left."""
    return sum(step.duration_s + RUN_OVERHEAD_S for step in steps)


def repeated(steps: Sequence[Step], repeats: int) -> list[Step]:
    """All steps so many times, one after the other; rounds are numbered through."""
    return [
        replace(step, round=repeat * ROUNDS + step.round)
        for repeat in range(repeats)
        for step in steps
    ]
