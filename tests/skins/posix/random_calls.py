#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random programs plainly and under `tactus run`: the result of each call, in one order. TAP.

usage: random_calls.py LAUNCHER PROGRAM [SEEDS [FIRST [GROUPS…]]]

On a busy machine, a deadline may pass while a thread computes, also in a plain run. So a difference
counts only if no two of several more runs agree.
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from dataclasses import dataclass

SEEDS = 10
BATCH = 50
AGAIN = 6
TIMEOUT_S = 5
SKIPPED = 77
HUNG = -1

# Calls without Linux are made at any time, the rest apart. Under `tactus run` a program may use one
# CPU, as plainly, or more: then a thread that runs a handler or is cancelled may do so beside
# others.
MORE = (
    "sleep,mutex,cond,sem,barrier,rwlock",
    "apart,mutex,cond,sem,priority,rwlock",
    "apart,mq,event,timerfd,poll",
)
ONE = (
    MORE[0],
    "apart,mutex,robust,ceiling,cond,sem,priority,cancel,rwlock",
    MORE[2],
    "apart,signal,timer,sem",
)


@dataclass(frozen=True)
class Way:
    """The way to run a program."""

    name: str
    before: tuple[str, ...]


def results(way: Way, program: str, groups: str, first: int, count: int) -> dict[int, str]:
    """The output of each seed. One that hangs is the last one."""
    command = [*way.before, program, groups, str(first), str(count)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S + count / 5, check=False
        )
        text, status = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        text = late.stdout.decode() if late.stdout else ""
        status = HUNG
    told: dict[int, str] = dict.fromkeys(range(first, first + count), "")
    for line in text.splitlines():
        number, _, rest = line.partition(": ")
        if number.isdigit() and int(number) in told:
            told[int(number)] += f"{rest}\n"
        else:
            told[first] += f"{line}\n"
    if status:
        missing = [seed for seed, said in told.items() if not said]
        told[missing[0] if missing else first] += f"status {status}\n"
        for seed in missing[1:]:
            del told[seed]
    return told


def same(ways: tuple[Way, Way], program: str, groups: str, seed: int) -> str:
    """Empty, or the difference of the runs."""
    seen: tuple[list[str], list[str]] = ([], [])
    for _ in range(AGAIN):
        for way, told in zip(ways, seen, strict=True):
            told.append(results(way, program, groups, seed, 1)[seed])
        if set(seen[0]) & set(seen[1]):
            return ""
    lines = difflib.unified_diff(
        seen[0][-1].splitlines(),
        seen[1][-1].splitlines(),
        ways[0].name,
        ways[1].name,
        n=3,
        lineterm="",
    )
    return "\n".join(lines)


def compare(ways: tuple[Way, Way], program: str, groups: str, first: int, count: int) -> list[str]:
    wrong = []
    for start in range(first, first + count, BATCH):
        size = min(BATCH, first + count - start)
        plain, under = (results(way, program, groups, start, size) for way in ways)
        for seed in range(start, start + size):
            if seed in plain and plain[seed] == under.get(seed):
                continue
            difference = same(ways, program, groups, seed)
            if difference:
                wrong.append(f"seed {seed}\n{difference}")
    return wrong


def main(launcher: str, program: str, *rest: str) -> int:
    count = int(rest[0]) if rest else SEEDS
    first = int(rest[1]) if len(rest) > 1 else 1
    cpu = str(max(os.sched_getaffinity(0)))
    plain = Way("plain", ("taskset", "-c", cpu))
    one = Way("one CPU", ("taskset", "-c", cpu, launcher, "--"))
    more = Way("tactus", (launcher, "--cpu", cpu, "--"))
    asked = [(one, groups) for groups in rest[2:] or ONE]
    asked += [(more, groups) for groups in rest[2:] or MORE]
    if subprocess.run([program, MORE[0], "1", "0"], check=False).returncode == SKIPPED:
        print("1..0 # SKIP Linux gives no real-time policy here")
        return 0
    print(f"1..{len(asked)}")
    for number, (way, groups) in enumerate(asked, 1):
        wrong = compare((plain, way), program, groups, first, count)
        print(f"{'not ok' if wrong else 'ok'} {number} - {way.name}: {groups}", flush=True)
        for line in "\n".join(wrong).splitlines():
            print(f"# {line}", flush=True)
    return 0


sys.exit(main(*sys.argv[1:]))
