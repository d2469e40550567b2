#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table of a skin, skins/NAME/calls.toml, and what is made of it.

A skin whose interface has a second side, that of modules of a kernel, has a second table for it,
skins/NAME/kernel.toml. It has calls whose names are those of the first one, and other prototypes.

usage: skin_tables.py errors TABLE   the header of error tables, NAME_errors.h
       skin_tables.py map TABLE      the exported symbols, NAME.map
       skin_tables.py page TABLE     the reference page, docs/reference/skins/NAME.md
       skin_tables.py --write [ROOT] writes the pages of all skins

The first three print. A table has these parts, of which no key may be misspelt:
  [skin]            name, title; tests: a folder of tests/skins whose tests are this skin's, too
  [sources.KEY]     title, address, opened: the documents that were read
  [codes.CODE]      value, meaning, source; assumption, as of a call; header: where CODE is
                    defined, if the headers of the calls cannot be included together
  [translate.KEY]   from codes of the nucleus (EBADF) to codes of the skin; other: from all others
  [[call]]          name, header, prototype, summary, context, source, errors (code = cause);
                    assumption: why it is so, if source is "unsourced"; deviation
                    state: served (default), macro (a macro or an inline function of the header),
                    refused (instead: what the header names), internal (why: no code and no header),
                    wrapped (a function of the C library: the linker turns the program's calls into
                    calls of __wrap_NAME; wraps: its other names, as open64)
                    symbol: how the library exports it, if not by its name
A kernel.toml may also have:
  shared            names of the first table's calls that are the same here
  tools             functions of the library that only the skin's own tools call
  [[inside]]        names, why: calls of state internal, several in one entry
"""

from __future__ import annotations

import datetime
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tree import root_of

TABLE = "calls.toml"
KERNEL_TABLE = "kernel.toml"
PAGES = "docs/reference/skins"
UNSOURCED = "unsourced"
CONTEXTS: Mapping[str, str] = {
    "any": "tasks, handlers, main()",
    "task": "tasks, main()",
    "start": "before or at the start",
}
STATES = ("served", "macro", "refused", "internal", "wrapped")
NAME_KEYS = ("name", "header", "prototype", "summary", "context", "source")
OTHER_KEYS = ("assumption", "deviation", "state", "instead", "why", "errors", "wraps", "symbol")


class TableError(Exception):
    """A table is not as this module describes it; the text names the file and the entry."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document that was read."""

    key: str
    title: str
    address: str
    opened: datetime.date


@dataclass(frozen=True, slots=True)
class Code:
    """A code of the skin."""

    name: str
    value: str
    meaning: str
    source: str
    assumption: str
    header: str  # "": any of the calls' headers


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the skin."""

    name: str
    header: str
    prototype: str
    summary: str
    context: str
    source: str
    assumption: str
    deviation: str
    state: str
    instead: str
    why: str
    errors: Mapping[str, str]
    wraps: tuple[str, ...]  # other names of a wrapped function
    symbol: str  # of the library

    @property
    def tested(self) -> bool:
        return self.state in ("served", "macro", "wrapped")

    @property
    def wrapped(self) -> tuple[str, ...]:
        """The names whose calls the linker turns here."""
        return (self.name, *self.wraps) if self.state == "wrapped" else ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the library exports for it."""
        wrapped = tuple(f"__wrap_{name}" for name in self.wrapped)
        return wrapped or ((self.symbol,) if self.state == "served" else ())


@dataclass(frozen=True, slots=True)
class Table:
    """A skin's table."""

    path: Path
    name: str
    title: str
    tests: str  # "": only the folder of its name
    sources: Mapping[str, Source]
    codes: Mapping[str, Code]
    translate: Mapping[str, Mapping[str, str]]
    calls: Mapping[str, Call]
    shared: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def kernel(self) -> bool:
        """Is it the side of modules?"""
        return self.path.name == KERNEL_TABLE

    @property
    def page_name(self) -> str:
        return f"{self.name}-kernel" if self.kernel else self.name

    def headers(self) -> list[str]:
        return sorted({call.header for call in self.calls.values() if call.header})


