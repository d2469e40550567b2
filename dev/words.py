# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of retired words (retired.toml), and the identifiers of a source file.

A row of the table has a scope: folders and files below which its names are refused. "*" is the
whole project; what is history, and what others wrote, is in no scope.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tree import C_SUFFIXES, files

TABLE = "dev/retired.toml"

# History and what converts it, the table itself, and headers whose names are fixed by others.
APART = (
    "CHANGES.md",
    "docs/adr",
    "docs/guide/api-1.md",
    "docs/reports",
    "python/tactus/convert",
    "tests/python/data/api-0",
    "tests/python/test_convert.py",
    "LICENSES",
    "dev/retired.toml",
    "dev/check_words.py",
    "dev/words.py",
)
# A plant contains text of the file that it names.
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
    """Identifiers of a scope: the retired word, and the present names."""

    word: str
    scope: tuple[str, ...]
    names: dict[str, str]


@dataclass(frozen=True)
class Table:
    files: dict[str, str]
    rows: tuple[Row, ...]


def table(root: Path) -> Table:
    with (root / TABLE).open("rb") as file:
        read = tomllib.load(file)
    rows = tuple(Row(r["word"], tuple(r["scope"]), dict(r["names"])) for r in read.get("names", ()))
    return Table(dict(read.get("files", {})), rows)


def sources(root: Path) -> Iterator[str]:
    """Every file whose names are checked."""
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
    """The file whose scope counts: for a plant, the file that it changes."""
    if not PLANT.fullmatch(path):
        return path
    found = PLANTED.search(text)
    return found.group(1) if found else path


def mentions(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Place and name of each certain identifier in a comment: `a_b`, `A_B`, `ab()`."""
    for token in tokens(path).finditer(text):
        if token.lastgroup != "comment":
            continue
        for found in NAME.finditer(token.group()):
            name, end = found.group(), found.end()
            if "_" in name or token.group().startswith("()", end):
                yield token.start() + found.start(), name


def names(path: str, text: str) -> Iterator[re.Match[str]]:
    """The identifiers of code, without those of comments and strings."""
    return (m for m in tokens(path).finditer(text) if m.lastgroup == "name")
