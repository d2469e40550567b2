# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a configuration: the C preprocessor first, then statements NAME(parameter, …);."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.project import UserError
from tactus.uitron.statements import INCLUDE, KINDS, VENDORS

_MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)".*$')
_NAME = re.compile(r"[A-Za-z_]\w*")
# A number of C: decimal, hexadecimal or octal, with the suffixes that C allows.
_NUMBER = re.compile(r"(?:(0[xX][0-9a-fA-F]+)|(0[0-7]*)|([1-9]\d*))[uUlL]*")
ID_MAX = 32767
_CLOSING = {"(": ")", "{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the static API."""

    file: str
    line: int
    name: str
    parameters: tuple[str, ...]

    @property
    def at(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says."""

    path: Path
    includes: tuple[str, ...]
    statements: tuple[Statement, ...]
    ids: dict[str, dict[str, int]]  # by whose IDs, by name


class _Text:
    """The preprocessed text, and where it is from."""

    def __init__(self, text: str, file: str) -> None:
        self.characters: list[str] = []
        self.places: list[tuple[str, int]] = []
        name, line = file, 1
        for row in text.splitlines():
            marker = _MARKER.match(row)
            if marker:
                line, name = int(marker[1]), marker[2]
                continue
            self.characters += [*row, "\n"]
            self.places += [(name, line)] * (len(row) + 1)
            line += 1
        self.text = "".join(self.characters)
        self.position = 0

    def fail(self, message: str) -> UserError:
        last = self.places[-1] if self.places else ("", 0)
        file, line = self.places[self.position] if self.position < len(self.places) else last
        return UserError(f"{file}:{line}: {message}")

    def skip(self) -> None:
        while self.position < len(self.text) and self.text[self.position] in " \t\n\r\f\v;":
            self.position += 1

    def literal(self) -> None:
        """Behind a string or a character that begins here."""
        quote = self.text[self.position]
        self.position += 1
        while self.position < len(self.text) and self.text[self.position] != quote:
            self.position += 2 if self.text[self.position] == "\\" else 1
        self.position += 1

    def parameters(self, name: str) -> Iterator[str]:
        """Of a statement, whose opening bracket is here."""
        begin, open_ones = self.position + 1, [")"]
        self.position += 1
        while self.position < len(self.text):
            character = self.text[self.position]
            if character in "\"'":
                self.literal()
                continue
            if character in _CLOSING:
                open_ones.append(_CLOSING[character])
            elif character == open_ones[-1]:
                open_ones.pop()
            if not open_ones or (character == "," and len(open_ones) == 1):
                yield self.text[begin : self.position].strip()
                begin = self.position + 1
            self.position += 1
            if not open_ones:
                return
        raise self.fail(f"{name}: the closing bracket is missing")


def preprocessed(path: Path, options: Sequence[str]) -> str:
    command = ["cc", "-E", "-xc", "-D_MACRO_ONLY", f"-I{path.parent}", *options, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise UserError("there is no C compiler: install gcc") from error
    if done.returncode:
        raise UserError(done.stderr.strip().splitlines()[0])
    return done.stdout


def statements(text: str, file: str) -> Iterator[Statement]:
    reader = _Text(text, file)
    reader.skip()
    while reader.position < len(reader.text):
        place = reader.places[reader.position]
        name = _NAME.match(reader.text, reader.position)
        if not name:
            raise reader.fail(f"{reader.text[reader.position]!r} begins no statement")
        known = name[0] in KINDS or name[0] == INCLUDE or name[0].startswith(VENDORS)
        if not known:
            raise reader.fail(f"{name[0]} is no static API; declarations belong to INCLUDE()")
        reader.position = name.end()
        reader.skip()
        if reader.text[reader.position : reader.position + 1] != "(":
            raise reader.fail(f"{name[0]}: a bracket is missing")
        parameters = tuple(reader.parameters(name[0]))
        yield Statement(*place, name[0], parameters)
        reader.skip()


def _check(statement: Statement) -> None:
    kind = KINDS[statement.name]
    wanted = 1 if kind.numbers == "-" else 2
    if len(statement.parameters) != wanted:
        raise UserError(
            f"{statement.at}: {statement.name} has {wanted} parameter{'s'[: wanted - 1]}, "
            f"not {len(statement.parameters)}"
        )
    if not statement.parameters[-1].startswith("{"):
        raise UserError(f"{statement.at}: {statement.name}: the packet is not in {{}}")


def _number(statement: Statement, text: str) -> int:
    """The ID that C reads there."""
    match = _NUMBER.fullmatch(text)
    if not match:
        raise UserError(
            f"{statement.at}: {statement.name}: {text} is no number of C: write it in decimal, "
            "in hexadecimal after 0x, or in octal digits after 0"
        )
    number = int(match[1], 16) if match[1] else int(match[2], 8) if match[2] else int(match[3])
    if not 1 <= number <= ID_MAX:
        raise UserError(f"{statement.at}: {statement.name}: ID {text} is not from 1 to {ID_MAX}")
    return number


def _ids(found: Sequence[Statement]) -> dict[str, dict[str, int]]:
    """Numbers for the names; numbers of the program stay."""
    ids: dict[str, dict[str, int]] = {}
    taken: dict[str, set[int]] = {}
    created = [(KINDS[s.name], s) for s in found if s.name.startswith("CRE_")]
    for kind, statement in created:
        first = statement.parameters[0]
        numbers = taken.setdefault(kind.numbers, set())
        names = ids.setdefault(kind.numbers, {})
        if first[:1].isdigit():
            number = _number(statement, first)
            if number in numbers:
                raise UserError(f"{statement.at}: {statement.name}: ID {first} is in use")
            numbers.add(number)
        elif not _NAME.fullmatch(first):
            raise UserError(f"{statement.at}: {statement.name}: {first!r} is no name and no number")
        elif first in names:
            raise UserError(f"{statement.at}: {statement.name}: {first} is in use")
        else:
            names[first] = 0
    for of, names in ids.items():
        number = 1
        for name in names:
            while number in taken[of]:
                number += 1
            names[name] = number
            number += 1
    return ids


def read(path: Path, options: Sequence[str]) -> Configuration:
    """The configuration in a file. Tells the statements that are not needed."""
    every = list(statements(preprocessed(path, options), str(path)))
    includes = []
    found = []
    for statement in every:
        if statement.name == INCLUDE:
            text = statement.parameters[0]
            includes.append(text[1:-1].replace('\\"', '"') if text.startswith('"') else text)
        elif statement.name in KINDS:
            _check(statement)
            found.append(statement)
        else:
            print(f"{statement.at}: {statement.name} is not needed here", file=sys.stderr)
    return Configuration(path, tuple(includes), tuple(found), _ids(found))