class Reader:
    """Takes the values of one entry out of a table, and refuses what is left."""

    def __init__(self, where: str, entry: object) -> None:
        if not isinstance(entry, dict):
            raise TableError(f"{where} is no table: write [{where.rsplit(': ', 1)[-1]}]")
        self.where = where
        self.left: dict[str, Any] = dict(entry)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.left.pop(key, default)
        if value is None:
            raise TableError(f"{self.where}: {key} is missing")
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise TableError(f"{self.where}: {key} is no text")
        if default is None and not value.strip():
            raise TableError(f"{self.where}: {key} is empty")
        return value

    def date(self, key: str) -> datetime.date:
        value = self.left.pop(key, None)
        if not isinstance(value, datetime.date):
            raise TableError(f"{self.where}: {key} is no date, as in 2026-11-30")
        return value

    def texts(self, key: str) -> dict[str, str]:
        inner = Reader(f"{self.where}: {key}", self.left.pop(key, {}))
        return {name: inner.text(name) for name in list(inner.left)}

    def names(self, key: str) -> list[str]:
        value = self.left.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise TableError(f"{self.where}: {key} is no list of names")
        return value

    def end(self) -> None:
        for key in self.left:
            raise TableError(f"{self.where}: {key} is no key of it")


def _one_of(reader: Reader, key: str, value: str, values: Iterable[str]) -> str:
    if value not in values:
        raise TableError(f"{reader.where}: {key} is {value!r}, not one of {', '.join(values)}")
    return value


def _source(key: str, entry: object, where: str) -> Source:
    reader = Reader(f"{where}: sources.{key}", entry)
    found = Source(key, reader.text("title"), reader.text("address"), reader.date("opened"))
    reader.end()
    return found


def _sourced(reader: Reader, sources: Mapping[str, Source]) -> str:
    """`KEY: place`, several joined by `; `, or unsourced."""
    told = reader.text("source")
    for part in told.split("; "):
        key, colon, place = part.partition(":")
        if told != UNSOURCED and (key not in sources or not colon or not place.strip()):
            raise TableError(
                f"{reader.where}: source {part!r} is not KEY: PLACE with a key of [sources], "
                f"and not {UNSOURCED!r}"
            )
    return told


def _code(name: str, entry: object, where: str, sources: Mapping[str, Source]) -> Code:
    reader = Reader(f"{where}: codes.{name}", entry)
    found = Code(
        name,
        reader.text("value"),
        reader.text("meaning"),
        _sourced(reader, sources),
        reader.text("assumption", ""),
        reader.text("header", ""),
    )
    reader.end()
    _check_assumption(reader, found.source, found.assumption)
    return found


def _check_assumption(reader: Reader, source: str, assumption: str) -> None:
    if source == UNSOURCED and not assumption:
        raise TableError(f"{reader.where}: assumption is missing, because it has no source")


def _call(entry: object, where: str, sources: Mapping[str, Source]) -> Call:
    name = entry.get("name", "?") if isinstance(entry, dict) else "?"
    reader = Reader(f"{where}: call {name}", entry)
    state = _one_of(reader, "state", reader.text("state", "served"), STATES)
    inside = "" if state == "internal" else None
    found = Call(
        name=reader.text("name"),
        header=reader.text("header", inside),
        prototype=reader.text("prototype", inside),
        summary=reader.text("summary", inside),
        context=_one_of(reader, "context", reader.text("context", inside), {**CONTEXTS, "": ""})
        if inside is not None
        else _one_of(reader, "context", reader.text("context"), CONTEXTS),
        source=_sourced(reader, sources),
        assumption=reader.text("assumption", ""),
        deviation=reader.text("deviation", ""),
        state=state,
        instead=reader.text("instead", None if state == "refused" else ""),
        why=reader.text("why", None if state == "internal" else ""),
        errors=reader.texts("errors"),
        wraps=tuple(reader.text("wraps", "").split()),
        symbol=reader.text("symbol", name),
    )
    reader.end()
    if state != "internal":
        _check_assumption(reader, found.source, found.assumption)
    if found.prototype and found.name not in found.prototype:
        raise TableError(f"{reader.where}: the prototype is not of {found.name}")
    return found


