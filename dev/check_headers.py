#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiles every public header alone, with gcc and clang; prints TAP.

A header of C (.h) is compiled as C11 and as C++17. A header of C++ (.hpp) is compiled as C++20,
with and without exceptions. No structure of the native API has padding: where there would be some,
an older program may have anything, and a later version could not use the place.

usage: check_headers.py [ROOT]

A public header is one that programs include: the native API, the binary interface and the skins.
The designed headers of docs/spec/services are compiled against these, so that they stay true.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from skin_tables import tables
from tree import root_of

PUBLIC_ROOTS = (
    "nucleus/include",
    "abi/include",
    "skins/alchemy/include",
    "skins/xenomai/include",
    "skins/cobalt/include",
    "docs/spec/services",
)
# Included twice: the include guard is one of the promises of a header.
# A header may have only macros, and a unit without a declaration is an error.
UNIT = "#include <{0}>\n#include <{0}>\ntypedef int unit;\n"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
NO_PADDING = ("nucleus/include", "docs/spec/services")
# By the suffix of the header.
COMPILERS = {
    ".h": (
        ("gcc", "c", ("-std=c11",)),
        ("clang", "c", ("-std=c11",)),
        ("g++", "c++", ("-std=c++17",)),
        ("clang++", "c++", ("-std=c++17",)),
    ),
    ".hpp": (
        ("g++", "c++", ("-std=c++20",)),
        ("clang++", "c++", ("-std=c++20",)),
        ("g++", "c++", ("-std=c++20", "-fno-exceptions", "-fno-rtti")),
        ("clang++", "c++", ("-std=c++20", "-fno-exceptions", "-fno-rtti")),
    ),
}


# What gcc and clang say of an #error that names its header: "x.h: … is not here; …".
_REFUSED = re.compile(r"error: (?:#error )?\"?[\w/]+\.h: ")


@dataclass(frozen=True, slots=True)
class Compilation:
    """One header seen by one compiler."""

    name: str
    command: tuple[str, ...]
    unit: str


def compilations(root: Path) -> Iterator[Compilation]:
    yield from compilations_in(root, PUBLIC_ROOTS)
    # Skins with a table: their headers have names that others have, too, and see nothing else.
    for table in tables(root):
        yield from compilations_in(root, (f"{table.parent.relative_to(root)}/include",))


def compilations_in(root: Path, includes: Sequence[str]) -> Iterator[Compilation]:
    roots = [f"-I{root / include}" for include in includes]
    for include in includes:
        folder = root / include
        for header in sorted(path for path in folder.rglob("*") if path.suffix in COMPILERS):
            inner = header.relative_to(folder).as_posix()
            for compiler, language, mode in COMPILERS[header.suffix]:
                # clang lays out only what is used, and would say nothing.
                padded = ("-Wpadded",) if compiler == "gcc" and include in NO_PADDING else ()
                warnings = (*WARNINGS, *padded)
                flags = (f"-x{language}", *mode, *warnings, *roots, "-fsyntax-only", "-")
                yield Compilation(
                    f"{include}/{inner} alone with {compiler} {' '.join(mode)}",
                    (compiler, *flags),
                    UNIT.format(inner),
                )


def errors(compilation: Compilation) -> str:
    """The message of the compiler; empty if it accepts the header, or if the header is there to
    refuse its use."""
    done = subprocess.run(
        compilation.command, input=compilation.unit, capture_output=True, text=True, check=False
    )
    if done.returncode and _REFUSED.search(done.stderr):
        return ""
    return (done.stderr or f"exit status {done.returncode}") if done.returncode else ""


def main(argv: list[str]) -> int:
    root = root_of(argv)
    work = list(compilations(root))
    failed = 0
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        for number, (one, said) in enumerate(zip(work, pool.map(errors, work), strict=True), 1):
            print(f"{'not ok' if said else 'ok'} {number} - {one.name}")
            for line in said.splitlines():
                print(f"# {line}")
            failed += bool(said)
    print(f"1..{len(work)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
