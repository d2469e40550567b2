#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the built library still has the binary interface that programs were compiled for.

usage: check_abi.py [--renew] BUILD [ROOT]

tests/abi/libtactus.abi is what abidw (libabigail) read from an earlier library: the frozen
functions and the types of their arguments. `abidiff` compares it with BUILD's library.
tests/abi/values.txt has the values of the macros and enumerators of the frozen headers, which are
in compiled programs and in no library; a compiled C program tells those of now. These changes are
allowed, and told with the command that renews both files: a further function, a further member at
the end of a structure that begins with its size, and a further macro or enumerator. Every other
change breaks compiled programs.

What <tactus/skin.h> declares is not frozen and not compared, nor are types that no public header
defines. Exit status 1 when something is broken, 77 when libabigail is not installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import public_values
from check_symbols import SKIN, listed
from tree import root_of, tell

STORED = "tests/abi/libtactus.abi"
VALUES = "tests/abi/values.txt"
LIST = "lib/tactus.map"
LIBRARY = "lib/thread/libtactus.so"
RENEW = "python3 dev/check_abi.py --renew"
# As Meson and automake have it.
SKIPPED = 77

# Bits of abidiff's exit status.
FAILED = 1 | 2
CHANGED = 4 | 8

DUMP = (
    "abidw",
    "--exported-interfaces-only",
    "--no-show-locs",
    "--no-corpus-path",
    "--no-comp-dir-path",
    "--no-elf-needed",
    # As a counter, the numbers of all types would change with each one.
    "--type-id-style",
    "hash",
)
COMPARISON = ("abidiff", "--leaf-changes-only", "--no-show-locs")

PRIVATE_TYPES = """\
[suppress_type]
  source_location_not_regexp = (^|/)tactus/[^/]+\\.h$
  drop = yes
"""
NOT_FROZEN = """\
[suppress_function]
  symbol_name_regexp = ^({names})$
  drop = yes
"""
GROWS_AT_ITS_END = """\
[suppress_type]
  type_kind = struct
  name = {name}
  has_data_member_inserted_at = end
"""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure of the dump: its size and its members, in bits."""

    bits: int
    members: tuple[tuple[str, int], ...]  # names and offsets

    @property
    def is_sized(self) -> bool:
        return self.members[:1] == (("size", 0),)


def structures(dump: Path) -> dict[str, Structure]:
    found: dict[str, Structure] = {}
    for item in ET.parse(dump).iter("class-decl"):
        members = [
            (member.find("var-decl"), int(member.get("layout-offset-in-bits", 0)))
            for member in item.iter("data-member")
        ]
        named = tuple((one.get("name", ""), offset) for one, offset in members if one is not None)
        if named:
            found[item.get("name", "")] = Structure(int(item.get("size-in-bits", 0)), named)
    return found


def run(command: tuple[str, ...]) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def dump(root: Path, library: Path, target: Path) -> None:
    """Write what the library has of the frozen interface."""
    skins = "|".join(name for name, version in listed(root, LIST) if version == SKIN)
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as left_out:
        left_out.write(PRIVATE_TYPES + (NOT_FROZEN.format(names=skins) if skins else ""))
        left_out.flush()
        options = ("--suppressions", left_out.name, "--out-file", str(target))
        status, said = run((*DUMP, *options, str(library)))
    if status:
        raise SystemExit(f"abidw cannot read {library}: {said}")
    # A path from the root, wherever the folder of the build is.
    outside = rf"(?<= path=')(?:{re.escape(str(root.resolve()))}/|(?:\.\./)+)"
    target.write_text(re.sub(outside, "", target.read_text()))
    if not structures(target):
        raise SystemExit(f"{library} has no debugging information: build with -g")


def differences(stored: Path, now: Path, *options: str) -> str:
    """What abidiff tells; empty when nothing changed."""
    status, said = run((*COMPARISON, *options, str(stored), str(now)))
    if status & FAILED:
        raise SystemExit(f"abidiff cannot compare {stored}: {said}")
    return said if status & CHANGED else ""


def into_padding(before: Mapping[str, Structure], now: Mapping[str, Structure]) -> Iterator[str]:
    """Members where an older program has bytes that it need not set, because they were padding."""
    for name, former in before.items():
        if not former.is_sized or name not in now:
            continue
        for member, offset in now[name].members[len(former.members) :]:
            if offset < former.bits:
                yield (
                    f"{name}.{member} lies in what was padding before, where an older program may "
                    f"have anything: let it begin at byte {former.bits // 8}"
                )


def faults(stored: Path, now: Path) -> Iterator[str]:
    """Changes that break compiled programs."""
    before = structures(stored)
    sized = sorted(name for name, one in before.items() if one.is_sized)
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as allowed:
        allowed.write("".join(GROWS_AT_ITS_END.format(name=name) for name in sized))
        allowed.flush()
        broken = differences(stored, now, "--no-added-syms", "--suppressions", allowed.name)
    if broken:
        yield f"{STORED}: compiled programs break:\n{broken}"
    yield from into_padding(before, structures(now))


def compare(root: Path, build: Path) -> int:
    stored = root / STORED
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder) / "now.abi"
        dump(root, build / LIBRARY, now)
        before, values = public_values.read(root / VALUES), public_values.values(root)
        found = list(faults(stored, now))
        found += [f"{VALUES}: {one}" for one in public_values.broken(before, values)]
        if not found:
            added = differences(stored, now)
            added += "".join(f"{name} = {values[name]}\n" for name in values if name not in before)
            if added:
                print(f"allowed; store it: {RENEW} {build}\n{added}")
            return 0
    found.append(f"if no program was ever compiled for the former interface: {RENEW} {build}")
    return tell(found)


def main(argv: list[str]) -> int:
    renew = "--renew" in argv
    arguments = [word for word in argv if word != "--renew"]
    if len(arguments) < 2:
        raise SystemExit("usage: check_abi.py [--renew] BUILD [ROOT]")
    for program in (DUMP[0], COMPARISON[0]):
        if shutil.which(program) is None:
            print(f"{program} is not installed (Debian: abigail-tools)")
            return SKIPPED
    root, build = root_of(arguments[1:]), Path(arguments[1])
    if renew:
        dump(root, build / LIBRARY, root / STORED)
        public_values.write(root / VALUES, public_values.values(root))
        return 0
    return compare(root, build)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
