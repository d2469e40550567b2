#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that each skin with a table is what its table says.

usage: check_skins.py BUILD [ROOT]

The table is skins/NAME/calls.toml (skin_tables.py), and for the side of modules of a kernel
skins/NAME/kernel.toml, whose headers are in skins/NAME/module, too, and whose tests are in
tests/skins/NAME/module. Compared with it are: the functions that the
headers declare, their prototypes and the values of the codes, by the compiler; the symbols of the
built library of virtual time; the tests in tests/skins/NAME and in the folder that the table names
for tests, where FAILS(call, code, expression) shows an error and WORKS(call, expression) a success;
and the reference page. Prints `file: what is wrong`; exit status 1 when there is something.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skin_tables import (
    PAGES,
    TABLE,
    Call,
    Table,
    TableError,
    both_sides,
    exported,
    page,
    read,
    tables,
)
from tree import root_of, tell

_CLAIM = re.compile(r"\b(FAILS|WORKS)\(")
_SAID = re.compile(r"^(\w+):1(?::\d+)?: (?:fatal )?error: (.*)$", re.MULTILINE)
_DECLARED = re.compile(r"^/\* (.+?):(\d+):\w+ \*/ (.*)$", re.MULTILINE)
_NAME = re.compile(r"(\w+) \((?!\*)")


@dataclass(frozen=True, slots=True)
class Claim:
    """A use of FAILS or WORKS in a test."""

    at: str
    call: str
    code: str  # "" of WORKS
    expression: str


MODULE = "module"
# Headers that a skin has of Linux's kernel: of their functions those with a row are the skin's.
OF_LINUX = ("linux/", "asm/")


def includes_of(root: Path, table: Table) -> list[Path]:
    """Where the headers of a table are."""
    folder = root / "skins" / table.name
    return [folder / MODULE, folder / "include"] if table.kernel else [folder / "include"]


def header_of(root: Path, table: Table, header: str) -> Path:
    """The file of a header, or where it is missing."""
    places = [folder / header for folder in includes_of(root, table)]
    return next((place for place in places if place.is_file()), places[-1])


def refuses(header: Path) -> bool:
    """Is it a header that is there to tell what to use instead?"""
    return re.search(r"^#error ", header.read_text(encoding="utf-8"), re.MULTILINE) is not None


