# SPDX-License-Identifier: LGPL-2.1-or-later
"""A long run: the parts run one after another, or beside one another if they do not need the
machine's own time. The part whose result is of the oldest commit runs first.

docs/reports/long.md has a row for each part and is the only state. It is written after each part,
so an interruption costs at most the running parts. A run that was limited in time, or was
interrupted, is continued by the next one, also on a later commit: its oldest parts come first.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from tactus.project import UserError
from tactus.suite import history
from tactus.suite.case import Case, Counts, Outcome, count
from tactus.suite.longparts import Part

REPORT = "docs/reports/long.md"
INTRODUCTION = """\
`./tactus test --long` runs what `./tactus test` leaves out (tests of the suite `long` and the
bare back end, the skins on threads as clang builds them, tests of Python with the mark
`on_request`, commands of `tests/long.toml`) and writes this file after each part. The part with the
oldest commit runs first; `--minutes` ends a run early. `./tactus test` tells how many commits have
come since the oldest result, warns over 50 and fails at 200; moves and renames alone do not count.
""".splitlines()
HEAD = (
    "| part | result | passed | failed | skipped | unsteady | seconds | commit | on | said |",
    "|---|---|---:|---:|---:|---:|---:|---|---|---|",
)
# Vertical bars in a text of the table are escaped.
_CELL = re.compile(r"(?<!\\)\|")
_DIGITS = 12
_NOTE = 160
_RANK = (Outcome.FAILED, Outcome.UNSTEADY, Outcome.PASSED, Outcome.SKIPPED)


@dataclass(frozen=True, slots=True)
class Done:
    """The last result of a part; a row of the report."""

    name: str
    outcome: str
    passed: int
    failed: int
    skipped: int
    unsteady: int
    seconds: float
    commit: str
    on: str
    note: str

    def row(self) -> str:
        figures = " | ".join(
            str(n) for n in (self.passed, self.failed, self.skipped, self.unsteady)
        )
        told = self.note[:_NOTE].replace("|", "\\|")
        when = f"{self.commit[:_DIGITS]} | {self.on}"
        return (
            f"| {self.name} | {self.outcome} | {figures} | {self.seconds:.0f} | {when} | {told} |"
        )

    @classmethod
    def of_row(cls, line: str) -> Done:
        """Raises ValueError if the line is no row of the report."""
        name, outcome, *figures, commit, on, note = (
            cell.strip().replace("\\|", "|") for cell in _CELL.split(line)[1:-1]
        )
        passed, failed, skipped, unsteady, seconds = map(int, figures)
        Outcome(outcome)
        if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
            raise ValueError(f"{commit!r} is no commit")
        return cls(name, outcome, passed, failed, skipped, unsteady, seconds, commit, on, note)


def read(file: Path) -> dict[str, Done]:
    """The rows of a report; none if there is no file."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    if HEAD[0] not in lines:
        raise UserError(f"{file}: the line {HEAD[0]!r} is missing; take the file from git again")
    first = lines.index(HEAD[0]) + len(HEAD)
    rows = list[Done]()
    for number, line in enumerate(lines[first:], first + 1):
        try:
            rows.append(Done.of_row(line))
        except ValueError:
            raise UserError(f"{file}:{number}: not a row of the table") from None
    return {row.name: row for row in rows}


