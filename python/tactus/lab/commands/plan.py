# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab plan`: the plans, or the jobs of one plan."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter

from tactus.lab.instruments import recipe
from tactus.lab.model import Job
from tactus.lab.plan import Filter, find, jobs, plans
from tactus.lab.targets import find as find_target
from tactus.measure.plan import OWN
from tactus.measure.units import plural, time_text
from tactus.project import Project

SUMMARY = "list the plans, or the jobs of one plan"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--show", metavar="PLAN", help="list the jobs of this plan (a name or a file)"
    )
    parser.add_argument("--target", metavar="T", help="list them as for this target")


def _more(job: Job) -> str:
    """The other differences of a job, so that no two lines are equal."""
    cmdline = f"cmdline {shlex.quote(job.cmdline)}" if job.cmdline else ""
    tasks = f"{job.tasks} tasks" if job.tasks > 1 else ""
    repeat = f"repeat {job.repeat + 1}" if job.repeat else ""
    return " ".join(part for part in (tasks, shlex.join(job.options), cmdline, repeat) if part)


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    if args.show is None:
        for each in plans():
            print(f"{each.name:12} {each.says}")
        return 0
    plan = find(args.show)
    target = find_target(args.target or plan.target)
    own = jobs(plan, target, Filter())
    print(f"{plan.name}: {plan.says}")
    print(f"{plural(len(own), 'job')} on {target.name}\n")
    heads = ("instrument", "core", "kernel", "CPUs", "load", "period", "samples")
    print("{:12} {:11} {:12} {:>4} {:10} {:>7} {:>8} options".format(*heads))
    for job in own:
        core = f"{job.core} {job.context}" if job.core in OWN else job.core
        intensity = f"{job.load} {job.intensity}".strip()
        periodic = recipe(job.instrument).periodic
        period, samples = (time_text(job.period_ns), str(job.samples)) if periodic else ("–", "–")
        line = (
            f"{job.instrument:12} {core:11} {job.kernel:12} {job.cpus or 'all':>4} {intensity:10} "
            f"{period:>7} {samples:>8} {_more(job)}"
        )
        print(line.rstrip())
    counts = Counter(job.instrument for job in own)
    print("\n" + ", ".join(f"{name} {count}" for name, count in counts.items()))
    return 0
