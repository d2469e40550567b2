# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus measure`: exit status 0 if every run is valid, 1 if the load of a run died."""

from __future__ import annotations

import argparse
import math
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from tactus.measure import loads, plan
from tactus.measure.alone import alone
from tactus.measure.cpus import choose_cpu
from tactus.measure.options import check_output, number, whole
from tactus.project import Project, UserError, say

SUMMARY = "measure how late tasks start here, beside plain Linux threads"
NEEDS_BUILD = True


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--duration",
        type=number(0.2, 86400, "seconds"),
        metavar="S",
        help="seconds of each setup; by default there are 24 setups",
    )
    add(
        "--total",
        type=number(10, 864000, "seconds"),
        metavar="S",
        help="seconds of the whole run, with starts and loads (default: less than 90)",
    )
    add(
        "--repeat",
        type=whole(1, 1000, "number of repetitions"),
        default=1,
        metavar="N",
        help="measure everything N times, and tell how far the figures vary; --total is "
        "for all N together",
    )
    add(
        "--period",
        type=number(20, 1e6, "microseconds"),
        default=1000.0,
        metavar="US",
        help="period of the (fastest) task in microseconds (default 1000)",
    )
    add(
        "--tasks",
        type=whole(1, 64, "number of tasks"),
        metavar="N",
        help="periodic tasks on the CPU (default: 1, and 10)",
    )
    add("--cpu", type=whole(0, 4095, "CPU"), metavar="N", help="default: isolated, else the last")
    add(
        "--core",
        choices=[*plan.CORES, plan.BARE, "all"],
        default="all",
        help="default: all except bare, which takes the CPU from Linux for each run "
        "(kmod/README.md)",
    )
    add(
        "--context",
        choices=[*plan.CONTEXTS, "all"],
        help="context in the cores thread and bare (default: all for one task, task for several)",
    )
    add("--load", choices=[*plan.LOADS, "all"], help="default: idle and cpu")
    add(
        "--gravity",
        choices=plan.GRAVITIES,
        default=plan.STORED,
        help="gravity of the core thread: stored by tune (default), built into the "
        "library, or both in the same rounds",
    )
    add(
        "--idle",
        choices=plan.IDLES,
        default="hybrid",
        help="idle policy of Tactus (default: hybrid)",
    )
    add("--json", type=Path, metavar="FILE", help="write all figures and histograms to FILE")
    add("--report", type=Path, metavar="FILE.html", help="write a report with charts to FILE.html")


def _select(args: argparse.Namespace) -> plan.Selection:
    contexts = {None: None, "all": plan.CONTEXTS}.get(args.context, (args.context,))
    if args.context not in (None, "all", "task") and args.core not in ("all", *plan.OWN):
        raise UserError(
            f"--context {args.context} needs tasks of Tactus: use it with --core thread"
        )
    if args.gravity != plan.STORED and args.core not in ("all", plan.THREAD):
        raise UserError(f"--gravity {args.gravity} is only for the core thread: leave --core out")
    if args.duration is not None and args.total is not None:
        raise UserError("--duration is for each setup, --total for all of them: give only one")
    gravities = (plan.STORED, plan.BUILT_IN) if args.gravity == plan.BOTH else (args.gravity,)
    return plan.Selection(
        period_us=args.period,
        tasks=(1, 10) if args.tasks is None else (args.tasks,),
        cores=plan.CORES if args.core == "all" else (args.core,),
        contexts=contexts,
        loads={None: plan.DEFAULT_LOADS, "all": plan.LOADS}.get(args.load, (args.load,)),
        idle=args.idle,
        gravities=gravities,
    )


def _steps(args: argparse.Namespace, setups: Sequence[plan.Setup]) -> list[plan.Step]:
    """The results of all repetitions."""
    budget_s = plan.BUDGET_S
    if args.total is not None:
        budget_s = args.total * plan.TOTAL_SHARE / args.repeat
    steps = plan.order(setups, plan.durations(setups, args.duration, budget_s))
    least_s = plan.expected_s(plan.order(setups, dict.fromkeys(setups, plan.SHORTEST_S)))
    if args.total is not None and plan.expected_s(steps) * args.repeat > args.total:
        raise UserError(
            f"--total {args.total:g} is too short for {len(setups)} setups x {args.repeat}: give "
            f"{math.ceil(least_s * 1.5 * args.repeat)}, or choose fewer by --core, --load, --tasks"
        )
    return plan.repeated(steps, args.repeat)


def check(args: argparse.Namespace) -> None:
    _select(args)
    choose_cpu(args.cpu)
    check_output(args.json)
    check_output(args.report)


def run(args: argparse.Namespace, project: Project) -> int:
    # These need packages, but --help does not.
    from tactus.measure import document, manifest, repeats, table, verdict
    from tactus.measure.gravity import in_use
    from tactus.measure.instruments import Instruments
    from tactus.measure.session import measure

    selection = _select(args)
    loads.require(selection.loads)
    instruments = Instruments.of(project)
    cpu = choose_cpu(args.cpu)
    gravity = in_use(instruments, cpu, plan.BARE if plan.BARE in selection.cores else plan.THREAD)
    setups = plan.matrix(selection, gravity.lead_us)
    built = instruments.built()
    setups = [setup for setup in setups if (setup.core, setup.context) in built]
    if not setups:
        raise UserError(
            "this build has none of these cores and contexts; "
            "build/instruments/latency/tactus-latency --cores lists those that it has"
        )
    if args.gravity == plan.BOTH and not gravity.tuned:
        raise UserError(
            f"nothing is tuned for CPU {cpu}: run ./tactus tune, or leave --gravity out"
        )
    steps = _steps(args, setups)
    used = {load: loads.RECIPES[load].says for load in selection.loads if load in loads.RECIPES}
    facts = manifest.collect(project.root, cpu, sys.argv[1:], used)
    facts["gravity"] = gravity.as_json()
    say(f"gravity of CPU {cpu}: {gravity.describe()}")
    say(f"measuring on CPU {cpu}: {len(setups)} setups, {plan.expected_s(steps):.0f} s")

    with alone():
        found = measure(instruments, setups, steps, cpu, args.repeat)
    result = document.make(found, facts, cpu)
    if args.json is not None:
        document.write_json(args.json, result)
    print(table.render(found.results, found.noise))
    print()
    if found.repeats:
        print(repeats.render(found.repeats))
        print()
    for said in (verdict.medians(found.results), verdict.maxima(found.results, found.noise)):
        if said:
            print(textwrap.fill(said, table.WIDTH))
    for notice in found.notices():
        print(textwrap.fill(f"Notice: {notice.strip(' .')}.", table.WIDTH, subsequent_indent="  "))
    if args.report is not None:
        from tactus.report.page import render

        document.write(args.report, render(result))
    return 1 if any(r.load_failure for r in found.results) else 0
