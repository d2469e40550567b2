# SPDX-License-Identifier: LGPL-2.1-or-later
"""The file of gravity (docs/spec/gravity.md), read and written as strictly as by the library."""

from __future__ import annotations

import fcntl
import os
import platform
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from tactus.project import UserError

HEADER = "tactus-gravity 1"
HIGHEST_NS = 1_000_000
HIGHEST_CPU = 1023
SYSTEM_FILE = Path("/var/lib/tactus/gravity")
_LINE = re.compile(
    r"([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) (\S{1,127}) (\S(?:.{0,126}))",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Gravity:
    """The gravity of a CPU; the order is that of the file and of TACTUS_GRAVITY."""

    handler_ns: int
    light_ns: int
    task_ns: int
    idle_ns: int
    preempt_ns: int

    def environment(self) -> dict[str, str]:
        """Makes a program use these values."""
        return {"TACTUS_GRAVITY": ":".join(map(str, astuple(self)))}


@dataclass(frozen=True, slots=True)
class Key:
    """The machine to which the values apply."""

    cpu: int
    kernel: str
    model: str

    @classmethod
    def here(cls, cpu: int, cpuinfo: Path = Path("/proc/cpuinfo")) -> Key:
        return cls(cpu, platform.uname().release, _model(cpuinfo))


Entries = Mapping[Key, Gravity]


def _model(cpuinfo: Path) -> str:
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    match = re.search(r"^model name[^:\n]*:[ \t]*(\S.*?) *$", text, re.MULTILINE)
    return match[1][:127] if match else "unknown"


def file_of(user_id: int, environment: Mapping[str, str]) -> Path:
    """Root's file is that of the machine; other users have their own, which the library reads
    first."""
    if user_id == 0:
        return SYSTEM_FILE
    base = environment.get("XDG_CONFIG_HOME", "")
    home = environment.get("HOME", "")
    if base.startswith("/"):
        return Path(base, "tactus/gravity")
    if home.startswith("/"):
        return Path(home, ".config/tactus/gravity")
    raise UserError("there is no folder for the result: set HOME or XDG_CONFIG_HOME")


def read(path: Path) -> dict[Key, Gravity]:
    """All entries; none if there is no file. A damaged file is refused as a whole."""
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    lines = text.split("\n")
    if lines[0] != HEADER or len(lines) < 2:
        raise _damaged(path, 1)
    if lines.pop() != "":
        raise _damaged(path, len(lines) + 1)
    entries: dict[Key, Gravity] = {}
    for number, line in enumerate(lines[1:], 2):
        match = _LINE.fullmatch(line)
        if match is None:
            raise _damaged(path, number)
        values, cpu = [int(match[i]) for i in range(1, 6)], int(match[6])
        if not all(0 < value <= HIGHEST_NS for value in values) or cpu > HIGHEST_CPU:
            raise _damaged(path, number)
        entries[Key(cpu, match[7], match[8])] = Gravity(*values)
    return entries


def _damaged(path: Path, number: int) -> UserError:
    return UserError(f"{path} is damaged in line {number}: remove it with ./tactus tune --reset")


def write(path: Path, entries: Entries) -> None:
    """Replaces the file at once, so that a program that starts meanwhile sees a complete file."""
    lines = [HEADER]
    for key, values in sorted(entries.items(), key=lambda entry: astuple(entry[0])):
        lines.append(" ".join([*map(str, astuple(values)), *map(str, astuple(key))]))
    made = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, prefix=".gravity-", delete=False, errors="surrogateescape"
        ) as file:
            made = Path(file.name)
            file.write("\n".join([*lines, ""]))
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), 0o644)
        made.replace(path)
        made = None
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        if made is not None:
            with suppress(OSError):
                made.unlink()


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(f"cannot write {path} ({error.strerror}): make room, or set XDG_CONFIG_HOME")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Two processes that tune different CPUs at once must not lose each other's result."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Programs of all users read it, whatever root's umask is.
        if path == SYSTEM_FILE:
            path.parent.chmod(0o755)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def check(path: Path) -> None:
    """Before the measurement and not after it: raises UserError if put() would."""
    with _locked(path):
        write(path, read(path))


def put(path: Path, key: Key, gravity: Gravity) -> None:
    with _locked(path):
        write(path, {**read(path), key: gravity})


def remove(path: Path, cpu: int | None) -> bool:
    """Removes a CPU's entries, or the whole file, even a damaged one. Was there anything?"""
    if not path.exists():
        return False
    with _locked(path):
        if cpu is None:
            path.unlink(missing_ok=True)
            return True
        entries = read(path)
        kept = {key: values for key, values in entries.items() if key.cpu != cpu}
        write(path, kept)
    return len(kept) < len(entries)
