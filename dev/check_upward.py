#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the Linux side of the back ends (hal/linux) calls nothing above it except its port.

usage: check_upward.py [BUILD [ROOT]]

hal/linux is compiled into two back ends, and stands below them and below the nucleus. What it may
call of them is declared: the contract with its upcalls (hal/include), the processor (hal/arch) and
what a back end supplies (hal/linux/back_end.h). A skin may replace functions of the C library. An
include check cannot see a function that a source declares by itself, so this reads the symbols of
the objects: an undefined one must not be defined by the nucleus, a session, a skin or the back
end's own part, unless it is declared there. Prints `object: what is wrong` for each violation; exit
status 1 when there is one or no object at all.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tree import tell

BACK_ENDS = ("thread", "bare")
# Meson's names of the objects of hal/linux within a back end.
OWN = ".._linux_"
# Below hal/linux, or beside it: each part may be called by all back ends.
BELOW = (".._common_", ".._arch_")
ABOVE = ("nucleus", "session", "skins", "lib")
PORT = ("hal/include", "hal/arch", "hal/linux/back_end.h")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DECLARED = re.compile(r"\b((?:hal|nuc_upcall|backend)_\w+)\s*[(;\[]")


def declared(root: Path) -> frozenset[str]:
    """The functions and data that hal/linux may use of what is above it."""
    paths = [path for place in PORT for path in _headers(root / place)]
    texts = (_COMMENT.sub("", path.read_text()) for path in paths)
    return frozenset(name for text in texts for name in _DECLARED.findall(text))


def is_of_the_c_library(name: str) -> bool:
    return hasattr(ctypes.CDLL(None), name)


def _headers(place: Path) -> list[Path]:
    return [place] if place.suffix == ".h" else sorted(place.rglob("*.h"))


def symbols(kind: str, objects: Iterable[Path]) -> dict[str, Path]:
    """The symbols of this kind, each with an object that has it."""
    found: dict[str, Path] = {}
    for path in objects:
        command = ["nm", "--extern-only", f"--{kind}-only", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        for line in filter(str.strip, done.stdout.splitlines()):
            found.setdefault(line.split()[-1], path)
    return found


def objects(build: Path, back_end: str) -> tuple[list[Path], list[Path]]:
    """The objects of hal/linux, and those of the back end itself."""
    every = sorted((build / "hal" / back_end).rglob("*.o"))
    own = [path for path in every if path.name.startswith(OWN)]
    return own, [path for path in every if not path.name.startswith((OWN, *BELOW))]


def faults(build: Path, root: Path) -> Iterator[str]:
    port = declared(root)
    higher = [path for folder in ABOVE for path in sorted((build / folder).rglob("*.o"))]
    above = symbols("defined", higher)
    for back_end in BACK_ENDS:
        own, rest = objects(build, back_end)
        if not own:
            yield f"{build / 'hal' / back_end}: holds no object of hal/linux; build first"
        refused = (above | symbols("defined", rest)).keys() - symbols("defined", own).keys() - port
        for path in own:
            called = symbols("undefined", [path]).keys() & refused
            for name in sorted(name for name in called if not is_of_the_c_library(name)):
                yield (
                    f"{path.relative_to(build).as_posix()}: calls {name}, which is above "
                    f"hal/linux: declare it in {PORT[-1]}, or let the caller pass it"
                )


def main(argv: list[str]) -> int:
    root = Path(argv[2]) if len(argv) > 2 else Path(__file__).resolve().parents[1]
    build = Path(argv[1]) if len(argv) > 1 else root / "build"
    return tell(faults(build, root))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
