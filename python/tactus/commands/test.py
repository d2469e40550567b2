# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus test`: the tests of continuous integration; exit status 0 if no test failed."""

from __future__ import annotations

import argparse
import time

from tactus.project import Project, UserError, say
from tactus.suite import checks, longparts, longrun, slow
from tactus.suite.case import Case, Outcome, count
from tactus.suite.longparts import Part
from tactus.suite.mesontests import BACK_ENDS, Selection
from tactus.suite.plan import GCC, LEAVING, stages

SUMMARY = "run the test suite: both back ends, sanitizers, checks of sources"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quick", action="store_true", help="the everyday part: one build, the quick tests"
    )
    parser.add_argument(
        "--long",
        action="store_true",
        help="run for hours what is left out otherwise, the oldest results first; continue after "
        f"an interruption; each part writes its result into {longrun.REPORT}",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        metavar="N",
        help="with --long: begin no part after N minutes; the next run continues",
    )
    parser.add_argument(
        "--list", action="store_true", help="with --long: list the parts, and run none"
    )
    parser.add_argument("--layer", metavar="NAME", help="only this layer (base, hal, nucleus, ...)")
    parser.add_argument(
        "--backend",
        choices=BACK_ENDS,
        help="only the tests of this back end; bare: also the long ones in virtual machines",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print each case")


def show(case: Case, verbose: bool) -> None:
    if case.outcome in (Outcome.FAILED, Outcome.UNSTEADY):
        print(f"{case.outcome.name} {case.name}")
        for line in case.detail.splitlines():
            print(f"    {line}")
        if case.repeat:
            print(f"    repeat: {case.repeat}")
    elif verbose:
        reason = f" ({case.detail.splitlines()[0]})" if case.detail else ""
        print(f"{case.outcome.value} {case.name}{reason}")


def run_long(args: argparse.Namespace, project: Project) -> int:
    if args.quick or args.layer or args.backend:
        raise UserError("--long runs all parts: leave --quick, --layer and --backend out")
    if args.minutes is not None and not args.minutes > 0:
        raise UserError("--minutes must be greater than 0")
    if not args.list:
        longrun.committed(project.root)
    for build in (GCC, *LEAVING):
        project.ensure_built(project.root / build.folder, build.options, build.build_env)
    parts = longparts.parts(project, GCC, LEAVING)
    if args.list:
        print("\n".join(longparts.names(parts)))
        return 0

    def tell(part: Part, number: int, cases: list[Case]) -> None:
        for case in cases:
            show(case, args.verbose)
        print(f"[{number}/{len(parts)}] {part.name}: {count(cases)}", flush=True)

    state = longrun.start(project.root, parts)
    say(f"{len(state.left())} of {len(parts)} parts to run")
    minutes = float("inf") if args.minutes is None else args.minutes
    complete = longrun.run(state, tell, checks.GUESTS, checks.end_running, minutes)
    counts = longrun.total(state.done[part.name] for part in parts if part.name in state.done)
    if not complete:
        say(f"{len(state.left())} parts are left for the next run")
    print(f"\n{counts}; commit {longrun.REPORT}")
    return 1 if counts.failed or not counts.passed else 0


def run(args: argparse.Namespace, project: Project) -> int:
    if args.long:
        return run_long(args, project)
    if args.list:
        raise UserError("--list is only for --long")
    if args.minutes is not None:
        raise UserError("--minutes is only for --long")
    selection = Selection(args.quick, args.layer, args.backend)
    every: list[Case] = []
    for stage in stages(project, selection):
        began = time.monotonic()
        print(f"{stage.name} ...", flush=True)
        cases = stage.run()
        for case in cases:
            show(case, args.verbose)
        print(f"{stage.name}: {count(cases)} ({time.monotonic() - began:.0f} s)", flush=True)
        every += cases
    counts = count(every)
    if not selection.quick and selection.layer is None and selection.backend is None:
        print(f"\nthe {slow.COUNT} slowest tests")
        print("\n".join(slow.lines(every, slow.reasons(project.root / slow.REASONS))))
    print(f"\n{counts}")
    return 1 if counts.failed or not counts.passed else 0
