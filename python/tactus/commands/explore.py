# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus explore`: exit status 0 if every run passed, or every plant was found."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from tactus.explore import plants
from tactus.project import Project, UserError

SUMMARY = "explore schedules in virtual time and replay failing seeds"
PROGRAM = "tests/explore/tactus-explore"
ALL_PLANTS = "all"


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


def run(args: argparse.Namespace, project: Project) -> int:
    if args.plants is not None:
        return _find_plants(args, project)
    if args.folder is not None:
        raise UserError("--folder is only for --plants")
    project.ensure_built()
    command = [str(project.program(PROGRAM)), *_passed_on(args)]
    return subprocess.run(command, check=False).returncode
