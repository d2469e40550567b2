#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every error code that POSIX or Linux's manual documents for a function is seen. TAP.

usage: errors.py LAUNCHER NAMES TABLE PROGRAM…

Runs the programs of errors/ plainly and under `tactus run`. They end with status 0 if each call
failed as expected, and print which; that is the same in both runs. Then TABLE, of all functions of
NAMES, is compared with the codes that a task and a thread have seen under `tactus run`.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from programs import run

TIMEOUT_S = 60
SKIPPED = 77
LINE = re.compile(r"(before|task|thread): (\w+) ([\w-]+)")

Case = tuple[str, str]  # function and code


@dataclass(frozen=True, slots=True)
class Table:
    """What is documented."""

    seen: frozenset[Case]
    unseen: frozenset[Case]  # each with a reason
    of_tasks: frozenset[Case]  # those of `seen` that only a task can see
    faults: tuple[str, ...]


@dataclass(slots=True)
class Seen:
    by: dict[str, set[Case]] = field(default_factory=lambda: {"task": set(), "thread": set()})


def read_table(path: Path, exported: frozenset[str]) -> Table:
    text = tomllib.loads(path.read_text())
    reasons: dict[str, str] = text["reasons"]
    codes: dict[str, str] = dict(text["codes"])
    never = set(text["never"]["functions"].split())
    for name, model in text["like"].items():
        own = codes.get(name, "")
        codes[name] = f"{codes[model]} {own}"
    seen, unseen, of_tasks, faults = set(), set(), set(), []
    used = set()
    for function, listed in codes.items():
        for word in listed.split():
            code, _, reason = word.partition(":")
            case = (function, code.removesuffix("@task"))
            if reason:
                used.add(reason)
                unseen.add(case)
            else:
                seen.add(case)
            if code.endswith("@task"):
                of_tasks.add(case)
            if reason and reason not in reasons:
                faults.append(f"{function} {word}: no such reason")
    faults += [f"nothing has the reason {reason}" for reason in sorted(reasons.keys() - used)]
    faults += [f"{name} is in the table twice" for name in sorted(never & codes.keys())]
    told = never | codes.keys()
    faults += [f"{name} is not in the table" for name in sorted(exported - told)]
    faults += [f"{name} is in the table, and not interposed" for name in sorted(told - exported)]
    return Table(frozenset(seen), frozenset(unseen), frozenset(of_tasks), tuple(faults))


def outcome(*command: str, **environment: str) -> tuple[int, list[str]]:
    """On the error output, Tactus reports what a task lacks meanwhile."""
    status, said = run(command, subprocess.DEVNULL, TIMEOUT_S, **environment)
    return status, said.splitlines()


def run_both(launcher: str, program: str, seen: Seen) -> list[str] | None:
    """The mistake; None: there is no real-time policy here."""
    status, plain = outcome(program)
    if status == SKIPPED:
        return None
    # Its tasks make many calls, and must be tasks for the last one, too.
    other, under = outcome(launcher, "--stay", "0", "--", program, TACTUS_EXPECTED="1")
    for line in under:
        if (case := LINE.fullmatch(line)) and case[1] != "before":
            seen.by[case[1]].add((case[2], case[3]))
    wrong = [line for line in [*plain, *under] if "WRONG" in line or "hung" in line]
    if status or other:
        wrong.append(f"status {status} plainly, {other} under tactus run")
    if not status and plain != under:
        wrong += difflib.unified_diff(plain, under, "plain", "tactus", n=0, lineterm="")
    return wrong


def differences(table: Table, seen: Seen) -> Iterator[str]:
    yield from table.faults
    for who, cases in seen.by.items():
        missing = table.seen - cases
        if who == "thread":
            missing -= table.of_tasks
        yield from (f"{function}: no {who} has seen {code}" for function, code in sorted(missing))
    for function, code in sorted(seen.by["task"] | seen.by["thread"]):
        if (function, code) in table.unseen:
            yield f"{function}: {code} has a reason for not being seen, and was"
        elif (function, code) not in table.seen:
            yield f"{function}: {code} is not in the table"


def tell(number: int, name: str, wrong: list[str] | None) -> None:
    if wrong is None:
        print(f"ok {number} - {name} # SKIP Linux gives no real-time policy here")
        return
    print(f"{'not ' if wrong else ''}ok {number} - {name}", flush=True)
    for line in wrong:
        print(f"# {line}")


def main(launcher: str, names: str, table: str, *programs: str) -> int:
    print(f"1..{len(programs) + 1}")
    seen = Seen()
    skipped = False
    for number, program in enumerate(programs, 1):
        wrong = run_both(launcher, program, seen)
        skipped = skipped or wrong is None
        tell(number, Path(program).name, wrong)
    exported = frozenset(Path(names).read_text().split())
    compared = differences(read_table(Path(table), exported), seen)
    tell(len(programs) + 1, Path(table).name, None if skipped else list(compared))
    return 0


sys.exit(main(*sys.argv[1:]))
