# SPDX-License-Identifier: LGPL-2.1-or-later
"""A long run: its parts run one after another, or beside one another if they do not need the
machine's own time. Each result is on disk as soon as it exists.

A start after an interruption continues, on the same commit; on another commit it starts anew. The
whole run is written into docs/reports/long.md, which is committed.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tactus.project import UserError
from tactus.suite import history
from tactus.suite.case import Case, Counts, Outcome, count
from tactus.suite.longparts import Part

REPORT = "docs/reports/long.md"
STATE = "long.json"
INTRODUCTION = """\
`./tactus test --long` runs what `./tactus test` leaves out (tests of the suite `long` and the
bare back end, the skins on threads as clang builds them, tests of Python with the mark
`on_request`, commands of `tests/long.toml`) and wrote this file. `./tactus test` tells how many
commits have come since, warns over 50 and fails at 200; moves and renames alone do not count.
""".splitlines()
_RANK = (Outcome.FAILED, Outcome.UNSTEADY, Outcome.PASSED, Outcome.SKIPPED)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a part."""

    name: str
    outcome: str
    passed: int
    failed: int
    skipped: int
    unsteady: int
    seconds: float
    note: str


@dataclass(slots=True)
class State:
    """The state on disk between two starts; `told`: what became of an earlier state, or ""."""

    file: Path
    commit: str
    began: str
    done: dict[str, Done] = field(default_factory=dict)
    told: str = ""

    @classmethod
    def read(cls, file: Path, commit: str, today: str) -> State:
        """The state from which to continue."""
        fresh = cls(file, commit, today)
        try:
            found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            earlier = cls(file, found["commit"], found["began"])
            earlier.done = {part["name"]: Done(**part) for part in found["done"]}
        except FileNotFoundError:
            return fresh
        except (OSError, ValueError, KeyError, TypeError):
            fresh.told = f"{file} is not readable: starting anew"
            return fresh
        if earlier.commit != commit:
            fresh.told = f"the interrupted run is of commit {earlier.commit[:8]}: starting anew"
            return fresh
        earlier.told = f"continuing after {len(earlier.done)} parts that ended before"
        return earlier

    def keep(self, done: Done) -> None:
        """A kill at any moment leaves the old file or the new one."""
        self.done[done.name] = done
        self.file.parent.mkdir(exist_ok=True)
        text = json.dumps(
            {
                "commit": self.commit,
                "began": self.began,
                "done": [asdict(part) for part in self.done.values()],
            },
            indent=1,
        )
        beside = self.file.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(self.file)


def _today() -> str:
    return time.strftime("%Y-%m-%d")


def start(root: Path, cache: Path) -> State:
    """Raises UserError if the tree is not the commit that the report would name."""
    return State.read(cache / STATE, committed(root), _today())


def run(
    state: State,
    parts: Sequence[Part],
    tell: Callable[[Part, int, list[Case]], None],
    at_once: int = 1,
    end: Callable[[], None] = lambda: None,
) -> None:
    """Runs the remaining parts; tell: called after each part, with its number. at_once: how many of
    the parts that may run beside others do so; end: ends the running parts at an interruption."""
    left = [(n, part) for n, part in enumerate(parts, 1) if part.name not in state.done]

    def keep(number: int, part: Part, given: tuple[list[Case], float]) -> None:
        cases, seconds = given
        tell(part, number, cases)
        state.keep(_sum(part.name, cases, seconds))

    for number, part in left:
        if not part.beside:
            keep(number, part, _timed(part))
    with ThreadPoolExecutor(at_once) as pool:
        runs = {pool.submit(_timed, part): (n, part) for n, part in left if part.beside}
        try:
            for run_of in as_completed(runs):
                keep(*runs[run_of], run_of.result())
        except BaseException:
            # Results from here on come from the interruption.
            pool.shutdown(wait=False, cancel_futures=True)
            end()
            raise


def _timed(part: Part) -> tuple[list[Case], float]:
    began = time.monotonic()
    return part.run(), time.monotonic() - began


def finish(root: Path, state: State, parts: Sequence[Part]) -> None:
    """Writes the report; a further start begins anew."""
    write(root / REPORT, state, parts, _today())
    state.file.unlink(missing_ok=True)


def committed(root: Path) -> str:
    """The commit of the tree; the report itself may differ from it."""
    commit = history.head(root)
    changed = [name for name in history.changed(root) if name != REPORT]
    if changed:
        raise UserError(
            f"{changed[0]} is not committed: commit it first, because {REPORT} names the commit"
        )
    return commit


def _sum(name: str, cases: Sequence[Case], seconds: float) -> Done:
    counts = count(cases)
    outcome = next((o for o in _RANK if any(c.outcome is o for c in cases)), Outcome.FAILED)
    told = [c for c in cases if c.outcome is outcome and c.detail]
    note = told[0].detail.strip().splitlines()[-1] if told else ""
    return Done(
        name,
        outcome.value,
        counts.passed,
        counts.failed,
        counts.skipped,
        counts.unsteady,
        round(seconds, 1),
        note,
    )


def total(done: Iterable[Done]) -> Counts:
    """Counts cases, not parts."""
    every = list(done)
    return Counts(
        sum(d.passed for d in every),
        sum(d.failed for d in every),
        sum(d.skipped for d in every),
        sum(d.unsteady for d in every),
    )


def write(file: Path, state: State, parts: Sequence[Part], ended: str) -> None:
    every = [state.done[part.name] for part in parts]
    hours = sum(done.seconds for done in every) / 3600
    facts: Mapping[str, str] = {
        "commit": f"`{state.commit}`",
        "began": state.began,
        "ended": ended,
        "result": str(total(every)),
        "length": f"{hours:.1f} h of {len(every)} parts",
        "machine": f"Linux {platform.release()}, {os.cpu_count()} CPUs",
    }
    lines = [
        "# The last long run",
        "",
        *INTRODUCTION,
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in facts.items()),
        "",
        "| part | result | passed | failed | skipped | seconds | said |",
        "|---|---|---:|---:|---:|---:|---|",
        *map(_row, every),
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _row(done: Done) -> str:
    note = done.note.replace("|", "\\|")[:160]
    figures = f"{done.passed} | {done.failed} | {done.skipped} | {done.seconds:.0f}"
    return f"| {done.name} | {done.outcome} | {figures} | {note} |"
