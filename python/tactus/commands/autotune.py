# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus autotune`: `tune` with the options and the output of Xenomai's autotune."""

from __future__ import annotations

import argparse
import os
import time

from tactus.commands import tune
from tactus.measure.cpus import choose_cpu
from tactus.measure.options import whole
from tactus.project import Project
from tactus.tune import store
from tactus.tune.effort import Effort
from tactus.tune.store import Gravity, Key

SUMMARY = "tune with the options and the output of Xenomai's autotune"
NEEDS_BUILD = True
PERIOD_NS = 1_000_000
CONTEXTS = {"irq": "handler_ns", "kernel": "light_ns", "user": "task_ns"}
"""Xenomai's names of the contexts: timer handlers, light tasks, tasks."""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    for name, what in zip(CONTEXTS, ("timer handlers", "light tasks", "tasks"), strict=True):
        add(f"--{name}", action="store_true", help=f"print only {what} (default: all)")
    add("--reset", action="store_true", help="remove the stored values; alone: do no more")
    add(
        "--period",
        type=whole(100_000, 100_000_000, "period"),
        default=PERIOD_NS,
        metavar="NS",
        help=f"period of what is measured (default {PERIOD_NS})",
    )
    add(
        "--noload",
        "--nohog",
        action="store_true",
        help="measure only on the idle machine",
    )
    add("--quiet", action="store_true", help="print only errors")
    add("--background", action="store_true", help="return at once, and print no more")
    tune.configure_run(parser)


def lines(gravity: Gravity, asked: list[str]) -> list[str]:
    """The lines of the requested contexts, or of all."""
    return [
        f"{name} gravity... {getattr(gravity, field)} ns"
        for name, field in CONTEXTS.items()
        if name in asked or not asked
    ]


def _asked(args: argparse.Namespace) -> list[str]:
    return [name for name in CONTEXTS if getattr(args, name)]


def detach() -> bool:
    """Leaves the terminal to a process that continues; True in the process that began."""
    if os.fork():
        return True
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    return False


def tell(*told: str) -> None:
    """Line by line, at once, because the measurement takes a while."""
    print(*told, sep="\n", flush=True)


def check(args: argparse.Namespace) -> None:
    if not args.reset or _asked(args):
        choose_cpu(args.cpu)


def run(args: argparse.Namespace, project: Project) -> int:
    say = (lambda *_: None) if args.quiet else tell
    path = store.file_of(os.geteuid(), os.environ)
    asked = _asked(args)
    if args.reset:
        store.remove(path, args.cpu)
        if not asked:
            say("== gravity reset: built-in values from now on")
            return 0
    if args.background and detach():
        return 0
    began = time.monotonic()
    key = Key.here(choose_cpu(args.cpu))
    effort = Effort.within(args.duration, args.period / 1000, loaded=not args.noload)
    say(f"== auto-tuning started, period={args.period} ns (may take a while)")
    tuned = tune.measure(project, path, key, effort, lambda _: None)
    say(*lines(tuned.gravity, asked))
    say(f"== auto-tuning completed after {time.monotonic() - began:.0f}s")
    return 0
