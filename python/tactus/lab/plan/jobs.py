# SPDX-License-Identifier: LGPL-2.1-or-later
"""From a plan and a target to jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tactus.lab.instruments import recipe
from tactus.lab.model import Clock, Job
from tactus.lab.plan.read import Group, Plan
from tactus.lab.targets.describe import Description
from tactus.measure.plan import BARE, OWN
from tactus.project import UserError

ALL_CPUS = 0
"""In a job: as many as the target has, a number that its rows get."""
SWITCHES = "latency"


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects a part of a plan; empty: everything. A kernel that the plan does not name is measured
    like those that it names."""

    kernels: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    instruments: tuple[str, ...] = ()

    def wanted(self) -> dict[str, tuple[str, ...]]:
        """By the name of the selected field of a job."""
        return {"kernel": self.kernels, "load": self.loads, "instrument": self.instruments}

    def takes(self, job: Job) -> bool:
        pairs = self.wanted().items()
        return all(not names or getattr(job, what) in names for what, names in pairs)


def _cores(instrument: str, group: Group) -> Iterator[tuple[str, str, str]]:
    """Core, context and idle method."""
    if instrument != SWITCHES:
        cores = recipe(instrument).cores
        yield BARE if BARE in group.cores and BARE in cores else cores[0], "task", "sleep"
        return
    for core in group.cores or ("thread",):
        contexts = group.contexts if core in OWN else ("task",)
        idle = group.idle if core in OWN else "sleep"
        yield from ((core, context, idle) for context in contexts)


def _of_group(
    plan: Plan, target: Description, group: Group, others: tuple[str, ...]
) -> Iterator[Job]:
    kernels = (*group.kernels, *others) if target.kernel is None else (target.kernel,)
    cpus = group.cpus if target.kernel is None else (ALL_CPUS,)
    everywhere = product(
        group.instruments, kernels, cpus, group.loads, group.tasks, range(group.repeats)
    )
    for instrument, kernel, cpu_count, load, tasks, repeat in everywhere:
        for core, context, idle in _cores(instrument, group):
            yield Job(
                plan=plan.name,
                target=target.name,
                kernel=kernel,
                cpus=cpu_count,
                instrument=instrument,
                load=load,
                intensity=str(group.intensity) if load != "idle" else "",
                core=core,
                context=context,
                tasks=tasks if instrument == SWITCHES else 1,
                idle=idle,
                period_ns=group.period_ns,
                samples=group.samples,
                cmdline=group.cmdline if target.kernel is None else "",
                options=group.options,
                clock=Clock.VIRTUAL if target.virtual_time else Clock.REAL,
                repeat=repeat,
                limit_s=float(group.limit_s),
            )


def jobs(plan: Plan, target: Description, chosen: Filter) -> list[Job]:
    """All different jobs of the plan, in its order."""
    named = {kernel for group in plan.groups for kernel in group.kernels}
    others = tuple(kernel for kernel in chosen.kernels if kernel not in named)
    every = [job for group in plan.groups for job in _of_group(plan, target, group, others)]
    for what, names in chosen.wanted().items():
        there = dict.fromkeys(getattr(job, what) for job in every)
        for name in names:
            if name not in there:
                raise UserError(
                    f"the plan {plan.name} has no {what} {name!r} on {target.name}: choose one of "
                    + ", ".join(there)
                )
    found = [job for job in dict.fromkeys(every) if chosen.takes(job)]
    if not found:
        raise UserError(
            f"the plan {plan.name} has no job for this combination: ./tactus lab plan "
            "--show lists its jobs"
        )
    return found
