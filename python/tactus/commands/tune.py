# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus tune`: exit status 0 if values were found, shown or removed, 1 if there are none."""

from __future__ import annotations

import argparse
import os
import statistics
import textwrap
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING

from tactus.measure import loads
from tactus.measure.alone import alone
from tactus.measure.cpus import choose_cpu
from tactus.measure.options import number, whole
from tactus.measure.units import share_text, time_text
from tactus.project import Project, UserError, say
from tactus.tune import store, verify
from tactus.tune.effort import DURATION_S, PERIOD_US, Effort
from tactus.tune.store import Gravity, Key

if TYPE_CHECKING:
    # The measurement needs packages, but --help does not.
    from tactus.tune import session

SUMMARY = "measure how much starts must be anticipated here, and store it"
NEEDS_BUILD = True


def configure_run(parser: argparse.ArgumentParser) -> None:
    """What `autotune` has, too: where it measures, and for how long."""
    add = parser.add_argument
    add("--cpu", type=whole(0, 1023, "CPU"), metavar="N", help="default: isolated, else the last")
    add(
        "--duration",
        type=number(3, 3600, "seconds"),
        default=DURATION_S,
        metavar="S",
        help=f"seconds of measurement, all runs together (default {DURATION_S:g})",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    configure_run(parser)
    add = parser.add_argument
    add(
        "--period",
        type=number(100, 100_000, "microseconds"),
        default=PERIOD_US,
        metavar="US",
        help=f"period of what is measured (default {PERIOD_US:g})",
    )
    add("--no-load", action="store_true", help="measure only on the idle machine")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--show", action="store_true", help="print what is stored for the CPU")
    group.add_argument(
        "--reset", action="store_true", help="remove what is stored; with --cpu, for that CPU"
    )


def _show(path: Path, key: Key) -> int:
    stored = store.read(path).get(key)
    if stored is None:
        print(f"CPU {key.cpu}: nothing stored in {path} for {key.model} under Linux {key.kernel}")
        return 1
    print(f"CPU {key.cpu}, {key.model}, Linux {key.kernel} ({path})")
    for name, value in zip(Gravity.__slots__, astuple(stored), strict=True):
        print(f"  {name.removesuffix('_ns'):8}{time_text(value):>8}")
    return 0


def _reset(path: Path, cpu: int | None) -> int:
    what = "everything" if cpu is None else f"CPU {cpu}"
    if store.remove(path, cpu):
        print(f"{what} removed from {path}: the built-in gravity is used from now on")
        return 0
    print(f"nothing was stored in {path}")
    return 1


def _print_result(tuned: session.Tuned, key: Key, path: Path) -> None:
    print(f"CPU {key.cpu}, {key.model}, Linux {key.kernel}: gravity, and starts with it")
    print(f"  {'':8}{'gravity':>9}{'earliest':>10}{'p50':>8}{'p99':>8}{'spun':>7}")
    for check in tuned.checks:
        value_ns = getattr(tuned.gravity, f"{check.context}_ns")
        times = (time_text(check.p50_ns), time_text(check.p99_ns), share_text(check.spun_share))
        print(
            f"  {check.context:8}{time_text(value_ns):>9}{time_text(check.earliest_ns):>10}"
            + "{:>8}{:>8}{:>7}".format(*times)
        )
    print(f"  {'idle':8}{time_text(tuned.gravity.idle_ns):>9}  a wake-up of the sleeping CPU")
    print(f"  {'preempt':8}{time_text(tuned.gravity.preempt_ns):>9}  a shot at a computing task")
    print(f"  {'':8}{'tuned':>9}{'built in':>10}  the median start, in the same rounds, idle")
    for one in tuned.compared:
        print(
            f"  {one.context:8}{time_text(statistics.median(one.tuned_ns)):>9}"
            f"{time_text(statistics.median(one.built_in_ns)):>10}"
        )
    print("spun: the CPU time that a task of 1 kHz takes in addition to its work")
    print(textwrap.fill(verify.sentence(tuned.compared), 80))
    for notice in tuned.notices:
        print(f"Notice: {notice}")
    print(f"Stored in {path}; every program on this CPU uses it.")


def measure(
    project: Project, path: Path, key: Key, effort: Effort, tell: session.Say
) -> session.Tuned:
    """Finds the gravity of the CPU and stores it in path, unless the built-in gravity is better."""
    from tactus.measure.instruments import Instruments
    from tactus.tune import session

    store.check(path)
    loads.require(effort.loads)
    instruments = Instruments.of(project)
    if ("thread", "task") not in instruments.built():
        raise UserError("this build has no thread back end, so there is nothing to tune")
    with alone():
        tuned = session.Tuner(instruments, key.cpu, effort, tell).tune()
    store.put(path, key, tuned.gravity)
    return tuned


def _refuse_beside(args: argparse.Namespace) -> None:
    """--show and --reset measure nothing."""
    given = (
        ("--duration", args.duration != DURATION_S),
        ("--period", args.period != PERIOD_US),
        ("--no-load", args.no_load),
    )
    for option, is_given in given:
        if is_given:
            raise UserError(
                f"{option} is only for tuning: leave it or "
                f"{'--show' if args.show else '--reset'} out"
            )


def check(args: argparse.Namespace) -> None:
    if args.show or args.reset:
        _refuse_beside(args)
    # The values of a CPU that no longer exists can be removed.
    if not args.reset:
        choose_cpu(args.cpu)


def run(args: argparse.Namespace, project: Project) -> int:
    path = store.file_of(os.geteuid(), os.environ)
    if args.reset:
        return _reset(path, args.cpu)
    cpu = choose_cpu(args.cpu)
    key = Key.here(cpu)
    if args.show:
        return _show(path, key)
    effort = Effort.within(args.duration, args.period, loaded=not args.no_load)
    say(f"tuning CPU {cpu}: {args.duration + 16:.0f} s; the values are kept in {path}")
    _print_result(measure(project, path, key, effort, say), key, path)
    return 0