@dataclass(slots=True)
class State:
    """What is known at a start. ages: how many commits are newer than a result, by its commit."""

    root: Path
    commit: str
    parts: Sequence[Part]
    done: dict[str, Done]
    ages: dict[str, float] = field(default_factory=dict)

    def age(self, part: Part) -> float:
        """0: the result is of this commit; infinite: there is none, or its commit is unknown."""
        done = self.done.get(part.name)
        if not done:
            return float("inf")
        if done.commit not in self.ages:
            try:
                age = float(len(history.commits_since(self.root, done.commit)))
            except history.NoHistoryError:
                age = float("inf")
            self.ages[done.commit] = age
        return self.ages[done.commit]

    def left(self) -> list[tuple[int, Part]]:
        """The parts that are to run, with their numbers, the oldest result first. If each part has
        run on this commit, all are to run again."""
        every = list(enumerate(self.parts, 1))
        left = [(n, part) for n, part in every if self.age(part)] or every
        return sorted(left, key=lambda pair: (-self.age(pair[1]), pair[1].beside, pair[0]))

    def keep(self, done: Done) -> None:
        """A kill at any moment leaves the old report or the new one."""
        self.done[done.name] = done
        file = self.root / REPORT
        beside = file.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as out:
            out.write(_report([self.done[p.name] for p in self.parts if p.name in self.done]))
            out.flush()
            os.fsync(out.fileno())
        beside.replace(file)


def start(root: Path, parts: Sequence[Part]) -> State:
    """Raises UserError if the tree is not the commit that the report would name."""
    return State(root, committed(root), parts, read(root / REPORT))


def run(
    state: State,
    tell: Callable[[Part, int, list[Case]], None],
    at_once: int = 1,
    end: Callable[[], None] = lambda: None,
    minutes: float = float("inf"),
) -> bool:
    """Runs the parts that are left; False: the time was over before all had begun. tell: called
    after each part, with its number. at_once: how many of the parts that may run beside others do
    so; end: ends the running parts at an interruption; minutes: no part begins later."""
    until = time.monotonic() + minutes * 60
    left = state.left()

    def keep(number: int, part: Part, given: tuple[list[Case], float]) -> None:
        cases, seconds = given
        tell(part, number, cases)
        state.keep(_sum(part.name, cases, seconds, state.commit))

    complete = True
    for beside, group in groupby(left, lambda pair: pair[1].beside):
        if beside:
            results = _side_by_side(list(group), at_once, end, until)
        else:
            results = _alone(group, until)
        for number, part, given in results:
            if given is None:
                complete = False
            else:
                keep(number, part, given)
    return complete


_Given = tuple[int, Part, tuple[list[Case], float] | None]


def _alone(group: Iterable[tuple[int, Part]], until: float) -> Iterator[_Given]:
    for number, part in group:
        yield number, part, _timed(part, until)


def _side_by_side(
    group: Sequence[tuple[int, Part]], at_once: int, end: Callable[[], None], until: float
) -> Iterator[_Given]:
    with ThreadPoolExecutor(at_once) as pool:
        runs: dict[Future[tuple[list[Case], float] | None], tuple[int, Part]] = {
            pool.submit(_timed, part, until): (number, part) for number, part in group
        }
        try:
            for run_of in as_completed(runs):
                yield *runs[run_of], run_of.result()
        except BaseException:
            # Results from here on come from the interruption.
            pool.shutdown(wait=False, cancel_futures=True)
            end()
            raise


def _timed(part: Part, until: float) -> tuple[list[Case], float] | None:
    began = time.monotonic()
    if began >= until:
        return None
    return part.run(), time.monotonic() - began


def committed(root: Path) -> str:
    """The commit of the tree; the report itself may differ from it."""
    commit = history.head(root)
    changed = [name for name in history.changed(root) if name != REPORT]
    if changed:
        raise UserError(
            f"{changed[0]} is not committed: commit it first, because {REPORT} names the commit"
        )
    return commit


def _sum(name: str, cases: Sequence[Case], seconds: float, commit: str) -> Done:
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
        seconds,
        commit,
        time.strftime("%Y-%m-%d"),
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


def _report(every: Sequence[Done]) -> str:
    hours = sum(done.seconds for done in every) / 3600
    facts: Mapping[str, str] = {
        "ran": f"{min(d.on for d in every)} to {max(d.on for d in every)}",
        "result": str(total(every)),
        "length": f"{hours:.1f} h of {len(every)} parts",
        "machine of the last part": f"Linux {platform.release()}, {os.cpu_count()} CPUs",
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
        *HEAD,
        *(done.row() for done in every),
    ]
    return "\n".join(lines) + "\n"
