# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus test`: what continuous integration runs; exit status 0 when nothing failed."""

from __future__ import annotations

import argparse
import time

from tactus.project import Project
from tactus.suite.case import Case, Outcome, count
from tactus.suite.mesontests import BACK_ENDS, Selection
from tactus.suite.plan import stages

SUMMARY = "run the test suite: both back ends, sanitizers, checks of sources"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quick", action="store_true", help="the everyday part: one build, the quick tests"
    )
    parser.add_argument("--layer", metavar="NAME", help="only this layer (base, hal, nucleus, ...)")
    parser.add_argument(
        "--backend",
        choices=BACK_ENDS,
        help="only the tests of this back end; bare: with the long ones in virtual machines",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="name every case")


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


def run(args: argparse.Namespace, project: Project) -> int:
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
    print(f"\n{counts}")
    return 1 if counts.failed or not counts.passed else 0
