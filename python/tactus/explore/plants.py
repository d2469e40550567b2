# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bugs that are planted in a copy of the sources, built there, and explored until they are found.

A plant is a TOML file: a description of the bug, the file, a text that occurs in it exactly once,
the text that replaces it, and the scenario that must find it. The sources of the project do not
know it.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tactus import tomltext
from tactus.project import UserError, say

FOLDER = "tests/explore/plants"
SEEDS = 1000
PROGRAM = "tests/explore/tactus-explore"
# Excludes what Meson makes and what it does not need for its configuration.
LEFT_OUT = re.compile(r"\.|build|run$|__pycache__$|docs$|papers$")
KEYS = ("bug", "file", "find", "replace", "scenario")
FAILED = re.compile(r"FAILED (\S+), seed (\d+): (.*)")


@dataclass(frozen=True, slots=True)
class Plant:
    """One planted bug."""

    name: str
    bug: str
    file: str
    find: str
    replace: str
    scenario: str

    def apply(self, text: str) -> str:
        """The text of the file with the bug; raises UserError if the file has changed."""
        count = text.count(self.find)
        if count != 1:
            raise UserError(
                f"plant {self.name}: its text occurs {count} times in {self.file}, not once: "
                f"bring {FOLDER}/{self.name}.toml up to date"
            )
        return text.replace(self.find, self.replace)


def load(folder: Path) -> list[Plant]:
    """All plants by name, but those in headers first: each of them causes a new build of all files
    that include the header, and so does the removal of the last one."""
    plants = [_read(path) for path in sorted(folder.glob("*.toml"))]
    return sorted(plants, key=lambda plant: (not plant.file.endswith(".h"), plant.file, plant.name))


def _read(path: Path) -> Plant:
    table = tomltext.read(path)
    if set(table) != set(KEYS) or not all(isinstance(table[key], str) for key in KEYS):
        raise UserError(f"{path}: a plant has exactly the texts {', '.join(KEYS)}")
    return Plant(path.stem, *(table[key] for key in KEYS))


def prepare(root: Path, folder: Path) -> None:
    """Copies the sources into `folder`, which serves all plants of a run."""
    source = folder / "source"
    wanted = set(_files(root))
    for path in wanted:
        _write(source / path, (root / path).read_bytes())
        shutil.copymode(root / path, source / path)
    for path in list(_files(source)):
        if path not in wanted:
            (source / path).unlink()


def find(plant: Plant, folder: Path) -> bool:
    """Plants the bug in the copy, explores, reports the result, and removes the bug."""
    build = folder / "build"
    file = folder / "source" / plant.file
    if not file.is_file():
        raise UserError(f"plant {plant.name}: there is no file {plant.file}")
    good = file.read_text(encoding="utf-8")
    _write(file, plant.apply(good).encode())
    try:
        _build(folder / "source", build)
    finally:
        _write(file, good.encode())
    command = [
        *(str(build / PROGRAM), "--scenario", plant.scenario),
        *("--seeds", str(SEEDS), "--until-failure"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seen = FAILED.search(done.stdout)
    if seen:
        print(f"found {plant.name} ({plant.bug}): seed {seen[2]}: {seen[3]}", flush=True)
    else:
        said = done.stderr.strip() or f"{SEEDS} seeds of {plant.scenario} passed"
        print(f"MISSED {plant.name} ({plant.bug}): {said}", flush=True)
    return seen is not None


def _files(root: Path) -> Iterator[Path]:
    """The paths that a build may need, relative to the root."""
    for entry in sorted(root.iterdir()):
        if LEFT_OUT.match(entry.name):
            continue
        if entry.is_dir():
            yield from (
                path.relative_to(root)
                for path in entry.rglob("*")
                if path.is_file() and "__pycache__" not in path.parts
            )
        elif entry.is_file():
            yield entry.relative_to(root)


def _write(file: Path, data: bytes) -> None:
    """Equal files keep their times of change, so that only different ones are built again."""
    if file.is_file() and file.read_bytes() == data:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _build(source: Path, build: Path) -> None:
    if not (build / "build.ninja").is_file():
        say(f"configuring {build}")
        _step(["meson", "setup", str(build), str(source)])
    _step(["ninja", "-C", str(build), PROGRAM])


def _step(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UserError(f"{command[0]} is not on PATH: install it and start again") from None
    if done.returncode != 0:
        print("\n".join((done.stdout + done.stderr).splitlines()[-25:]), file=sys.stderr)
        raise UserError(f"{shlex.join(command)} failed (above: the end of its output)")
