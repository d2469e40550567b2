# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rows of periodic wake-ups: runs of the latency instrument, sides in turn, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tactus.bench.measured import Measured
from tactus.measure import results, statistics
from tactus.measure.gravity import in_use
from tactus.measure.instruments import Instruments, Output
from tactus.measure.loads import Load
from tactus.measure.plan import LINUX, LINUX_SPIN, THREAD, Setup, leads_us
from tactus.measure.results import Result
from tactus.project import UserError

MANY_WEIGHT = 1.5
"""The slowest of several tasks has a quarter of the rate, and is judged alone."""
HOPELESS = 4.0
"""Of several counterparts, the best one is shown. A counterpart whose first round costs this many
times as much as the best one gets no further rounds."""
PERIOD_US = 1000.0
MANY = 10
FLOOR_NS = 1.0
"""An early start counts as one nanosecond, because a ratio needs a divisor."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Number and duration of the runs of a side with one task."""

    rounds: int
    round_s: float


FULL, QUICK = Effort(3, 1.0), Effort(2, 0.6)


@dataclass(frozen=True, slots=True)
class Wake:
    """A row of this kind."""

    what: str
    peer: str
    tasks: int = 1
    load: str = "idle"
    """Runs beside the counterpart: a thread that computes, where Tactus has a task that does so."""
    busy: bool = False
    spins: bool = False
    """The counterpart is the best of a sleeping thread and spinning threads with three leads."""


WAKES: Mapping[str, Wake] = {
    "wake_task": Wake(
        "start of a periodic task of 1 kHz after its release, hybrid idling: the median",
        "thread in clock_nanosleep()",
    ),
    "wake_task_computing": Wake(
        "the same while a task of lower priority computes",
        "thread in clock_nanosleep(), while an ordinary thread computes on its CPU",
        load="cpu",
        busy=True,
    ),
    "wake_10_tasks": Wake(
        "the same, 10 tasks of 1 to 4 ms with declared work on one CPU",
        "the best of sleeping threads and spinning ones with 3 leads",
        tasks=MANY,
        spins=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Runs:
    """A setup and its rounds."""

    setup: Setup
    outputs: Sequence[Output]

    def medians_ns(self) -> tuple[float, ...]:
        found = [statistics.summarize(o.records["latency_ns"]).p50_ns for o in self.outputs]
        return tuple(max(FLOOR_NS, float(p50)) for p50 in found if p50 is not None)

    def result(self) -> Result:
        return results.combine(self.setup, self.outputs, None)


def _look(load: Load) -> None:
    """Notes a failure, which is reported after the run."""
    load.check()


def worth_more_rounds(peers: Sequence[Runs]) -> list[Setup]:
    """The counterparts that may still be the best."""
    costs = {runs.setup: runs.result().cost() for runs in peers}
    least = min(costs.values(), default=0.0)
    return [setup for setup, cost in costs.items() if cost <= HOPELESS * least]


def _run(
    instruments: Instruments,
    setups: Sequence[Setup],
    cpu: int,
    load: Load,
    effort: Effort,
    *,
    busy: bool,
) -> list[Runs]:
    """The rounds of some setups, in turn; after the first round only of counterparts that may be
    the best."""
    outputs: dict[Setup, list[Output]] = {setup: [] for setup in setups}
    wanted = list(setups)
    for turn in range(effort.rounds):
        if turn == 1:
            peers = [Runs(setup, outputs[setup]) for setup in setups if setup.core != THREAD]
            kept = worth_more_rounds(peers)
            wanted = [setup for setup in setups if setup.core == THREAD or setup in kept]
        for setup in wanted:
            seconds = effort.round_s * (MANY_WEIGHT if setup.tasks > 1 else 1)
            done = instruments.measure(setup, cpu, seconds, lambda: _look(load), busy=busy)
            failure = load.check()
            if failure is not None:
                raise UserError(f"{failure}: try again, or see ./tactus doctor")
            outputs[setup].append(done)
    return [Runs(setup, outputs[setup]) for setup in wanted]


def _peers(wake: Wake, lead_us: float) -> list[Setup]:
    setups = [Setup(LINUX, "task", wake.tasks, wake.load, "sleep", PERIOD_US)]
    if wake.spins:
        setups += [
            Setup(LINUX_SPIN, "task", wake.tasks, wake.load, "hybrid", PERIOD_US, lead)
            for lead in leads_us(lead_us, PERIOD_US)
        ]
    return setups


def task_ratio(ours: Result, peer: Result, figure: str) -> float | None:
    """The smallest ratio of the tasks, the counterpart's figure over ours; None: a figure is
    missing."""
    ratios: list[float] = []
    for mine, other in zip(ours.tasks, peer.tasks, strict=True):
        a, b = getattr(mine.summary, figure), getattr(other.summary, figure)
        if a is None or b is None:
            return None
        ratios.append(max(FLOOR_NS, b) / max(FLOOR_NS, a))
    return min(ratios)


def make(name: str, cpu: int, fifo: bool, ours: Runs, peer: Runs) -> Measured:
    """The row from the two measured sides."""
    wake = WAKES[name]
    mine, other = ours.result(), peer.result()
    figures: dict[str, float | None] = {
        "p99_ns": mine.summary.p99_ns,
        "peer_p99_ns": other.summary.p99_ns,
        "spun_percent": 100 * mine.spun_share,
        "peer_spun_percent": 100 * other.spun_share,
    }
    if wake.tasks > 1:
        figures["least_p50_ratio_of_a_task"] = task_ratio(mine, other, "p50_ns")
        figures["least_p99_ratio_of_a_task"] = task_ratio(mine, other, "p99_ns")
    chosen = peer.setup.describe().partition(",")[0] if wake.spins else None
    return Measured(
        name=name,
        what=wake.what,
        cpu=cpu,
        fifo=fifo,
        rounds_ns=ours.medians_ns(),
        peer=wake.peer + (f": {chosen}" if chosen else ""),
        peer_rounds_ns=peer.medians_ns(),
        figures={key: float(value) for key, value in figures.items() if value is not None},
        notices=tuple(dict.fromkeys((*mine.notices, *other.notices))),
    )


def measure(instruments: Instruments, name: str, cpu: int, *, quick: bool = False) -> Measured:
    """Runs both sides; UserError says what is missing."""
    wake = WAKES[name]
    effort = QUICK if quick else FULL
    lead_us = in_use(instruments, cpu).lead_us
    ours = Setup(THREAD, "task", wake.tasks, "idle", "hybrid", PERIOD_US)
    setups = _peers(wake, lead_us)
    if wake.busy:
        with Load("idle", instruments.keeper, [cpu]) as load:
            mine = _run(instruments, [ours], cpu, load, effort, busy=True)[0]
        with Load(wake.load, instruments.keeper, [cpu]) as load:
            peers = _run(instruments, setups, cpu, load, effort, busy=False)
    else:
        with Load("idle", instruments.keeper, [cpu]) as load:
            mine, *peers = _run(instruments, [ours, *setups], cpu, load, effort, busy=False)
    best = min(peers, key=lambda runs: runs.result().cost())
    return make(name, cpu, bool(mine.outputs[0].result["realtime"]), mine, best)
