#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the compiled nucleus uses only the contract, base and itself.

usage: check_freestanding.py [BUILD]

Reads the undefined symbols and the sections of the objects below BUILD/nucleus. Prints
`object: what is wrong` for each violation; exit status 1 when there is one or no object at all.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tree import tell

# A compiler may call the last group in freestanding code (GCC manual, "Standards").
ALLOWED = re.compile(
    r"(tact|nuc|hal|base|arch)_\w+|_GLOBAL_OFFSET_TABLE_|mem(cpy|move|set|cmp)",
)


def symbol_faults(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Faults in the output of `nm --undefined-only`."""
    for line in lines:
        symbol = line.split()[-1]
        if symbol == "__stack_chk_fail":
            yield f"{name}: is built with stack protector"
        elif symbol == "__tls_get_addr":
            yield f"{name}: uses thread-local storage"
        elif not ALLOWED.fullmatch(symbol):
            yield f"{name}: calls {symbol}, which is not in the contract, base or the nucleus"


def section_faults(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Faults in the output of `objdump --section-headers`."""
    for line in lines:
        words = line.split()
        if len(words) > 1 and words[1].startswith((".tdata", ".tbss")):
            yield f"{name}: has thread-local data ({words[1]})"


def _output(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if line.strip()]


def faults(build: Path) -> Iterator[str]:
    objects = sorted((build / "nucleus").rglob("*.o"))
    if not objects:
        yield f"{build / 'nucleus'}: holds no object; build first"
    for path in objects:
        name = path.relative_to(build).as_posix()
        yield from symbol_faults(name, _output("nm", "--undefined-only", str(path)))
        yield from section_faults(name, _output("objdump", "--section-headers", str(path)))


def main(argv: list[str]) -> int:
    build = Path(argv[1]) if len(argv) > 1 else Path(__file__).resolve().parents[1] / "build"
    return tell(faults(build))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
