#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the libraries export what their headers declare, and nothing else.

usage: check_symbols.py BUILD [ROOT]

A list of symbols (a version script of the linker) says what a library exports, and under which
version. It is compared with the headers and with what `nm -D` finds in each built library that has
the list. Prints `file: what is wrong`; exit status 1 when there is something.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import manual
from tree import root_of, tell

API = "TACTUS_1"
SKIN = "TACTUS_SKIN_0"
SIM = "TACTUS_SIM_0"
SKIN_HEADER = "skin.h"
NO_VERSION = ""

_NODE = re.compile(r"^(\w*)\s*\{\nglobal:\n((?:\t\w+;\n)*)(?:local:\n\t\*;\n)?\};$", re.MULTILINE)
_DECLARED = re.compile(
    r"^(?!static\b)\w[\w \t\n*]*?[\s*](\w+)\((?!\*)[^;{}]*\)[^;{}]*;", re.MULTILINE
)

Symbols = Mapping[str, str]  # by name: the version


@dataclass(frozen=True, slots=True)
class Library:
    """A list, what it has to list, and the libraries that it is for."""

    maps: tuple[str, ...]
    built: tuple[str, ...]


NATIVE = Library(("lib/tactus.map",), ("lib/thread/libtactus.so", "lib/bare/libtactus.so"))
IN_VIRTUAL_TIME = Library(("lib/tactus.map", "lib/sim/sim.map"), ("lib/sim/libtactus.so",))
SESSION = Library(("session/session.map",), ("session/libtactus-session.so",))


def functions_of(header: Path) -> list[str]:
    """The functions that a header declares and does not define."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    text = re.sub(r"^#.*(?:(?<=\\)\n.*)*$", "", text, flags=re.MULTILINE)
    return _DECLARED.findall(text)


def declared(root: Path) -> dict[str, dict[str, str]]:
    """By list: the functions that the headers declare, each with its version."""
    calls = manual.calls(root)
    native = {call.name: SKIN if call.header == SKIN_HEADER else API for call in calls}
    sim = functions_of(root / "hal/sim/include/hal/sim.h")
    session = functions_of(root / "session/session.h")
    return {
        "lib/tactus.map": native,
        "lib/sim/sim.map": {name: SIM for name in sim if name.startswith("hal_sim_")},
        "session/session.map": dict.fromkeys(session, NO_VERSION),
    }


def listed(root: Path, file: str) -> list[tuple[str, str]]:
    """The lines of a list: symbol and version."""
    nodes = _NODE.findall((root / file).read_text())
    return [(name, version) for version, lines in nodes for name in re.findall(r"\w+", lines)]


def list_faults(root: Path, file: str, wanted: Symbols) -> Iterator[str]:
    lines = listed(root, file)
    found = dict(lines)
    for (before, version), (name, following) in pairwise(lines):
        if version == following and before >= name:
            yield f"{file}: {name} does not come after {before}"
    for name in sorted(wanted.keys() - found.keys()):
        under = f" under {wanted[name]}" if wanted[name] else ""
        yield f"{file}: {name}() is declared and not listed: add it{under}"
    for name in sorted(found.keys() - wanted.keys()):
        yield f"{file}: {name} is listed, and no header declares it"
    for name in sorted(
        name for name in found.keys() & wanted.keys() if found[name] != wanted[name]
    ):
        yield f"{file}: {name} is listed under {found[name]} instead of {wanted[name]}"


def exported(library: Path) -> dict[str, str]:
    """What a built library gives to others: symbols and their versions."""
    if not library.exists():
        raise SystemExit(f"{library} is not there; build first")
    command = ["nm", "--dynamic", "--defined-only", str(library)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[1:] for line in output.splitlines()]
    parts = [name.partition("@@") for kind, name in symbols if kind != "A"]
    return {name: version for name, _, version in parts}


def library_faults(root: Path, build: Path, library: Library) -> Iterator[str]:
    wanted = {symbol: version for file in library.maps for symbol, version in listed(root, file)}
    for file in library.built:
        found = exported(build / file)
        for name in sorted(found.keys() - wanted.keys()):
            yield f"{file}: exports {name}, which {library.maps[0]} does not list"
        for name in sorted(wanted.keys() - found.keys()):
            yield f"{file}: does not export {name}, which is listed"
        for name in sorted(
            name for name in found.keys() & wanted.keys() if found[name] != wanted[name]
        ):
            yield f"{file}: exports {name} under {found[name]} instead of {wanted[name]}"


def faults(root: Path, build: Path) -> Iterator[str]:
    for file, wanted in declared(root).items():
        yield from list_faults(root, file, wanted)
    for library in (NATIVE, IN_VIRTUAL_TIME, SESSION):
        yield from library_faults(root, build, library)


def main(argv: list[str]) -> int:
    if len(argv) < 2:
        raise SystemExit("usage: check_symbols.py BUILD [ROOT]")
    return tell(faults(root_of(argv[1:]), Path(argv[1])))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
