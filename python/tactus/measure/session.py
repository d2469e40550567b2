# SPDX-License-Identifier: LGPL-2.1-or-later
"""A whole measurement: starts loads, runs instruments in the planned order, combines the
results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tactus.measure import noise as noises
from tactus.measure import results as outcome
from tactus.measure.instruments import Instruments, Output
from tactus.measure.loads import Load
from tactus.measure.noise import Noise
from tactus.measure.plan import Setup, Step
from tactus.measure.progress import Meter
from tactus.measure.results import Result


@dataclass(frozen=True, slots=True)
class Measurement:
    """All results, in the order of the setups."""

    results: tuple[Result, ...]
    noise: Mapping[str, Noise]
    repeats: tuple[tuple[Result, ...], ...] = ()
    """The results of each single repetition; none if there was only one."""

    def notices(self) -> list[str]:
        """What the runs did not get, each once."""
        return list(dict.fromkeys(n for result in self.results for n in result.notices))


def measure(
    instruments: Instruments,
    setups: Sequence[Setup],
    steps: Sequence[Step],
    cpu: int,
    repeats: int = 1,
) -> Measurement:
    """Does all steps, which are `repeats` times the same. Raises UserError if a run fails; in any
    case the loads are ended."""
    outputs: dict[Setup, list[Output]] = {setup: [] for setup in setups}
    noise_outputs: dict[str, list[Output]] = {}
    failures: dict[Setup, str] = {}
    cpus = sorted(os.sched_getaffinity(0))

    with Meter(steps) as meter:
        for load_name, group in groupby(steps, key=lambda step: step.load):
            with Load(load_name, instruments.keeper, cpus) as load:
                for step in group:
                    _do(step, instruments, cpu, load, meter, outputs, noise_outputs, failures)
    return Measurement(
        tuple(outcome.combine(s, outputs[s], failures.get(s)) for s in setups),
        {load: noises.combine(noise_outputs[load]) for load in dict.fromkeys(noise_outputs)},
        tuple(
            tuple(
                outcome.combine(s, _part(outputs[s], number, repeats), failures.get(s))
                for s in setups
            )
            for number in range(repeats if repeats > 1 else 0)
        ),
    )


def _part(rounds: Sequence[Output], number: int, repeats: int) -> Sequence[Output]:
    each = len(rounds) // repeats
    return rounds[number * each : (number + 1) * each]


def _do(
    step: Step,
    instruments: Instruments,
    cpu: int,
    load: Load,
    meter: Meter,
    outputs: dict[Setup, list[Output]],
    noise_outputs: dict[str, list[Output]],
    failures: dict[Setup, str],
) -> None:
    def watch() -> None:
        load.check()
        meter.tick()

    meter.begin(step)
    if step.setup is None:
        output = instruments.noise_of(cpu, step.duration_s, watch)
        noise_outputs.setdefault(step.load, []).append(output)
        return
    outputs[step.setup].append(instruments.measure(step.setup, cpu, step.duration_s, watch))
    failure = load.check()
    if failure is not None:
        failures[step.setup] = failure
