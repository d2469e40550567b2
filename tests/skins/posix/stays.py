#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Real-time threads that mostly call Linux, and stay there: which ones, how long, and which ones do
not. TAP.

usage: stays.py LAUNCHER STAYS
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from programs import run_cases

LAUNCHER, PROGRAM = sys.argv[1:3]
CALLS = 400
AFTER = 32  # the default of --stay
GETPPID = 110
FIFO_5 = ("chrt", "-f", "5")


def run(*command: str) -> str:
    """The summary of a program that ends well."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), f"{done.returncode}: {done.stderr}"
    return done.stderr


def from_outside(what: str, *options: str) -> str:
    return run(*FIFO_5, LAUNCHER, "--summary", *options, "--", PROGRAM, what, str(CALLS))


def by_itself(what: str, *options: str) -> str:
    return run(LAUNCHER, "--summary", *options, "--", PROGRAM, what, str(CALLS))


def tasks(said: str) -> dict[int, dict[str, int]]:
    """By priority, the figures of both tables."""
    found: dict[int, dict[str, int]] = {}
    names: list[str] = []
    priorities: dict[str, int] = {}
    for line in said.splitlines():
        words = line.split()[1:]
        if words[:1] == ["TID"]:
            names = words
        elif words[:1] == ["CPU"]:
            break
        elif names and words and words[0].isdigit():
            row = dict(zip(names, words, strict=True))
            priority = priorities.setdefault(row["TID"], int(row.get("PRIO", "0")))
            numbers = {n: int(float(v)) for n, v in row.items() if n != "POLICY"}
            found.setdefault(priority, {}).update(numbers)
    return found


def a_program_that_only_calls_linux_has_no_task() -> None:
    for what, threads in (
        ("calls", "1 real-time thread "),
        ("inherits", "2 real-time threads "),
    ):
        said = from_outside(what)
        assert tasks(said) == {} and threads + "stayed with Linux" in said, said


def a_policy_from_outside_is_real_time_from_the_first_wait_on() -> None:
    said = from_outside("sleeps")
    found = tasks(said)
    assert list(found) == [5] and found[5]["SLEEPS"] == CALLS, said
    # Before it there was no task that could have gone to Linux: only its end is left.
    assert found[5]["TO-LINUX"] < AFTER and "stayed with Linux" not in said, said


def the_program_that_sets_a_policy_for_another_begins_no_cpu() -> None:
    said = run(LAUNCHER, "--summary", "--", *FIFO_5, PROGRAM, "calls", str(CALLS))
    assert tasks(said) == {} and "1 real-time thread stayed with Linux" in said, said
    # The program that it begins has real time as without it.
    found = tasks(run(LAUNCHER, "--summary", "--", *FIFO_5, PROGRAM, "sleeps", str(CALLS)))
    assert list(found) == [5] and found[5]["SLEEPS"] == CALLS, found


def none_stays_where_that_is_refused() -> None:
    found = tasks(from_outside("inherits", "--stay", "0"))
    assert list(found) == [5], found
    found = tasks(by_itself("posts", "--stay", "0"))
    assert found[20]["TO-LINUX"] >= CALLS and found[20]["STAYS"] == 0, found
    # The place of a switch in the program.
    said = run(*FIFO_5, LAUNCHER, "--report-switch", "--", PROGRAM, "inherits", "1")
    assert f"left primary mode by Linux call {GETPPID}" in said, said


def a_task_that_leaves_without_a_wait_between_stays_in_linux() -> None:
    said = by_itself("posts")
    found = tasks(said)
    assert found[20]["STAYS"] == 1 and AFTER <= found[20]["TO-LINUX"] < 2 * AFTER, said
    assert found[30]["STAYS"] == 0, said
    found = tasks(by_itself("posts", "--stay", str(CALLS // 2)))
    assert found[20]["TO-LINUX"] >= CALLS // 2 and found[20]["STAYS"] == 1, found
    found = tasks(by_itself("posts", "--stay", str(CALLS * 2)))
    assert found[20]["TO-LINUX"] >= CALLS and found[20]["STAYS"] == 0, found


def one_that_stays_is_a_task_again_when_it_waits() -> None:
    said = by_itself("returns")
    found = tasks(said)
    assert found[20]["STAYS"] == 1 and found[20]["SLEEPS"] == CALLS, said


def a_periodic_task_that_calls_linux_each_time_does_not_stay() -> None:
    said = by_itself("beats")
    found = tasks(said)
    assert found[20]["STAYS"] == 0 and found[20]["SLEEPS"] == CALLS, said
    assert found[20]["TO-LINUX"] >= CALLS, said


CASES: list[Callable[[], None]] = [
    a_program_that_only_calls_linux_has_no_task,
    a_policy_from_outside_is_real_time_from_the_first_wait_on,
    the_program_that_sets_a_policy_for_another_begins_no_cpu,
    none_stays_where_that_is_refused,
    a_task_that_leaves_without_a_wait_between_stays_in_linux,
    one_that_stays_is_a_task_again_when_it_waits,
    a_periodic_task_that_calls_linux_each_time_does_not_stay,
]

run_cases(CASES)
