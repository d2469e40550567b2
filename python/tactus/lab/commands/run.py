# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab run`: exit status 0 if every run is valid, 1 if a run failed or lost its load."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path

from tactus.lab import table
from tactus.lab.commands._results import FOLDER
from tactus.lab.engine import Session
from tactus.lab.engine import run as run_plan
from tactus.lab.engine.session import earlier
from tactus.lab.model import Job
from tactus.lab.plan import Filter, Plan, find, jobs
from tactus.lab.results import ResultError, document, rebuild
from tactus.lab.targets import Description, opened
from tactus.lab.targets import find as find_target
from tactus.measure import document as output
from tactus.measure import manifest
from tactus.measure.options import check_output, whole
from tactus.measure.units import plural
from tactus.project import Project, UserError, say

SUMMARY = "run a plan: instruments, under loads, on kernels"
NEEDS_BUILD = True
DEFAULT, QUICK = "default", "quick"
STDOUT = Path("-")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("plan", nargs="?", metavar="PLAN", help=f"a plan's name or file (default {DEFAULT})")
    add("--plan", dest="plan_too", metavar="PLAN", help="the same")
    add(
        "--quick",
        action="store_true",
        help="run the plan quick: less than five minutes on two CPUs",
    )
    add("--target", metavar="T", help="a target's name or file (default: the plan's)")
    add(
        "--kernel",
        action="append",
        default=[],
        metavar="K",
        help="only this one, also a path or one that is not in the plan; may be repeated",
    )
    for name in ("load", "instrument"):
        add(
            f"--{name}",
            action="append",
            default=[],
            metavar="NAME",
            help="only this one; may be repeated",
        )
    add("--results", type=Path, default=FOLDER, metavar="DIR", help=f"default {FOLDER}")
    add("--resume", action="store_true", help="skip jobs that already have a good result")
    add(
        "--json",
        type=Path,
        nargs="?",
        const=STDOUT,
        metavar="FILE",
        help="write all figures and histograms to FILE (default: standard output)",
    )
    cpus = len(os.sched_getaffinity(0))
    add(
        "--workers",
        type=whole(1, 1024, "number of workers"),
        default=cpus,
        metavar="N",
        help=f"runs at once, if virtual time makes that harmless (default: one per CPU, {cpus})",
    )
    add("--scheduler", default="", metavar="tcp://…", help="use this Dask cluster")
    add("--dry-run", action="store_true", help="print each command, and run nothing")


def _dry_run(session: Session) -> int:
    target = opened(session.description, session.project, os.environ)
    for job in session.jobs:
        print(f"# {job.id}: {job.kernel}, load {job.load}, {job.instrument} {job.core}")
        for command in target.commands(job):
            print(shlex.join(command) if len(command) > 1 else command[0])
    return 0


def _chosen(args: argparse.Namespace) -> tuple[Plan, Description, list[Job]]:
    """The plan and target that the words name, all from files."""
    named = dict.fromkeys(filter(None, (args.plan, args.plan_too, QUICK if args.quick else None)))
    if len(named) > 1:
        raise UserError(f"two plans are given, {' and '.join(named)}: leave one of them out")
    plan = find(next(iter(named), DEFAULT))
    description = find_target(args.target or plan.target)
    chosen = Filter(tuple(args.kernel), tuple(args.load), tuple(args.instrument))
    if args.scheduler and not description.virtual_time:
        raise UserError(
            f"{description.name} has real time, so its runs go one at a time, from here: leave "
            "--scheduler "
            "out, or choose a target with virtual time (./tactus lab targets)"
        )
    return plan, description, jobs(plan, description, chosen)


def check(args: argparse.Namespace) -> None:
    _chosen(args)
    if args.json != STDOUT and not args.dry_run:
        check_output(args.json)


def run(args: argparse.Namespace, project: Project) -> int:
    plan, description, every = _chosen(args)
    session = Session(project, description, every, args.results, args.workers, args.scheduler)
    if args.dry_run:
        return _dry_run(session)
    done = earlier(session) if args.resume else {}
    facts = manifest.collect(project.root, -1, sys.argv[1:], {})
    facts["plan"], facts["target"] = plan.name, description.name
    say(f"{plan.name} on {description.name}: {plural(len(session.jobs), 'run')}, {len(done)} done")
    try:
        loaded = run_plan(session, done)
    except KeyboardInterrupt:
        say(f"interrupted: the finished runs are in {args.results}; --resume continues")
        raise
    good = all(result.valid for result in loaded.results)
    try:
        for problem in rebuild(args.results):
            say(problem)
    except ResultError as error:
        # What was measured is still shown.
        say(str(error))
        good = False
    if args.json == STDOUT:
        print(json.dumps(document.make(loaded, facts), ensure_ascii=False))
    else:
        if args.json is not None:
            output.write_json(args.json, document.make(loaded, facts))
        print(table.render(loaded))
    say(f"results are in {args.results}: ./tactus lab report shows them")
    return 0 if good else 1
