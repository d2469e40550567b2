# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab`: a group of commands, one module each in `tactus/lab/commands/`."""

from __future__ import annotations

import argparse
from typing import Protocol, cast

from tactus.lab.commands import MODULES
from tactus.project import Project

SUMMARY = "run experiments on real kernels, in virtual machines and elsewhere"


class SubCommand(Protocol):
    """What a module of the group offers, as that of a command (tactus/commands)."""

    SUMMARY: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace, project: Project) -> int: ...


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in MODULES.items():
        command = cast(SubCommand, module)
        sub = group.add_parser(
            name, help=command.SUMMARY, description=command.SUMMARY, allow_abbrev=False
        )
        command.configure(sub)
        sub.set_defaults(sub_command=command)


def run(args: argparse.Namespace, project: Project) -> int:
    command = cast(SubCommand, args.sub_command)
    if getattr(command, "NEEDS_BUILD", False):
        project.ensure_built()
    return command.run(args, project)
