# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds the command, parses its options and runs it; each error is one line and exit status 2."""

from __future__ import annotations

import argparse
import ast
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol, cast

from tactus.project import Project, UserError, say

COMMANDS = Path(__file__).parent / "commands"
USAGE_STATUS = 2
INTERRUPTED_STATUS = 130


class Command(Protocol):
    """What a module in `commands/` defines; see there."""

    SUMMARY: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace, project: Project) -> int: ...


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; see ./{self.prog} --help")


@dataclass(frozen=True, slots=True)
class Invocation:
    """A parsed command line."""

    command: Command
    args: argparse.Namespace


def summary(source: Path) -> str:
    """The string literal assigned to SUMMARY in a module, without importing it."""
    for node in ast.parse(source.read_bytes()).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name("SUMMARY")], value=ast.Constant(str() as text))
                | ast.AnnAssign(target=ast.Name("SUMMARY"), value=ast.Constant(str() as text))
            ):
                return text
    raise ValueError(f"{source}: no SUMMARY")


def command_names() -> list[str]:
    """A command whose name has two words has an underscore in the name of its module."""
    stems = (path.stem for path in COMMANDS.glob("*.py"))
    return sorted(stem.replace("_", "-") for stem in stems if not stem.startswith("_"))


def module_of(name: str) -> str:
    return name.replace("-", "_")


def overview() -> str:
    """The output of `./tactus --help`."""
    names = command_names()
    width = max(map(len, names))
    lines = [f"  {name:{width}}  {summary(COMMANDS / f'{module_of(name)}.py')}" for name in names]
    return "\n".join(
        [
            "usage: ./tactus COMMAND [OPTIONS]",
            "",
            "Real-time tasks on the installed Linux, and measurements of their latencies.",
            "",
            *lines,
            "",
            "./tactus COMMAND --help shows the options of a command.",
        ]
    )


def load(name: str) -> Command:
    """Imports only the requested command."""
    names = command_names()
    if name not in names:
        import difflib

        near = difflib.get_close_matches(name, names, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise UserError(f"no command {name!r}: {meant}./tactus --help lists them")
    return cast(Command, importlib.import_module(f"tactus.commands.{module_of(name)}"))


def parse(argv: Sequence[str]) -> Invocation:
    """Turns a command line (command first) into a command and its checked options."""
    if argv[0].startswith("-"):
        raise UserError(f"no option {argv[0]!r} before the command; see ./tactus --help")
    command = load(argv[0])
    parser = Parser(prog=f"tactus {argv[0]}", description=command.SUMMARY, allow_abbrev=False)
    command.configure(parser)
    return Invocation(command, parser.parse_args(argv[1:]))


def check(invocation: Invocation) -> None:
    """Raises UserError for mistakes that the command line and the machine show."""
    own = getattr(invocation.command, "check", None)
    if own is not None:
        own(invocation.args)


def look(argv: Sequence[str]) -> int:
    """Runs before any set-up, in a Python without packages: 2 if the command line is wrong."""
    try:
        check(parse(argv))
    except UserError as error:
        say(str(error))
        return USAGE_STATUS
    return 0


def main(argv: Sequence[str]) -> int:
    try:
        if not argv or argv[0] in ("-h", "--help", "help"):
            print(overview())
            return 0 if argv else USAGE_STATUS
        invocation = parse(argv)
        project = Project.here()
        check(invocation)
        if getattr(invocation.command, "NEEDS_BUILD", False):
            project.ensure_built()
        return invocation.command.run(invocation.args, project)
    except UserError as error:
        say(str(error))
        return USAGE_STATUS
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        # The reader (head, less) has ended; nothing is left to flush.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