def compiled(root: Path, table: Table, text: str, *options: str) -> str:
    """What the compiler says of a text that includes the skin's headers; "": nothing."""
    command = ["gcc", "-std=gnu11", "-xc", "-fsyntax-only", "-fno-builtin", "-w", *options]
    command += ["-D__KERNEL__"] if table.kernel else []
    command += [*(f"-I{folder}" for folder in includes_of(root, table)), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def _marked(name: str, line: str) -> str:
    """A line whose errors are told with this name."""
    return f'#line 1 "{name}"\n{line}\n'


def _row_text(call: Call) -> str:
    """Is compiled if the header declares the call with this prototype."""
    address = f"static const void *const row_{call.name} = (const void *)&{call.name};"
    if call.state == "macro":
        return (
            f"#ifndef {call.name}\n" + _marked(call.name, address) + "#endif\n"
            if "(" in call.prototype
            else f"#ifndef {call.name}\n" + _marked(call.name, "#error no such macro") + "#endif\n"
        )
    return (
        f"#undef {call.name}\n"
        + _marked(call.name, address)
        + _marked(call.name, f"extern {call.prototype};")
    )


def prototype_faults(root: Path, table: Table) -> Iterator[str]:
    for header in table.headers():
        calls = [c for c in table.calls.values() if c.header == header and c.state != "internal"]
        if not header_of(root, table, header).is_file():
            yield f"{header}: there is no such header in skins/{table.name}/include"
            continue
        text = _marked(header.replace(".", "_").replace("/", "_"), f"#include <{header}>")
        said = compiled(root, table, text + "".join(map(_row_text, calls)))
        found = _SAID.findall(said)
        for name, message in found:
            yield f"{name}: {header}: {message}"
        if said and not found:
            yield f"{header}: {said.strip().splitlines()[0]}"
        yield from refusal_faults(root, table, header, calls)


def texts_of(root: Path, table: Table, header: str) -> list[Path]:
    """A header, and the part of it that is of modules only."""
    place = header_of(root, table, header)
    parts = root / "skins" / table.name / MODULE / f"{table.name}_module"
    return [place, *sorted(parts.glob("*.h"))] if table.kernel else [place]


def refusal_faults(root: Path, table: Table, header: str, calls: Sequence[Call]) -> Iterator[str]:
    text = "".join(place.read_text(encoding="utf-8") for place in texts_of(root, table, header))
    for name, value in re.findall(r'#define (\w+)\s*\\?\s*("[^"]*")', text):
        text = re.sub(rf"\b{name}\b", value.replace("\\", r"\\"), text)
    text = text.replace("TACTUS_RTAI_REFUSED(", "error(")
    joined = re.sub(r'"\s*"', "", text)
    for call in calls:
        named = rf'error\("[^"]*{re.escape(call.instead)}[^"]*"\)'
        if call.state == "refused" and not any(
            re.search(named, statement) and re.search(rf"\b{call.name}\b", statement)
            for statement in joined.split(";")
        ):
            yield f"{call.name}: {header} does not refuse it with {call.instead!r}"


def code_faults(root: Path, table: Table) -> Iterator[str]:
    headers = table.headers()
    for header in dict.fromkeys(code.header for code in table.codes.values()):
        text = "".join(f"#include <{name}>\n" for name in ([header] if header else headers))
        for code in table.codes.values():
            if code.header == header:
                claim = f'_Static_assert(({code.name}) == ({code.value}), "is not {code.value}");'
                text += _marked(code.name, claim)
        said = compiled(root, table, text)
        found = _SAID.findall(said)
        yield from (f"codes.{name}: {message}" for name, message in found)
        if said and not found:
            yield f"codes: {said.strip().splitlines()[0]}"
    used = {code for call in table.calls.values() for code in call.errors}
    used.update(code for pairs in table.translate.values() for code in pairs.values())
    for name in sorted(table.codes.keys() - used):
        yield f"codes.{name}: neither a call nor a translation has it"


def declaration_faults(root: Path, table: Table) -> Iterator[str]:
    """Each function that a header declares has a row."""
    known = table.calls.keys() | set(table.shared) | other_side(table)
    told: set[str] = set()
    for include in includes_of(root, table):
        for header in sorted(path for path in include.rglob("*.h") if not refuses(path)):
            name = str(header.relative_to(include))
            # The parts of headers, which do not stand alone, and what is not the skin's.
            if name.startswith((*OF_LINUX, f"{table.name}_module/")):
                continue
            with tempfile.NamedTemporaryFile(prefix="tactus-skin-") as listed:
                compiled(root, table, f"#include <{name}>\n", "-aux-info", listed.name)
                # The compiler removes it if it stops at an error.
                text = Path(listed.name).read_text() if Path(listed.name).is_file() else ""
            for file, line, declaration in _DECLARED.findall(text):
                match = _NAME.search(declaration)
                if not match or not Path(file).is_relative_to(include):
                    continue
                place = str(Path(file).relative_to(include))
                at = f"{place}:{line}: {match[1]}()"
                if match[1] not in known and at not in told and not place.startswith(OF_LINUX):
                    told.add(at)
                    yield f"{at} has no row"


def other_side(table: Table) -> set[str]:
    """For modules: what the headers of both sides refuse alike."""
    if not table.kernel:
        return set()
    first = both_sides(table)[1]
    return {call.name for call in first.calls.values() if call.state in ("refused", "macro")}


def shared_faults(root: Path, table: Table) -> Iterator[str]:
    """What modules share with programs is declared for them alike."""
    if not table.kernel:
        return
    first = both_sides(table)[1]
    rows = []
    for name in table.shared:
        call = first.calls.get(name)
        if call is None or call.state != "served":
            yield f"shared: {name}: {TABLE} serves no such call"
        else:
            rows.append(call)
    for header in sorted({call.header for call in rows}):
        calls = [call for call in rows if call.header == header]
        said = compiled(root, table, f"#include <{header}>\n" + "".join(map(_row_text, calls)))
        yield from (f"shared: {n}: {header}: {m}" for n, m in _SAID.findall(said))


def symbol_faults(build: Path, table: Table) -> Iterator[str]:
    library = build / "skins" / "sim" / f"lib{table.name}.so"
    if not library.is_file():
        yield f"{library} is missing; build first"
        return
    command = ["nm", "-D", "--defined-only", str(library)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    there = set(re.findall(r" [TWBDRiV] (\w+)(?:@.*)?$", listed, re.MULTILINE))
    served = exported(table)
    for name in sorted(served - there):
        yield f"{name}: the library does not export it"
    every = set().union(*map(exported, both_sides(table)))
    for name in sorted(there - every):
        yield f"{name}: the library exports it, and no row serves it"


def archived(build: Path, table: Table) -> set[str]:
    """The functions of Linux that an archive for programs serves, beside the library: they are not
    the skin's, and have no rows."""
    archives = sorted((build / "skins").rglob(f"lib{table.name}-linux.a"))
    if not archives:
        return set()
    command = ["nm", "--defined-only", *map(str, archives)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r" T __wrap_(\w+)$", listed, re.MULTILINE))


def wrap_faults(build: Path, table: Table) -> Iterator[str]:
    """The flags of programs wrap what the rows say and what an archive serves, and nothing else."""
    flags = build / "skins" / f"{table.name}.flags"
    if not flags.is_file():
        yield f"{flags} is missing; build first"
        return
    told = set(re.findall(r"-Wl,--wrap=(\w+)", flags.read_text(encoding="utf-8")))
    rows = {name for call in table.calls.values() for name in call.wrapped}
    for name in sorted(rows - told):
        yield f"{name}: the flags of programs do not wrap it (skins/{table.name}/meson.build)"
    for name in sorted(told - rows - archived(build, table)):
        yield f"{name}: the flags of programs wrap it, and no row says so"


def _closing(text: str, start: int) -> int:
    """The index of the parenthesis that closes the one before start."""
    depth, quote, at = 1, "", start
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "()":
            depth += 1 if char == "(" else -1
            if not depth:
                break
        at += 1
    return at


def claims(root: Path, table: Table) -> Iterator[Claim]:
    folders = [table.name, table.tests] if table.tests else [table.name]
    side = MODULE if table.kernel else ""
    for path in sorted(
        p for name in folders for p in (root / "tests/skins" / name / side).rglob("*.c")
    ):
        if not table.kernel and path.is_relative_to(root / "tests/skins" / table.name / MODULE):
            continue
        text = re.sub(
            r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), path.read_text(), flags=re.DOTALL
        )
        for match in _CLAIM.finditer(text):
            inside = text[match.end() : _closing(text, match.end())]
            parts = [part.strip() for part in inside.split(",", 2 if match[1] == "FAILS" else 1)]
            line = text.count("\n", 0, match.start()) + 1
            at = f"{path.relative_to(root)}:{line}"
            if len(parts) == (3 if match[1] == "FAILS" else 2):
                code = parts[1] if match[1] == "FAILS" else ""
                yield Claim(at, parts[0], code, parts[-1])


