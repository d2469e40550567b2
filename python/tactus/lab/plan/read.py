# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads plans (docs/spec/lab-plans.md) strictly: a misspelt word is an error, never ignored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from tactus import tomltext
from tactus.lab import named
from tactus.lab.instruments import RECIPES
from tactus.lab.jobfolder import LOADS
from tactus.measure.plan import BARE, CONTEXTS, IDLES
from tactus.project import UserError

FOLDER = Path(__file__).resolve().parents[4] / "lab/plans"
UNITS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
PERIOD = re.compile(r"(\d+)(us|ms|s)")
PERIOD_NS = (50_000, 10_000_000_000)
CORES = ("linux", "linux-spin", "thread", BARE)


@dataclass(frozen=True, slots=True)
class Group:
    """Every instrument on every kernel under every load and so on: a job for each combination."""

    instruments: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ("generic",)
    cpus: tuple[int, ...] = (1,)
    loads: tuple[str, ...] = ("idle",)
    intensity: int = 1
    """Workers of the load per CPU."""
    cores: tuple[str, ...] = ()
    """For latency; empty: thread."""
    contexts: tuple[str, ...] = ("task",)
    """For the cores thread and bare; others have only tasks."""
    tasks: tuple[int, ...] = (1,)
    idle: str = "hybrid"
    period: str = "1ms"
    samples: int = 4000
    options: tuple[str, ...] = ()
    cmdline: str = ""
    repeats: int = 1
    limit_s: int = 600

    @property
    def period_ns(self) -> int:
        match = PERIOD.fullmatch(self.period)
        return int(match[1]) * UNITS[match[2]] if match else 0


@dataclass(frozen=True, slots=True)
class Plan:
    name: str
    says: str
    target: str
    groups: tuple[Group, ...]


def _among(names: tuple[str, ...]) -> Callable[[Any], str | None]:
    return lambda value: None if value in names else f"choose one of {', '.join(names)}"


def _between(lowest: int, highest: int) -> Callable[[Any], str | None]:
    return lambda value: None if lowest <= value <= highest else f"it must be {lowest} to {highest}"


def _period(value: Any) -> str | None:
    match = PERIOD.fullmatch(value)
    nanoseconds = int(match[1]) * UNITS[match[2]] if match else 0
    if PERIOD_NS[0] <= nanoseconds <= PERIOD_NS[1]:
        return None
    return "it must be 50us to 10s, with its unit"


def _kernel(value: Any) -> str | None:
    # Any path may name a kernel; a later search shows whether it is one.
    return None if re.fullmatch(r"[\w.+-]+|.*/.*", value) else "it must be a name or a path"


_CHECKS: Mapping[str, Callable[[Any], str | None]] = {
    "instruments": _among(tuple(RECIPES)),
    "kernels": _kernel,
    "cpus": _between(1, 4096),
    "loads": _among(LOADS),
    "intensity": _between(1, 64),
    "cores": _among(CORES),
    "contexts": _among(CONTEXTS),
    "tasks": _between(1, 64),
    "idle": _among(IDLES),
    "period": _period,
    "samples": _between(10, 1_000_000_000),
    "repeats": _between(1, 1000),
    "limit_s": _between(10, 604_800),
}


def _entry(key: str, value: Any, like: Any, where: str) -> Any:
    """A checked value; instead of a list, a single value is accepted."""
    if isinstance(like, tuple):
        entries = value if isinstance(value, list) else [value]
        if not entries and key != "options":
            raise UserError(f"{where}: {key} is empty")
        whole = key in ("cpus", "tasks")
        return tuple(_single(key, each, int if whole else str, where) for each in entries)
    return _single(key, value, type(like), where)


def _single(key: str, value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        wanted = "a whole number" if kind is int else "a text"
        raise UserError(f"{where}: {key} is {value!r}, it must be {wanted}")
    complaint = _CHECKS[key](value) if key in _CHECKS else None
    if complaint:
        raise UserError(f"{where}: {key} is {value!r}: {complaint}")
    return value


def _group(table: object, defaults: Group, where: str) -> Group:
    if not isinstance(table, dict):
        raise UserError(f"{where} must be a table")
    known = [f.name for f in fields(Group)]
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise UserError(f"{where}: there is no {key}, only {', '.join(known)}")
        found[key] = _entry(key, value, getattr(defaults, key), where)
    return replace(defaults, **found)


def parse(name: str, text: str, where: str) -> Plan:
    table = tomltext.parse(text, where)
    unknown = sorted(set(table) - {"says", "target", "defaults", "run"})
    if unknown:
        raise UserError(f"{where}: there is no {unknown[0]}, only says, target, defaults, run")
    says, target = table.get("says", ""), table.get("target", "vm")
    if not isinstance(says, str) or not isinstance(target, str):
        raise UserError(f"{where}: says and target must be texts")
    runs = table.get("run", [])
    if not isinstance(runs, list) or not runs:
        raise UserError(f"{where}: nothing is measured: add a [[run]] with instruments")
    defaults = _group(table.get("defaults", {}), Group(), f"{where}: defaults")
    groups = tuple(
        _group(run, defaults, f"{where}: run {number}") for number, run in enumerate(runs, start=1)
    )
    for number, group in enumerate(groups, start=1):
        if not group.instruments:
            raise UserError(f"{where}: run {number}: instruments are missing")
    return Plan(name, says, target, groups)


def plans(folder: Path = FOLDER) -> list[Plan]:
    """The plans of the project."""
    return [_read(path) for path in named.files(folder)]


def find(name: str, folder: Path = FOLDER) -> Plan:
    """A plan by its name, or by the path of its file."""
    return _read(named.find("plan", name, folder))


def _read(path: Path) -> Plan:
    return parse(path.stem, named.text("plan", path), str(path))
