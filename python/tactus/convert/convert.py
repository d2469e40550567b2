# SPDX-License-Identifier: LGPL-2.1-or-later
"""The conversion of files that belong together: what one of them declares, the others know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tactus.convert import calls, names, narrow, structures
from tactus.convert.api import Api
from tactus.convert.declared import Declarations
from tactus.convert.handles import Handles
from tactus.convert.left import Note, notes
from tactus.convert.operands import Expressions
from tactus.convert.tokens import Source

C_SUFFIXES = frozenset({".c", ".h"})
HEADER_SUFFIXES = frozenset({".h", ".hh", ".hpp", ".hxx"})
CPLUSPLUS_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"})


@dataclass(frozen=True, slots=True)
class Converted:
    """A file's text before and after, and what is left by hand: lines are those of the new text."""

    before: str
    after: str
    notes: tuple[Note, ...]


def _handles(source: Source, expressions: Expressions) -> str:
    return Handles(source, expressions).result()


# Each reads what the former one wrote.
PASSES: tuple[Callable[[Source, Expressions], str], ...] = (
    structures.rename_members,
    narrow.retype,
    calls.change,
    calls.find,
    _handles,
    structures.point_to_parameters,
    structures.initialize,
)


def convert(texts: Mapping[Path, str], api: Api) -> dict[Path, Converted]:
    """Each file's text, converted."""
    now = {path: _renamed(path, text) for path, text in texts.items()}
    for one in PASSES:
        shared = _shared(now)
        for path, text in now.items():
            source = _source(path, text)
            now[path] = one(source, _expressions(source, api, shared))
    shared = _shared(now)
    result = {}
    for path, text in now.items():
        source = _source(path, text)
        left = notes(source, _expressions(source, api, shared))
        result[path] = Converted(texts[path], text, tuple(left))
    return result


def _source(path: Path, text: str) -> Source:
    return Source(text, cplusplus=path.suffix in CPLUSPLUS_SUFFIXES)


def _renamed(path: Path, text: str) -> str:
    return names.include_skin(_source(path, names.rename(_source(path, text))))


def _shared(texts: Mapping[Path, str]) -> Declarations:
    """What the files declare for each other."""
    every = Declarations(Source("", cplusplus=False))
    for path, text in texts.items():
        found = Declarations(_source(path, text))
        is_header = path.suffix in HEADER_SUFFIXES
        every.functions |= {
            name: one for name, one in found.functions.items() if is_header or not one.is_static
        }
        if is_header:
            every.members |= found.members
            every.aliases |= found.aliases
            every.variables += [v for v in found.variables if v.is_extern]
    return every


def _expressions(source: Source, api: Api, shared: Declarations) -> Expressions:
    own = Declarations(source, shared.aliases)
    own.functions = {**shared.functions, **own.functions}
    own.members = {**shared.members, **own.members}
    # Everywhere, and behind each one of the file's own.
    own.variables += [replace(v, at=-1, first=-1, last=len(source.code)) for v in shared.variables]
    return Expressions(source, api, own)
