#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that do not know each other, on one real-time CPU. TAP.

usage: shares.py LAUNCHER BEATS
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from programs import run_cases

LAUNCHER, BEATS = sys.argv[1:3]
CPU = str(max(os.sched_getaffinity(0)))
ON = ("--cpu", CPU)
COMPUTES = "while :; do :; done"
LIMIT_S = 60


def real_time_cpus(pid: int) -> int:
    names = Path(f"/proc/{pid}/task").glob("*/comm")
    return sum(name.read_text().startswith("tactus-cpu") for name in names)


@contextlib.contextmanager
def beside(*command: str, wants_cpu: bool = True) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs meanwhile, on a real-time CPU."""
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 10
        while wants_cpu and not real_time_cpus(program.pid) and time.monotonic() < limit:
            time.sleep(0.01)
        yield program
    finally:
        program.kill()
        program.wait()


def tasks_of(*command: str) -> int:
    """The figures of a program that ends well, from its summary."""
    done = subprocess.run(
        [LAUNCHER, "--summary", *command],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
    found = re.search(r": (\d+) tasks?$", done.stderr, re.MULTILINE)
    return int(found[1]) if found else 0


def both_have_tasks_on_it() -> None:
    with beside(LAUNCHER, *ON, "--", BEATS, "100000"):
        assert tasks_of(*ON, "--", BEATS, "20") == 1, "the second program has no task"


def one_is_chosen_that_leaves_linux_a_cpu() -> None:
    """As many as come without naming a CPU."""
    with beside(LAUNCHER, "--", BEATS, "100000"), beside(LAUNCHER, "--", BEATS, "100000"):
        assert tasks_of("--require", "--", BEATS, "20") == 1, "the third program has no task"


def a_helper_takes_no_cpu_from_who_follows() -> None:
    """One that lasts, and one that has just ended."""
    lasts = f"chrt -f 5 sleep 20 & {LAUNCHER} --cpu {CPU} --summary -- {BEATS} 20; kill $!"
    for script in (lasts, f"chrt -f 5 true; exec {BEATS} 20"):
        done = subprocess.run(
            [LAUNCHER, *ON, "--summary", "--", "sh", "-c", script],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert "runs without Tactus" not in done.stderr, done.stderr
        assert "posix_periodic: 1 task" in done.stderr, done.stderr


def the_more_urgent_goes_first_whosever_it_is() -> None:
    """Beats of one program, at 50, while a less urgent task of another one keeps the CPU."""
    with beside(LAUNCHER, *ON, "--", BEATS, "20", "computes"):
        begun = time.monotonic()
        assert tasks_of(*ON, "--", BEATS, "300") == 1, "no task"
        took_s = time.monotonic() - begun
    with beside(LAUNCHER, *ON, "--", BEATS, "70", "computes"):
        assert tasks_of(*ON, "--", BEATS, "300") == 1, "no task below one that computes"
    assert took_s < LIMIT_S / 2, f"{took_s:.1f} s for beats of 0.3 s"


def foreign_load_keeps_nobody_for_ever() -> None:
    """A thread of Linux, more urgent than both, computes on their CPU all the time."""
    with (
        beside(LAUNCHER, *ON, "--", BEATS, "100000"),
        beside("taskset", "-c", CPU, "chrt", "-f", "80", "sh", "-c", COMPUTES, wants_cpu=False),
    ):
        for _ in range(2):
            assert tasks_of(*ON, "--", BEATS, "300") == 1, "no task"


def foreign_load_keeps_nobody_from_beginning_and_ending() -> None:
    """The same on the CPUs that Linux keeps."""
    with contextlib.ExitStack() as load:
        for cpu in {str(cpu) for cpu in os.sched_getaffinity(0)} - {CPU}:
            computes = ("taskset", "-c", cpu, "chrt", "-f", "80", "sh", "-c", COMPUTES)
            load.enter_context(beside(*computes, wants_cpu=False))
        for _ in range(2):
            assert tasks_of(*ON, "--", BEATS, "300") == 1, "no task"


CASES: list[Callable[[], None]] = [
    both_have_tasks_on_it,
    one_is_chosen_that_leaves_linux_a_cpu,
    a_helper_takes_no_cpu_from_who_follows,
    the_more_urgent_goes_first_whosever_it_is,
    foreign_load_keeps_nobody_for_ever,
    foreign_load_keeps_nobody_from_beginning_and_ending,
]

if len(os.sched_getaffinity(0)) < 2:
    print("1..0 # SKIP one CPU")
    sys.exit(0)
run_cases(CASES)
