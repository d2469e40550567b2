# SPDX-License-Identifier: LGPL-2.1-or-later
"""The measurements of a tuning: each delay alone, then the whole result in a second measurement."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tactus.measure.instruments import Instruments, Output
from tactus.measure.loads import Load
from tactus.measure.plan import BUILT_IN, STORED, THREAD, Setup
from tactus.measure.statistics import Nanoseconds, percentile
from tactus.project import UserError
from tactus.tune import choose, verify
from tactus.tune.effort import COMPARED, CONTEXTS, Effort
from tactus.tune.store import Gravity
from tactus.tune.verify import Compared

UNTUNED = Gravity(1, 1, 1, 1, 1)
"""Practically no anticipation: delays are fully visible."""
BUILT_IN_GRAVITY = Gravity(0, 0, 0, 0, 0)
"""Nothing is overridden."""
FIRED_AHEAD_NS = 2000
"""In any case, timers fire this much before their instant (PATH_NS of the nucleus)."""
CHECKS = 3
STARTED_UP = 20
"""The first releases after a start warm caches, and say nothing about the machine."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Check:
    """A context in the second measurement, over all loads."""

    context: str
    earliest_ns: int
    p50_ns: int | None
    p99_ns: int | None
    spun_share: float


@dataclass(frozen=True, slots=True)
class Tuned:
    gravity: Gravity
    checks: tuple[Check, ...]
    compared: tuple[Compared, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """A context under each of the loads, and its earliest start with any period."""

    outputs: Sequence[Output]
    earliest_ns: int


class Tuner:
    """Runs the instrument on one CPU."""

    def __init__(self, instruments: Instruments, cpu: int, effort: Effort, say: Say) -> None:
        self._instruments = instruments
        self._cpu = cpu
        self._effort = effort
        self._say = say
        self._notices: list[str] = []

    def _run(
        self,
        context: str,
        gravity: Gravity,
        idle: str = "hybrid",
        *,
        busy: bool = False,
        period_us: float | None = None,
    ) -> Output:
        built_in = gravity is BUILT_IN_GRAVITY
        setup = Setup(
            THREAD,
            context,
            1,
            "idle",
            idle,
            period_us or self._effort.period_us,
            gravity=BUILT_IN if built_in else STORED,
        )
        output = self._instruments.measure(
            setup,
            self._cpu,
            self._effort.run_s,
            lambda: None,
            environment={} if built_in else gravity.environment(),
            busy=busy,
        )
        self._notices += output.result["notices"]
        return output

    def _under_loads(self, run: Callable[[], Output]) -> list[Output]:
        outputs = []
        for name in self._effort.loads:
            with Load(name, self._instruments.keeper, sorted(os.sched_getaffinity(0))) as load:
                outputs.append(run())
                failure = load.check()
            if failure is not None:
                raise UserError(f"{failure}: start ./tactus tune again")
        return outputs

    def tune(self) -> Tuned:
        self._say("wake-up from idle")
        woken = self._under_loads(lambda: self._run("light", UNTUNED, "sleep"))
        idle_ns = choose.lead(
            [_delays(o) + FIRED_AHEAD_NS for o in woken], choose.IDLE_SHARE, choose.IDLE_HIGHEST_NS
        )
        self._say("preemption of a task that computes")
        preempted = self._run("light", UNTUNED, busy=True)
        preempt_ns = choose.lead(
            [_delays(preempted)], choose.PREEMPT_SHARE, choose.PREEMPT_HIGHEST_NS
        )
        gravity = replace(UNTUNED, idle_ns=idle_ns, preempt_ns=preempt_ns)
        for context in CONTEXTS:
            self._say(f"the way to the first instruction of a {context}")
            shortest_ns = self._look(context, gravity).earliest_ns + 1
            gravity = _with(gravity, context, choose.anticipation(shortest_ns))
        return self._check(gravity)

    def _look(self, context: str, gravity: Gravity) -> _Look:
        outputs = self._under_loads(lambda: self._run(context, gravity))
        short = self._run(context, gravity, period_us=self._effort.short_us)
        return _Look(outputs, min(int(_delays(o, 0).min()) for o in (*outputs, short)))

    def _check(self, gravity: Gravity) -> Tuned:
        checks = []
        for context in CONTEXTS:
            self._say(f"measuring again: {context}")
            for _ in range(CHECKS):
                look = self._look(context, gravity)
                chosen_ns = getattr(gravity, f"{context}_ns")
                left_ns = choose.after_check(chosen_ns, look.earliest_ns)
                if left_ns == chosen_ns:
                    break
                gravity = _with(gravity, context, left_ns)
            else:
                raise UserError(
                    f"the way of a {context} varies from run to run: see ./tactus doctor"
                )
            checks.append(_checked(context, look, self._effort.period_us))
        compared = self.beside_built_in(gravity)
        for worse in verify.worse(compared):
            raise UserError(
                f"with the values found, a {worse.context} starts "
                f"{worse.difference_ns:.0f} ns later than with the built-in ones in the same "
                "rounds, so nothing is stored: tune when the machine is less busy, or with a "
                "longer --duration"
            )
        return Tuned(gravity, tuple(checks), compared, tuple(dict.fromkeys(self._notices)))

    def beside_built_in(self, gravity: Gravity) -> tuple[Compared, ...]:
        """Both sides in turn, idle, each context in COMPARED rounds."""
        compared = []
        for context in CONTEXTS:
            self._say(f"beside the built-in values: {context}")
            tuned: list[float] = []
            built_in: list[float] = []
            for number in range(COMPARED):
                # The side that comes first changes, so that the drift of a machine affects both
                # sides alike.
                sides = [(gravity, tuned), (BUILT_IN_GRAVITY, built_in)]
                for values, medians in sides if number % 2 else reversed(sides):
                    medians.append(float(np.median(_delays(self._run(context, values)))))
            compared.append(Compared(context, tuple(tuned), tuple(built_in)))
        return tuple(compared)


def _delays(output: Output, skip: int = STARTED_UP) -> Nanoseconds:
    delays: Nanoseconds = output.records["latency_ns"].astype(np.int64)[skip:]
    if not len(delays):
        raise UserError("the run measured too few releases: raise --duration")
    return delays


def _with(gravity: Gravity, context: str, value_ns: int) -> Gravity:
    match context:
        case "handler":
            return replace(gravity, handler_ns=value_ns)
        case "light":
            return replace(gravity, light_ns=value_ns)
        case _:
            return replace(gravity, task_ns=value_ns)


def _checked(context: str, look: _Look, period_us: float) -> Check:
    delays = np.concatenate([_delays(output, 0) for output in look.outputs])
    spun_ns = sum(output.result["spun_ns"] for output in look.outputs)
    wall_ns = sum(output.result["wall_ns"] for output in look.outputs)
    return Check(
        context,
        look.earliest_ns,
        percentile(delays, 500),
        percentile(delays, 990),
        spun_ns / wall_ns * period_us / 1000,
    )
