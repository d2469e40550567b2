# SPDX-License-Identifier: LGPL-2.1-or-later
"""Why calls of the native API return a code: the causes of dev/errors.toml, and what headers say.

A header names a code in a list, a line each (`-TACT_EAGAIN  none and timeout is TACT_NOWAIT`), or
in a sentence (`Returns 0, -TACT_EBADF, -TACT_EINVAL (size)`). What stands there beside the code is
the phrase. A code without a phrase has the cause as the table tells it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import manual

TABLE = "dev/errors.toml"
ERROR_HEADER = "abi/include/tactus/error.h"

_CODES = r"-TACT_E[A-Z]+(?:, -TACT_E[A-Z]+)*"
_ROW = re.compile(rf"^ {{3,}}({_CODES})(?:\s+|$)(.*)")
_IN_TEXT = re.compile(r"-TACT_(E[A-Z]+)(?:\s*\(([^()]*(?:\(\)[^()]*)*)\))?")
_AS = re.compile(r"\s*(?:as|and otherwise as) (tact_\w+\(\))")
_RETURNS = re.compile(r"\b(?:Returns?|returns|[Bb]oth return)\b|\balso\b(?=\s*$)")
_STOP = re.compile(r"\s*(?:Context|Cost|Source):")


@dataclass(frozen=True, slots=True)
class Cause:
    """The one cause of a code."""

    code: str
    cause: str
    sentence: str
    words: re.Pattern[str] | None  # one of them is in each phrase
    only: re.Pattern[str] | None  # none of them is in a phrase of another code
    inside: bool  # no public call returns it


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a call's manual says of a code."""

    call: manual.Call
    code: str
    text: str  # "": nothing

    @property
    def at(self) -> str:
        return f"{manual.HEADERS}/{self.call.header}:{self.call.line}: {self.call.name}()"


def causes(root: Path) -> dict[str, Cause]:
    told = tomllib.loads((root / TABLE).read_text())
    return {
        code: Cause(
            code,
            entry["cause"],
            entry["sentence"],
            _any_of(entry.get("words", ())),
            _any_of(entry.get("only", ())),
            entry.get("inside", False),
        )
        for code, entry in told.items()
    }


def _any_of(words: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(words)) if words else None


def codes(root: Path) -> dict[str, tuple[int, str]]:
    """The codes of error.h: number and comment."""
    found = re.findall(
        r"TACT_(E[A-Z]+) = (\d+),\s*/\* (.*?) \*/", (root / ERROR_HEADER).read_text(), re.DOTALL
    )
    return {code: (int(number), " ".join(text.split())) for code, number, text in found}


def phrases(call: manual.Call) -> Iterator[Phrase]:
    """In the order in which its manual names them."""
    lines = [re.sub(r"^\s?\*", "", line) for line in call.manual.splitlines()]
    row: tuple[str, list[str]] | None = None
    sentence: list[str] = []
    is_told = False
    for line in lines:
        found = _ROW.match(line)
        if row and (found or not re.match(r" {6,}\S", line)):
            yield from _of_row(call, *row)
            row = None
        if found:
            row = (found[1], [found[2]])
        elif row:
            row[1].append(line)
        else:
            is_told = (is_told or bool(_RETURNS.search(line))) and not _STOP.match(line)
            if is_told:
                sentence.append(line)
    if row:
        yield from _of_row(call, *row)
    yield from _of_sentence(call, sentence)


def _of_row(call: manual.Call, named: str, words: list[str]) -> Iterator[Phrase]:
    text = " ".join(" ".join(words).split())
    inside = re.fullmatch(r"\((.*)\)", text)
    text = inside[1] if inside else text
    found = re.findall(r"-TACT_(E[A-Z]+)", named)
    # In parentheses it is for the last code, unless it compares.
    is_shared = not inside or text.startswith("as ")
    for code in found[:-1]:
        yield Phrase(call, code, text if is_shared else "")
    yield Phrase(call, found[-1], text)


def _of_sentence(call: manual.Call, lines: list[str]) -> Iterator[Phrase]:
    text = " ".join(" ".join(lines).split())
    group: list[str] = []
    for found in _IN_TEXT.finditer(text):
        group.append(found[1])
        after = _AS.match(text, found.end())
        if found[2] or after:
            # In a sentence only a comparison is for several codes.
            shared = after[0].strip() if after else (found[2] if found[2].startswith("as ") else "")
            for code in group[:-1]:
                yield Phrase(call, code, shared)
            yield Phrase(call, group[-1], found[2] or shared)
            group = []
    for code in group:
        yield Phrase(call, code, "")
