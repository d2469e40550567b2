# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus run`: the status of the program; 2, 126 and 127 as the launcher returns them."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import time

from tactus.measure import manifest
from tactus.measure.cpus import CPU_FOLDER, cpu_list
from tactus.project import Project, UserError

SUMMARY = "run an unmodified program with its real-time threads as tasks"
NEEDS_BUILD = True
LAUNCHER = "skins/posix/tactus-run"
# Sources that are not newer than this file are built: `tactus` then starts the launcher itself.
STAMP = "tactus-run-built"
BEGUN_S = time.time()
VALUES = ("core", "cpu", "idle", "stay", "trace")
SWITCHES = (
    "siblings",
    "light",
    "share",
    "exclusive",
    "require",
    "deny-switch",
    "report-switch",
    "summary",
    "verbose",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The launcher, which is installed without this, has the same options and checks values."""
    add = parser.add_argument
    add("--core", metavar="CORE", help="the back end: thread (default) or bare")
    add("--cpu", metavar="LIST", help="the CPUs that tasks run on, as 2 or 2,3 (default: one)")
    add("--siblings", action="store_true", help="bare: take the CPUs' SMT siblings, too")
    add("--idle", metavar="POLICY", help="hybrid (default), sleep or spin")
    add("--light", action="store_true", help="stop only the task that calls Linux")
    add("--share", action="store_true", help="let other programs use the CPUs, too (default)")
    add("--exclusive", action="store_true", help="let no other program use the CPUs")
    add("--require", action="store_true", help="end with status 125 if there is no real time")
    add("--stay", metavar="N", help="switches to Linux after which a task stays there; 0: never")
    add("--deny-switch", action="store_true", help="end the program when a task calls Linux")
    add(
        "--report-switch",
        action="store_true",
        help="report each switch of a task to Linux with a backtrace",
    )
    add("--summary", action="store_true", help="print figures of each task at the end")
    add("--trace", metavar="FILE", help="write the CPUs' events, for ui.perfetto.dev")
    add("--verbose", action="store_true", help="say what the machine did not provide")
    add("program", nargs=argparse.REMAINDER, help="after --: the program and its arguments")


def command_line(args: argparse.Namespace) -> list[str]:
    """The launcher's command line."""
    given = ((name, getattr(args, name)) for name in VALUES)
    words = [f"--{name}={value}" for name, value in given if value is not None]
    words += [f"--{name}" for name in SWITCHES if getattr(args, name.replace("-", "_"))]
    program = args.program[1:] if args.program[:1] == ["--"] else args.program
    return [*words, "--", *program]


def check(args: argparse.Namespace) -> None:
    """Only checks that the machine has the CPUs: the launcher knows what each core accepts."""
    if args.cpu is None:
        return
    if not re.fullmatch(r"[0-9]{1,4}(,[0-9]{1,4})*", args.cpu):
        raise UserError(f"--cpu {args.cpu}: give numbers with commas, as 2 or 2,3")
    there = manifest.read(CPU_FOLDER, "present")
    for cpu in map(int, args.cpu.split(",")):
        if there and cpu not in cpu_list(there):
            raise UserError(f"--cpu {cpu}: there is no such CPU; choose from {there}")


def run(args: argparse.Namespace, project: Project) -> int:
    launcher = str(project.program(LAUNCHER))
    stamp = project.build / STAMP
    with contextlib.suppress(PermissionError):  # the build of another user
        stamp.touch()
        os.utime(stamp, (BEGUN_S, BEGUN_S))
    os.execv(launcher, [launcher, *command_line(args)])
