# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of retired words (renames.toml), and the identifiers of a source file.

A row of the table has a scope: folders and files below which its names are renamed. "*" is the
whole project; what is history, and what others wrote, is in no scope.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tree import C_SUFFIXES, files

TABLE = "dev/renames.toml"

# History, the table itself, and headers whose names others fixed.
APART = (
    "CHANGES.md",
    "docs/adr",
    "docs/reports",
    "LICENSES",
    "dev/renames.toml",
    "dev/rename_words.py",
    "dev/check_words.py",
    "dev/words.py",
)
PUBLIC = re.compile(r"(nucleus|abi)/include/|skins/\w+/include/")
# A plant holds text of the file that it names.
PLANT = re.compile(r"tests/explore/plants/[^/]+\.toml")
PLANTED = re.compile(r'^file = "([^"]+)"', re.MULTILINE)

C_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<include>^[ \t]*\#[ \t]*include[ \t]*"[^"\n]*")
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>\d[\w.]*)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
PY_TOKEN = re.compile(
    r'''(?P<comment>\#[^\n]*)
    |(?P<string>[rbf]{0,2}""".*?"""|[rbf]{0,2}"(?:\\.|[^"\\\n])*"|[rbf]{0,2}'(?:\\.|[^'\\\n])*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>\d[\w.]*)''',
    re.DOTALL | re.VERBOSE,
)
OTHER_TOKEN = re.compile(r"(?P<comment>.+)", re.DOTALL)
NAME = re.compile(r"(?<![\w-])[A-Za-z_]\w*")


def is_below(path: str, scope: tuple[str, ...]) -> bool:
    return any(s == "*" or path == s or path.startswith(f"{s}/") for s in scope)


@dataclass(frozen=True)
class Row:
    """Identifiers of a scope: the retired word that they had, and the names that they have now.

    beside: new names that are there already, in another meaning that cannot be mistaken for it.
    """

    word: str
    scope: tuple[str, ...]
    names: dict[str, str]
    beside: frozenset[str]


@dataclass(frozen=True)
class Prose:
    """A noun of a scope's comments and documents; the plural goes with it."""

    scope: tuple[str, ...]
    words: dict[str, str]


@dataclass(frozen=True)
class Text:
    """What no rule finds: a piece of one file."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Table:
    files: dict[str, str]
    rows: tuple[Row, ...]
    prose: tuple[Prose, ...]
    texts: tuple[Text, ...]
    glossary: dict[str, str]


def table(root: Path) -> Table:
    with (root / TABLE).open("rb") as file:
        read = tomllib.load(file)
    rows = tuple(
        Row(r["word"], tuple(r["scope"]), dict(r["names"]), frozenset(r.get("beside", ())))
        for r in read.get("names", ())
    )
    prose = tuple(Prose(tuple(p["scope"]), dict(p["words"])) for p in read.get("prose", ()))
    texts = tuple(Text(t["file"], t["old"], t["new"]) for t in read.get("text", ()))
    glossary = dict(read.get("glossary", {}))
    return Table(dict(read.get("files", {})), rows, prose, texts, glossary)


def sources(root: Path) -> Iterator[str]:
    """Every file in which names are renamed."""
    for path in files(root):
        if not is_below(str(path), APART):
            yield str(path)


def tokens(path: str) -> re.Pattern[str]:
    if Path(path).suffix in C_SUFFIXES or PLANT.fullmatch(path):
        return C_TOKEN
    return PY_TOKEN if path.endswith(".py") else OTHER_TOKEN


def is_code(path: str) -> bool:
    return tokens(path) is not OTHER_TOKEN


def place(path: str, text: str) -> str:
    """The file whose scope counts: of a plant, the one that it changes."""
    if not PLANT.fullmatch(path):
        return path
    found = PLANTED.search(text)
    return found.group(1) if found else path


def mentions(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Place and name of what is certainly an identifier in a comment: `a_b`, `A_B`, `ab()`."""
    for token in tokens(path).finditer(text):
        if token.lastgroup != "comment":
            continue
        for found in NAME.finditer(token.group()):
            name, end = found.group(), found.end()
            if "_" in name or token.group().startswith("()", end):
                yield token.start() + found.start(), name


def names(path: str, text: str) -> Iterator[re.Match[str]]:
    """The identifiers of code; not those of comments and strings."""
    return (m for m in tokens(path).finditer(text) if m.lastgroup == "name")