def _inside(entry: object, where: str) -> Iterator[Call]:
    """The calls of one [[inside]]."""
    reader = Reader(f"{where}: inside", entry)
    names, why = reader.names("names"), reader.text("why")
    reader.end()
    for name in names:
        yield Call(name, "", "", "", "any", UNSOURCED, "", "", "internal", "", why, {}, (), name)


def read(path: Path, root: Path | None = None) -> Table:
    """The table in a file; TableError for any mistake in it."""
    where = str(path.relative_to(root) if root else path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TableError(f"{where}: {error}") from None
    head = Reader(f"{where}: skin", told.pop("skin", None))
    name, title, tests = head.text("name"), head.text("title"), head.text("tests", "")
    head.end()
    sources = {key: _source(key, entry, where) for key, entry in told.pop("sources", {}).items()}
    codes = {key: _code(key, e, where, sources) for key, e in told.pop("codes", {}).items()}
    translate = {
        key: Reader(where, {key: entry}).texts(key)
        for key, entry in told.pop("translate", {}).items()
    }
    calls: dict[str, Call] = {}
    for entry in told.pop("call", []):
        call = _call(entry, where, sources)
        if call.name in calls:
            raise TableError(f"{where}: call {call.name}: there is another row of this name")
        calls[call.name] = call
    shared: list[str] = []
    tools: list[str] = []
    if path.name == KERNEL_TABLE:
        shared = Reader(where, {"shared": told.pop("shared", [])}).names("shared")
        tools = Reader(where, {"tools": told.pop("tools", [])}).names("tools")
        for entry in told.pop("inside", []):
            for call in _inside(entry, where):
                if call.name in calls or call.name in shared:
                    raise TableError(f"{where}: {call.name} has another row")
                calls[call.name] = call
    for key in told:
        raise TableError(f"{where}: [{key}] is no part of a table of a skin")
    table = Table(
        path,
        name,
        title,
        tests,
        sources,
        codes,
        translate,
        calls,
        tuple(shared),
        tuple(tools),
    )
    _check_codes(table, where)
    return table


def _check_codes(table: Table, where: str) -> None:
    """What names a code names one of [codes]."""
    for call in table.calls.values():
        for code in call.errors.keys() - table.codes.keys():
            raise TableError(f"{where}: call {call.name}: {code} is not in [codes]")
    for key, pairs in table.translate.items():
        for code in set(pairs.values()) - table.codes.keys():
            raise TableError(f"{where}: translate.{key}: {code} is not in [codes]")


def tables(root: Path) -> Iterator[Path]:
    yield from sorted([*root.glob(f"skins/*/{TABLE}"), *root.glob(f"skins/*/{KERNEL_TABLE}")])


def both_sides(table: Table) -> list[Table]:
    """The tables of one library."""
    beside = table.path.with_name(TABLE if table.kernel else KERNEL_TABLE)
    return [table, read(beside)] if beside.is_file() else [table]


def errors_header(table: Table) -> str:
    """NAME_errors.h: a struct runtime_error [] for each [translate.KEY], and the list of codes."""
    guard = f"{table.name.upper()}_ERRORS_H"
    lines = [
        "/* SPDX-License-Identifier: LGPL-2.1-or-later */",
        "/* Made of calls.toml by dev/skin_tables.py. To be included after the skin's headers. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <tactus/error.h>",
        '#include "runtime/error.h"',
        "/* X(code, meaning) for each code of the skin. */",
        " ".join(
            [
                f"#define {table.name.upper()}_CODES(X)",
                *(f'X({c.name}, "{_escaped(c.meaning)}")' for c in table.codes.values()),
            ]
        ),
    ]
    for key, pairs in table.translate.items():
        rows = [f"{{-TACT_{code}, {to}}}" for code, to in pairs.items() if code != "other"]
        rows.append(f"{{0, {pairs.get('other', '0')}}}")
        lines.append(
            f"static const struct runtime_error {table.name}_{key}_errors[] "
            f"__attribute__((unused)) = {{{', '.join(rows)}}};"
        )
    return "\n".join([*lines, "#endif", ""])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def exported(table: Table) -> set[str]:
    """The symbols of the library that a table names."""
    return {name for c in table.calls.values() for name in c.symbols} | set(table.tools)


def symbols_map(table: Table) -> str:
    """NAME.map: the served calls of both sides."""
    names = sorted(set().union(*map(exported, both_sides(table))))
    lines = "".join(f"\t{name};\n" for name in names)
    return f"{table.name.upper()}_0 {{\nglobal:\n{lines}local:\n\t*;\n}};\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _paragraphs(call: Call) -> Iterator[str]:
    yield f"### {call.name}\n"
    yield f"`{call.prototype};`\n"
    yield f"{call.summary}\n"
    if call.state == "wrapped":
        yield "The linker puts it in place of the C library's function.\n"
    if call.state == "refused":
        yield f"Refused by the compiler: {call.instead}.\n"
    where = CONTEXTS[call.context]
    source = f"Source: {call.source}." if call.source != UNSOURCED else "Unsourced."
    yield f"Callers: {where}. {source}\n"
    if call.assumption:
        yield f"Assumption: {call.assumption}\n"
    if call.deviation:
        yield f"Deviation: {call.deviation}\n"
    if call.errors:
        rows = (f"| `{code}` | {_cell(cause)} |\n" for code, cause in call.errors.items())
        yield "| code | cause |\n|---|---|\n" + "".join(rows)


def _meaning(code: Code) -> str:
    return f"{code.meaning}. Assumption: {code.assumption}" if code.assumption else code.meaning


def page(table: Table) -> str:
    """The reference page."""
    served = [call for call in table.calls.values() if call.tested]
    unsourced = sum(call.source == UNSOURCED for call in served)
    parts = [
        f"# {table.title}\n",
        f"Made of `skins/{table.name}/{table.path.name}` by `dev/skin_tables.py --write`; do not "
        "edit.\n",
        f"{len(served)} calls are served; {unsourced} of them have no source, and say what was "
        "assumed.\n",
    ]
    if table.sources:
        rows = "".join(
            f"| {s.key} | {_cell(s.title)} | <{s.address}> | {s.opened} |\n"
            for s in table.sources.values()
        )
        parts.append(f"| source | title | read at | on |\n|---|---|---|---|\n{rows}")
    for header in table.headers():
        parts.append(f"## {header}\n")
        for call in table.calls.values():
            if call.header == header and call.state != "internal":
                parts.extend(_paragraphs(call))
    rows = "".join(
        f"| `{c.name}` | {_cell(c.value)} | {_cell(_meaning(c))} |\n" for c in table.codes.values()
    )
    parts.append(f"## Codes\n\n| code | value | meaning |\n|---|---:|---|\n{rows}")
    if table.shared:
        parts.append(
            "## The same as for programs\n\n"
            f"These are in [the reference of programs]({table.name}.md): "
            + ", ".join(f"`{name}`" for name in table.shared)
            + ".\n"
        )
    inside = [call for call in table.calls.values() if call.state == "internal"]
    if inside:
        rows = "".join(f"| `{call.name}` | {_cell(call.why)} |\n" for call in inside)
        parts.append(f"## Not part of the interface\n\n| name | why |\n|---|---|\n{rows}")
    return "\n".join(parts)


MADE: Mapping[str, Callable[[Table], str]] = {
    "errors": errors_header,
    "map": symbols_map,
    "page": page,
}


def write_pages(root: Path) -> None:
    for path in tables(root):
        table = read(path, root)
        target = root / PAGES / f"{table.page_name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(table), encoding="utf-8")


def main(argv: list[str]) -> int:
    try:
        if argv[1:2] == ["--write"]:
            write_pages(root_of(argv[1:]))
        elif len(argv) == 3 and argv[1] in MADE:
            print(MADE[argv[1]](read(Path(argv[2]))), end="")
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except TableError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
