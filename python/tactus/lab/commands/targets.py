# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab targets`: where plans can run, and the kernels that guests boot."""

from __future__ import annotations

import argparse

from tactus.lab.targets import described, find
from tactus.lab.vm import kernels
from tactus.project import Project

SUMMARY = "list the targets and kernels, or print the file of one target"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help="a target's name or file")


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    if args.target is not None:
        one = find(args.target)
        print(f"{one.name}: {one.kind}: {one.says}")
        for key, value in one.options.items():
            print(f"  {key:12} {value}")
        return 0
    print("targets")
    for each in described():
        print(f"  {each.name:12} {each.kind:6} {each.says}")
    print("  FILE.toml    ssh    another machine, see docs/spec/lab-plans.md")
    print("\nkernels of guests")
    for recipe in kernels.table().values():
        print(f"  {recipe.name:12} {recipe.says}")
    print("  a path       any other kernel")
    return 0