def test_faults(root: Path, table: Table) -> Iterator[str]:
    every = list(claims(root, table))
    for claim in every:
        call = table.calls.get(claim.call)
        if call is None:
            yield f"{claim.at}: {claim.call} has no row"
        elif claim.code and claim.code not in call.errors:
            yield f"{claim.at}: the row of {claim.call} has no {claim.code}"
        elif not re.search(rf"\b{claim.call}\b", claim.expression):
            yield f"{claim.at}: the expression does not call {claim.call}"
    shown = {(claim.call, claim.code) for claim in every}
    called = {claim.call for claim in every}
    for call in table.calls.values():
        if call.tested and call.name not in called:
            yield f"{call.name}: no test has FAILS or WORKS of it"
        for code in call.errors if call.tested else ():
            if (call.name, code) not in shown:
                yield f"{call.name}: no test has FAILS({call.name}, {code}, …)"


def page_faults(root: Path, table: Table) -> Iterator[str]:
    place = root / PAGES / f"{table.page_name}.md"
    if not place.is_file() or place.read_text(encoding="utf-8") != page(table):
        yield f"{PAGES}/{table.page_name}.md is old: python3 dev/skin_tables.py --write"


def faults(root: Path, build: Path) -> Iterator[str]:
    for path in tables(root):
        where = str(path.relative_to(root))
        try:
            table = read(path, root)
        except TableError as error:
            yield str(error)
            continue
        if table.name != path.parent.name:
            yield f"{where}: skin: name is {table.name!r}, not that of the folder"
            continue
        for found in (
            prototype_faults(root, table),
            declaration_faults(root, table),
            shared_faults(root, table),
            code_faults(root, table),
            symbol_faults(build, table),
            wrap_faults(build, table),
            test_faults(root, table),
            page_faults(root, table),
        ):
            yield from (f"{where}: {fault}" for fault in found)


def main(argv: list[str]) -> int:
    if len(argv) < 2:
        print("usage: check_skins.py BUILD [ROOT]")
        return 2
    return tell(faults(root_of(argv[1:]), Path(argv[1])))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
