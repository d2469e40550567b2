# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus explore`: exit status 0 if every run passed, or every plant was found."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from pathlib import Path

from tactus.explore import plants, program
from tactus.explore.program import Program, Result
from tactus.project import Project, UserError

SUMMARY = "explore schedules in virtual time and replay failing seeds"
PROGRAM = "tests/explore/tactus-explore"
ALL_PLANTS = "all"
SEEDS = 100
TIMEOUT_S = 60
SHOWN = 20
JOBS_MAX = 64


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--scenario", metavar="NAME", help="only this scenario (default: all)")
    add("--seed", metavar="S", help="one seed: prints the hash of its schedules")
    add("--seeds", metavar="N", help="number of seeds (default 100)")
    add("--first", metavar="S", help="begin with this seed (default 1)")
    add("--jobs", metavar="N", help="number of runs at once (default: the allowed CPUs)")
    add("--known", type=Path, metavar="FILE", help="the runs that FILE lists: scenario, seed")
    add("--until-failure", action="store_true", help="stop at the first failing run")
    add("--list", action="store_true", help="print the names of the scenarios")
    add(
        "--plants",
        nargs="?",
        const=ALL_PLANTS,
        metavar="NAME",
        help="plant bugs in a copy of the nucleus and find them (default: all of them)",
    )
    add(
        "--folder",
        type=Path,
        metavar="DIR",
        help="folder for the copy and the build of --plants (default: build-plants)",
    )
    add(
        "--limit",
        metavar="S",
        help="with a program: it passes if it lives for S seconds of virtual time",
    )
    add(
        "--timeout",
        metavar="S",
        help=f"with a program: it fails if it does not end in S seconds (default {TIMEOUT_S})",
    )
    add(
        "program",
        nargs=argparse.REMAINDER,
        help="after --: a program that uses Tactus or a skin, and its arguments",
    )


def _passed_on(args: argparse.Namespace) -> list[str]:
    """The options for the program, which also checks their values."""
    words: list[str] = []
    for name in ("scenario", "seed", "seeds", "first", "jobs", "known"):
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name}", str(value)]
    for name in ("until_failure", "list"):
        if getattr(args, name):
            words.append("--" + name.replace("_", "-"))
    return words


def _find_plants(args: argparse.Namespace, project: Project) -> int:
    if _passed_on(args):
        raise UserError(
            "--plants takes scenarios and seeds from the plants: leave the other options out"
        )
    chosen = plants.load(project.root / plants.FOLDER)
    if args.plants != ALL_PLANTS:
        names = ", ".join(p.name for p in chosen)
        chosen = [p for p in chosen if p.name == args.plants]
        if not chosen:
            raise UserError(f"no plant {args.plants!r}: choose one of {names}")
    folder = (args.folder or project.root / "build-plants").absolute()
    plants.prepare(project.root, folder)
    missed = [p for p in chosen if not plants.find(p, folder)]
    print(f"found {len(chosen) - len(missed)} of {len(chosen)} planted bugs")
    return 1 if missed else 0


def _number(args: argparse.Namespace, name: str, default: int, least: int, most: int) -> int:
    text = getattr(args, name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
        raise UserError(f"--{name} {text}: give a number from {least} to {most}")
    return int(text)


def _program(args: argparse.Namespace, project: Project) -> Program:
    for name in ("scenario", "known", "plants", "folder", "list"):
        if getattr(args, name):
            raise UserError(f"--{name} is for the scenarios of Tactus: leave it out with a program")
    if args.seed is not None and (args.seeds is not None or args.first is not None):
        raise UserError("--seed is one seed: leave --seeds and --first out")
    command = args.program[1:] if args.program[:1] == ["--"] else args.program
    if not command or not shutil.which(command[0]):
        raise UserError(f"{command[0] if command else '--'}: no such program")
    limit = None if args.limit is None else _number(args, "limit", 0, 1, 10**9)
    timeout = _number(args, "timeout", TIMEOUT_S, 1, 10**6)
    chosen = Program(command, program.sim_folders(project), limit, timeout)
    program.check(chosen)
    return chosen


def _show(chosen: Program, result: Result) -> None:
    print(f"FAILED {chosen.command[0]}, seed {result.seed}: {result.why}")
    for line in result.tail:
        print(f"    {line}")
    print(f"  replay: {chosen.replay(result.seed)}", flush=True)


def _run_program(args: argparse.Namespace, project: Project) -> int:
    first = _number(args, "seed" if args.seed else "first", 1, 1, 2**63 - 1)
    many = 1 if args.seed else _number(args, "seeds", SEEDS, 1, 10**9)
    jobs = _number(args, "jobs", min(len(os.sched_getaffinity(0)), JOBS_MAX), 1, JOBS_MAX)
    project.ensure_built()
    chosen = _program(args, project)
    if not program.first_twice(chosen, first):
        print(
            f"warning: two runs of seed {first} differ, so a failure may not come again: the "
            "program uses addresses, process numbers or the time of the host"
        )
    began = time.monotonic()
    failures: list[int] = []
    ended: list[int] = []

    def tell(result: Result) -> bool:
        ended.append(result.seed)
        if not result.why:
            return True
        failures.append(result.seed)
        if len(failures) <= SHOWN:
            _show(chosen, result)
        return not args.until_failure

    program.run_all(chosen, range(first, first + many), jobs, tell)
    passed = len(ended) - len(failures)
    print(f"passed {passed} of {len(ended)} runs in {time.monotonic() - began:.1f} s")
    return 1 if failures else 0


def run(args: argparse.Namespace, project: Project) -> int:
    if args.program:
        return _run_program(args, project)
    for name in ("limit", "timeout"):
        if getattr(args, name) is not None:
            raise UserError(f"--{name} is only for a program: name one after --")
    if args.plants is not None:
        return _find_plants(args, project)
    if args.folder is not None:
        raise UserError("--folder is only for --plants")
    project.ensure_built()
    command = [str(project.program(PROGRAM)), *_passed_on(args)]
    return subprocess.run(command, check=False).returncode
