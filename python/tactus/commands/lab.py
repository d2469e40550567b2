# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab`: a group of commands, one module each in `tactus/lab/commands/`.

Only the chosen one is imported: a guest needs no database, a report no emulator.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any, cast

from tactus import cli
from tactus.lab.commands import NAMES
from tactus.project import Project

SUMMARY = "run experiments on real kernels, in virtual machines and elsewhere"
PACKAGE = "tactus.lab.commands"


class SubParser(cli.Parser):
    """The options of one command of the group, declared when that command is chosen."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        name = self.prog.split()[-1]
        command = cast(cli.Command, importlib.import_module(f"{PACKAGE}.{name}"))
        command.configure(self)
        self.set_defaults(sub_command=command)
        found: Any = super().parse_known_args(args, namespace)
        return cast(tuple[argparse.Namespace, list[str]], found)


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_subparsers(
        metavar="COMMAND",
        required=True,
        parser_class=SubParser,
        help="./tactus lab COMMAND --help shows its options",
    )
    folder = cli.COMMANDS.parent / "lab" / "commands"
    for name in NAMES:
        summary = cli.summary(folder / f"{name}.py")
        group.add_parser(name, help=summary, description=summary, allow_abbrev=False)


def check(args: argparse.Namespace) -> None:
    cli.check(cli.Invocation(cast(cli.Command, args.sub_command), args))


def run(args: argparse.Namespace, project: Project) -> int:
    command = cast(cli.Command, args.sub_command)
    # A command that only shows something needs no program.
    if getattr(command, "NEEDS_BUILD", False) and not getattr(args, "dry_run", False):
        project.ensure_built()
    return command.run(args, project)
