#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that includes point one way: the table of CONTRIBUTING.md, file by file.

usage: check_includes.py [ROOT]

Prints `path:line: what is wrong` for each violation; exit status 1 when there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skin_tables import TABLE, tables
from tree import INCLUDE, c_files, root_of, tell

FREESTANDING = re.compile(
    r"(float|iso646|limits|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdnoreturn)\.h"
)
LAYER_NAMES = (
    "tactus",
    "abi",
    "base",
    "hal",
    "nucleus",
    "runtime",
    "alchemy",
    "cobalt",
    "xenomai",
    "explore",
)
# The folders of the nucleus, by their layer.
NUCLEUS_PARTS = {
    "kernel": "kernel",
    **dict.fromkeys(("call", "task", "object"), "task"),
    **dict.fromkeys(("sched", "sync", "ipc", "time", "heap", "device"), "service"),
    "cpu": "cpu",
}
# Folders of the POSIX skin: each sees the ones before it. Two in one layer do not see each other.
POSIX_LAYERS = (
    ("libc",),
    ("state",),
    ("calls",),
    ("park",),
    ("thread",),
    ("sync", "timer"),
    ("report",),
    ("signal",),
    ("fd",),
    ("process",),
    ("syscall",),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """The families that the files below a folder may include: see `family`."""

    folder: str
    may: frozenset[str]


def rule(folder: str, may: str) -> Rule:
    return Rule(folder, frozenset(may.split()))


KERNEL = "tactus hal base abi kernel freestanding"
TASK = f"task {KERNEL}"
SERVICE = f"service {TASK}"
NUCLEUS = f"cpu {SERVICE}"
HOSTED = "freestanding libc cpp linux"
PUBLIC = f"tactus abi {HOSTED}"
TEST = f"test {PUBLIC}"
BACK_END = f"arch hal base abi {HOSTED}"
MIXED = "tests/skins/mixed"
ITRON_TESTS = "tests/skins/itron"
# A source for each skin.
MODELS = "tests/skins/model"
COBALT_PORT = "posix/cobalt_port.h"
POSIX = " ".join(f"posix/{folder}" for layer in POSIX_LAYERS for folder in layer)


def posix_rules() -> Iterator[Rule]:
    below = f"base {PUBLIC}"
    for layer in POSIX_LAYERS:
        for folder in layer:
            yield rule(f"skins/posix/{folder}", f"posix/{folder} {below}")
        below = f"{below} {' '.join(f'posix/{folder}' for folder in layer)}"


# The rule with the longest folder counts. A file may always include its own folder's headers.
RULES = (
    # The kernel has no <stdint.h>, but Linux's types.
    rule("abi", "abi stdint linux"),
    rule("base", "base abi freestanding"),
    rule("base/tests", f"base {TEST}"),
    rule("hal/include", "hal base abi freestanding"),
    rule("hal/common", BACK_END),
    rule("hal/sim", f"sim shared {BACK_END}"),
    # Shared by the two that follow, and sees neither of them.
    rule("hal/linux", BACK_END),
    rule("hal/thread", f"thread side shared {BACK_END}"),
    rule("hal/bare", f"bare side shared {BACK_END}"),
    rule("hal/arch", BACK_END),
    rule("kmod", "abi linux"),
    # Runs on a core, without Linux; Linux's types are for the module's side of one header.
    rule("kmod/core", "abi freestanding linux"),
    rule("nucleus/include", "tactus abi freestanding"),
    # Of the same API, for C++.
    rule("nucleus/include/tactus/cpp", "tactus abi freestanding cpp"),
    # Of the same API, designed only.
    rule("docs/spec/services", "tactus abi freestanding"),
    rule("nucleus/kernel", KERNEL),
    rule("nucleus/call", TASK),
    rule("nucleus/task", TASK),
    rule("nucleus/object", TASK),
    rule("nucleus", SERVICE),
    rule("nucleus/cpu", NUCLEUS),
    # Parts of the API that are built on the API and Linux.
    rule("lib", PUBLIC),
    rule("session", f"session base {PUBLIC}"),
    rule("skins", PUBLIC),
    # A skin is made of the API and Linux, and sees no other skin.
    # What every skin needs once.
    rule("skins/runtime", f"runtime session base {PUBLIC}"),
    rule("skins/xenomai", f"xeno runtime base {PUBLIC}"),
    # Compiled into each skin of µITRON, against the header that tells its version.
    rule("skins/itron", f"itron-version runtime base {PUBLIC}"),
    rule("skins/alchemy/include", "alchemy xeno freestanding libc"),
    rule("skins/alchemy", f"alchemy xeno session runtime base {PUBLIC}"),
    *posix_rules(),
    # What the skin on top of it may use, in one header.
    rule(f"skins/{COBALT_PORT}", f"{POSIX} {PUBLIC}"),
    # Stands on the POSIX skin: the same interfaces, for sources.
    rule("skins/cobalt/include", "cobalt xeno freestanding libc"),
    rule("skins/cobalt", f"cobalt {COBALT_PORT} xeno session runtime {PUBLIC}"),
    rule("explore", f"sim explore {PUBLIC}"),
    rule("explore/include", "explore tactus freestanding"),
    rule("instruments", PUBLIC),
    rule("instruments/bench/raw", f"arch hal {PUBLIC}"),
    # Its rows of calls between processes.
    rule("instruments/bench", f"session {PUBLIC}"),
    # Those of a skin, NAME.c, include the headers of the skin: see `_of_skin`.
    rule("instruments/bench/skins", f"alchemy xeno {PUBLIC}"),
    rule("examples", PUBLIC),
    rule("tools", PUBLIC),
    rule("tests", f"sim thread {TEST}"),
    # Replaces the module, inside of the back end.
    rule("tests/bare", f"bare side {BACK_END}"),
    rule("tests/base", f"base {TEST}"),
    rule("tests/explore", f"explore sim thread {TEST}"),
    # Programs as users have them.
    rule("tests/explore/programs", f"alchemy xeno {HOSTED}"),
    rule("tests/hal", f"sim thread {TEST} {BACK_END}"),
    rule("tests/install", f"alchemy xeno {TEST}"),
    rule("tests/session", f"session thread {TEST}"),
    # What the tests of skins with a table share.
    rule("tests/skins/include", TEST),
    # Those of both versions of µITRON, compiled for each of them.
    rule(ITRON_TESTS, f"itron-test {TEST}"),
    rule("tests/skins/runtime", f"runtime {TEST}"),
    # Programs of several skins.
    rule(MIXED, f"alchemy xeno {TEST}"),
    rule(MODELS, TEST),
    rule("tests/skins/alchemy", f"alchemy xeno sim thread {TEST}"),
    rule("tests/skins/cobalt", f"cobalt xeno {HOSTED}"),
    # Parts of the skin, compiled into a test.
    rule("tests/skins/posix/internal", f"{POSIX} {TEST}"),
    # Ring 0 of a core, compiled into a test.
    rule("tests/kmod/core", f"core {TEST}"),
    rule("tests/nucleus", f"sim thread {NUCLEUS} {TEST}"),
)


# What skins with a table share with another version of their interface.
SHARED = {"uitron": "itron/core.h", "uitron4": "itron/core.h"}


def skin_rules(root: Path) -> Iterator[Rule]:
    """Of the skins with a table. Each finds its own headers first: see `_of_skin`."""
    for table in tables(root):
        folder = f"skins/{table.parent.name}"
        yield rule(folder, f"{SHARED.get(table.parent.name, '')} runtime base {PUBLIC}")
        yield rule(f"{folder}/include", "freestanding libc")
        # The headers of modules, those of Linux's kernel among them.
        yield rule(f"{folder}/module", "freestanding libc linux")
        shared = "itron-test" if table.parent.name in SHARED else ""
        yield rule(f"tests/{folder}", f"{shared} runtime sim thread {TEST}")


# Where each family's headers are found.
ROOTS = (
    ("abi", "abi/include"),
    ("base", "base/include"),
    ("hal", "hal/include"),
    ("tactus", "nucleus/include"),
    ("alchemy", "skins/alchemy/include"),
    ("alchemy", "skins/alchemy"),
    ("xeno", "skins/xenomai/include"),
    ("xeno", "skins/xenomai"),
    ("session", "session"),
    ("runtime", "skins/runtime/include"),
    ("cobalt", "skins/cobalt/include"),
    ("cobalt", "skins/cobalt"),
    ("posix", "skins"),
    ("arch", "hal/arch/*/include"),
    ("arch", "hal/arch/include"),
    ("test", "tests/fixture"),
    ("test", "tests/skins/include"),
    ("itron-version", "skins/uitron"),
    ("itron-test", ITRON_TESTS),
    ("explore", "explore/include"),
    ("sim", "hal/sim/include"),
    ("thread", "hal/thread/include"),
)
# Folders whose private headers other folders may be allowed to include, by family.
LENDERS = (
    ("bare", "hal/bare"),
    ("core", "kmod"),
    ("shared", "hal/common"),
    ("side", "hal/linux"),
    ("thread", "hal/thread"),
)
OWN_ROOTS = (
    "hal/bare",
    "hal/common",
    "hal/linux",
    "hal/sim",
    "hal/thread",
    "hal/arch",
    "explore",
    "session",
    "skins",
    "instruments",
    "examples",
    "tests",
    "base",
)


def family(bracket: str, name: str, root: Path, source: Path) -> str | None:
    """The family of a header; None for a name that no include root offers."""
    if ".." in Path(name).parts:
        return None
    if _of_skin(name, root, source):
        return "own"
    for layer, folder in ROOTS:
        if any((place / name).is_file() for place in root.glob(folder)):
            return "/".join(Path(name).parts[:2]) if layer == "posix" else layer
    return _system(name) if bracket == "<" else _private(name, root, source)


def _of_skin(name: str, root: Path, source: Path) -> bool:
    """Is it a header of the skin with a table to which the file belongs, or of any such skin in a
    program of several skins, or among the tests that are of several?"""
    parts = source.parts
    if source.is_relative_to(MIXED) or source.is_relative_to(MODELS):
        return any((table.parent / "include" / name).is_file() for table in tables(root))
    if source.is_relative_to(ITRON_TESTS):
        return any((root / "skins" / skin / "include" / name).is_file() for skin in SHARED)
    for top in ("skins", "tests/skins", "examples"):
        depth = len(Path(top).parts)
        if source.is_relative_to(top) and len(parts) > depth + 1:
            skin = root / "skins" / parts[depth]
            if (skin / TABLE).is_file():
                # The last of these by `tactus uitron-cfg`.
                made = name in (f"{parts[depth]}_errors.h", "kernel_id.h")
                return made or any((skin / f / name).is_file() for f in ("include", "module"))
    if source.parent == Path("instruments/bench/skins"):
        return (root / "skins" / source.stem / "include" / name).is_file()
    return False


# Of the C library and of tools; native belongs to Xenomai 2, and xeno-config finds it.
LIBC_FOLDERS = ("sys", "net", "netinet", "arpa", "sanitizer", "valgrind", "native")


def _system(name: str) -> str | None:
    if name == "stdint.h":
        return "stdint"
    if FREESTANDING.fullmatch(name):
        return "freestanding"
    if "." not in name and "/" not in name:
        return "cpp"
    top = name.split("/")[0]
    if top in LAYER_NAMES:
        return None
    if top in ("linux", "asm", "asm-generic", "xen"):
        return "linux"
    # A folder that belongs neither to Linux nor to the C library is of an unknown layer.
    return "libc" if "/" not in name or top in LIBC_FOLDERS else None


def _private(name: str, root: Path, source: Path) -> str | None:
    if (root / source.parent / name).is_file():
        return "own"
    part = NUCLEUS_PARTS.get(name.split("/")[0])
    if part and (root / "nucleus" / name).is_file():
        return part
    for folder in OWN_ROOTS:
        if source.is_relative_to(folder) and _below(root / folder, root / source, name):
            return "own"
    for layer, folder in LENDERS:
        if (root / folder / name).is_file():
            return layer
    return None


def _below(top: Path, source: Path, name: str) -> bool:
    """Does a folder between the file and the top of its layer offer the name?"""
    return any((p / name).is_file() for p in source.parents if p.is_relative_to(top))


def rule_for(path: Path, rules: Sequence[Rule]) -> Rule | None:
    fitting = [r for r in rules if path.is_relative_to(r.folder)]
    return max(fitting, key=lambda r: len(r.folder), default=None)


def violations(root: Path, path: Path, rules: Sequence[Rule]) -> Iterator[str]:
    """The faults of one file."""
    found = rule_for(path, rules)
    if found is None:
        yield f"{path}:1: no layer has this folder: add it to the table in dev/check_includes.py"
        return
    skin = "/".join(path.parts[:2])
    if (
        found.folder == "skins"
        and len(path.parts) > 2
        and not any(r.folder.startswith(skin) for r in rules)
    ):
        yield f"{path}:1: {skin} has no rule of its own: add one to RULES in dev/check_includes.py"
        return
    may = found.may | {"own"} | ({"stdint"} if "freestanding" in found.may else set())
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, name = match.groups()
        whose = family(bracket, name, root, path)
        if whose is None:
            yield f"{path}:{number}: {name} is in no include root of the project"
        elif whose not in may:
            yield (
                f"{path}:{number}: {found.folder} may not include {name} ({whose}), "
                f"only {', '.join(sorted(may))}"
            )


def main(argv: list[str]) -> int:
    root = root_of(argv)
    rules = (*RULES, *skin_rules(root))
    return tell(line for path in c_files(root) for line in violations(root, path, rules))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
