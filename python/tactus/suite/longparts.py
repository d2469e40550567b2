# SPDX-License-Identifier: LGPL-2.1-or-later
"""The parts of the long run: what `./tactus test` leaves out.

A part is declared in one of four places, and nowhere else:
- a test of meson.build in the suite `long` (or `bare`, which needs a stand-in for the module);
- a build of plan.py that leaves tests to the long run;
- a test of tests/python with the mark `on_request`;
- a command in tests/long.toml (foreign suites, stress).
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactus import tomltext
from tactus.project import Project, UserError
from tactus.suite import checks, mesontests, tap
from tactus.suite.case import Case, Outcome
from tactus.suite.mesontests import LONG, ON_REQUEST, Build

COMMANDS = "tests/long.toml"
SKIPPED_STATUS = 77
TAIL_LINES = 40
_KEYS = {"name": str, "why": str, "command": list, "limit_s": int, "tap": bool}
_OPTIONAL = {"tap"}


@dataclass(frozen=True, slots=True)
class Part:
    """One unit of the long run: an interruption repeats at most this. beside: it does not need the
    machine's own time, so it may run beside others of this kind."""

    name: str
    run: Callable[[], list[Case]]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of tests/long.toml; `why`: what it finds that continuous integration does not
    find."""

    name: str
    why: str
    command: tuple[str, ...]
    limit_s: int
    tap: bool = False


def parts(project: Project, build: Build, others: Sequence[Build]) -> list[Part]:
    """All parts, the short ones first, for builds that are up to date. others: builds that leave
    tests to the long run."""

    def asked_for(test: mesontests.Test) -> bool:
        return LONG in test.suites or test.back_end in ON_REQUEST

    def left_by(other: Build) -> list[Part]:
        def is_left(test: mesontests.Test) -> bool:
            return other.accepts(test) and other.leaves(test) and not asked_for(test)

        return _tests(project, other, is_left, before=f"{other.name}: ")

    left = [part for other in others for part in left_by(other)]
    own = _tests(project, build, asked_for)
    return [*own, *left, *_commands(project, build), *_marked(project)]


def _tests(
    project: Project, build: Build, wanted: Callable[[mesontests.Test], bool], before: str = ""
) -> list[Part]:
    folder = project.root / build.folder

    def part(test: mesontests.Test) -> Part:
        return Part(before + test.label, lambda: mesontests.run_one(build, folder, test))

    return [part(test) for test in mesontests.declared(folder) if wanted(test)]


def _marked(project: Project) -> list[Part]:
    guests = set(checks.collected(project, "on_request and guest"))

    def part(test: str) -> Part:
        return Part(test, lambda: checks.pytest_one(project, test), test in guests)

    return [part(test) for test in checks.collected(project, "on_request")]


def _commands(project: Project, build: Build) -> list[Part]:
    def part(entry: Command) -> Part:
        return Part(entry.name, lambda: run_command(project.root, build.folder, entry))

    return [part(entry) for entry in read_commands(project.root / COMMANDS)]


def read_commands(file: Path) -> list[Command]:
    """The entries of the file; raises UserError, one line, for a wrong entry."""
    found = tomltext.read(file)
    if set(found) - {"part"}:
        raise UserError(f"{file}: only [[part]] tables are allowed")
    commands = [_command(file, number, part) for number, part in enumerate(found.get("part", []))]
    names = [entry.name for entry in commands]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{file}: two parts are called {name!r}")
    return commands


def _command(file: Path, number: int, part: Mapping[str, Any]) -> Command:
    name = part.get("name", f"number {number + 1}")
    for key, kind in _KEYS.items():
        if key not in part and key not in _OPTIONAL:
            raise UserError(f"{file}: part {name}: {key} is missing")
        if key in part and not isinstance(part[key], kind):
            raise UserError(f"{file}: part {name}: {key} must be of type {kind.__name__}")
    unknown = sorted(set(part) - set(_KEYS))
    if unknown:
        raise UserError(f"{file}: part {name}: no key {unknown[0]!r}: use {', '.join(_KEYS)}")
    if not part["command"] or not all(isinstance(word, str) for word in part["command"]):
        raise UserError(f"{file}: part {name}: command must be a list of words")
    return Command(
        part["name"], part["why"], tuple(part["command"]), part["limit_s"], part.get("tap", False)
    )


def run_command(root: Path, build: str, entry: Command) -> list[Case]:
    """Runs the part and returns its cases. {build} and {python} stand for the build folder and the
    interpreter."""
    words = [
        word.replace("{build}", build).replace("{python}", sys.executable) for word in entry.command
    ]
    repeat = shlex.join(words)

    def failed(why: str, text: str = "") -> list[Case]:
        return [Case(entry.name, Outcome.FAILED, f"{why}\n{_end(text)}".strip(), repeat)]

    try:
        done = subprocess.run(
            words,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=entry.limit_s,
            check=False,
        )
    except FileNotFoundError:
        return failed(f"{words[0]} is not there")
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        return failed(f"did not end in {entry.limit_s} s", said)
    if entry.tap:
        return _points(entry, done.returncode, done.stdout, repeat)
    last = re.sub(r"\s+", " ", (done.stdout.strip().splitlines() or [""])[-1])
    if done.returncode == SKIPPED_STATUS:
        return [Case(entry.name, Outcome.SKIPPED, last)]
    if done.returncode != 0:
        return failed(f"exit status {done.returncode}", done.stdout)
    return [Case(entry.name, Outcome.PASSED, last)]


def _points(entry: Command, status: int, text: str, repeat: str) -> list[Case]:
    report = tap.parse(text, entry.name)
    cases = [Case(c.name, c.outcome, c.detail, repeat) for c in report.cases]
    broken = report.fault or ("" if status in (0, SKIPPED_STATUS) else f"exit status {status}")
    if broken and not any(c.outcome is Outcome.FAILED for c in cases):
        name = f"{entry.name}: ends in order"
        cases.append(Case(name, Outcome.FAILED, f"{broken}\n{_end(text)}", repeat))
    return cases


def _end(text: str) -> str:
    return "\n".join(text.splitlines()[-TAIL_LINES:])


def names(every: Sequence[Part]) -> list[str]:
    return [part.name for part in every]
