# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus bench`: exit status 0 when all rows were measured, goals reached or not."""

from __future__ import annotations

import argparse
import functools
import json
import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

from tactus.bench import instructions, table
from tactus.bench.measured import Measured, OutputError, parse
from tactus.measure import loads
from tactus.measure.alone import alone
from tactus.measure.options import check_output, whole
from tactus.project import Project, UserError, say

SUMMARY = "time the nucleus's operations beside Linux's own, one by one"
NEEDS_BUILD = True
FOLDER = "instruments/bench"
ROW_TIMEOUT_S = 600.0


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--json", type=Path, metavar="FILE", help="write all figures and rounds to FILE")
    add(
        "--cpu",
        type=whole(0, 4095, "CPU"),
        metavar="N",
        help="the CPU to measure on (default: the last)",
    )
    add("--row", action="append", metavar="NAME", help="only this row; may be repeated")
    add("--no-instructions", action="store_true", help="do not count instructions (valgrind)")


def choose_rows(wanted: list[str] | None, known: list[str]) -> list[str]:
    """In the instrument's order; each name must be one of its rows."""
    for name in wanted or []:
        if name not in known:
            raise UserError(f"no row {name!r}: choose of {', '.join(known)}")
    return [name for name in known if wanted is None or name in wanted]


def _measure(program: Path, row: str, cpu: int) -> Measured:
    command = [str(program), "--row", row, "--cpu", str(cpu)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=ROW_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise UserError(f"{row} did not end in {ROW_TIMEOUT_S:g} s: see ./tactus doctor") from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise UserError(f"{row}: {lines[-1].partition(': ')[2] or lines[-1]}")
    try:
        return parse(json.loads(done.stdout))
    except (json.JSONDecodeError, OutputError) as error:
        raise UserError(f"{row}: tactus-bench gave no valid result: {error}") from None


@functools.cache
def _stepped_by(project: Project, program: str) -> str:
    """What it prints; its instructions are the same each time, and take long to step through."""
    return project.run(program).stdout


def _stepped(project: Project, row: str) -> dict[str, float]:
    """Instructions of heap and timer queue by themselves, each call counted."""
    if row == "heap_alloc_free":
        return instructions.heap_figures(_stepped_by(project, "base/tests/base_heap_bench"))
    if row.startswith("timer_arm_"):
        armed = row.removeprefix("timer_arm_")
        found = instructions.timer_figures(_stepped_by(project, "base/tests/base_timerq_bench"))
        return {"queue_instructions": found[armed]} if armed in found else {}
    return {}


def _counted(project: Project, row: Measured, counter: instructions.Counter | None) -> Measured:
    figures = {**row.figures, **_stepped(project, row.name)}
    counts = counter is not None and row.name in instructions.COUNTED
    count = counter.count(row.name) if counter is not None and counts else None
    notices = row.notices
    if counts and count is None:
        notices += (f"{row.name}: valgrind could not count its instructions",)
    return replace(row, figures=figures, instructions=count, notices=notices)


def run(args: argparse.Namespace, project: Project) -> int:
    # These need packages; asking for help does not.
    from tactus.bench import wake
    from tactus.measure import manifest
    from tactus.measure.gravity import check_cpu
    from tactus.measure.instruments import Instruments

    check_output(args.json)
    program = project.program(f"{FOLDER}/tactus-bench")
    known = project.run(f"{FOLDER}/tactus-bench", "--rows").stdout.split()
    names = choose_rows(args.row, [*known, *wake.WAKES])
    loads.require([wake.WAKES[name].load for name in names if name in wake.WAKES])
    instruments = Instruments.of(project)
    cpu = max(os.sched_getaffinity(0)) if args.cpu is None else check_cpu(args.cpu)
    counter = None
    notices: dict[str, None] = {}
    if not args.no_instructions:
        counter = instructions.Counter.find(project.program(f"{FOLDER}/tactus-bench-sim"))
        if counter is None:
            notices["no instructions are counted: sudo apt-get install valgrind"] = None
    rows: dict[str, Measured] = {}
    with alone():
        for name in names:
            say(f"measuring {name}")
            if name in wake.WAKES:
                rows[name] = wake.measure(instruments, name, cpu)
            else:
                row = _measure(program, name, cpu)
                rows[name] = row if args.no_instructions else _counted(project, row, counter)
            notices |= dict.fromkeys(rows[name].notices)
    if args.json is not None:
        facts = manifest.collect(project.root, cpu, sys.argv[1:], {})
        text = json.dumps(table.as_json(rows, facts), indent=1)
        try:
            args.json.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {args.json}: {error.strerror}") from None
    print(table.render(rows))
    print(f"\nTimes are {table.STATISTIC}; the ratio is Linux's over Tactus's.")
    for notice in notices:
        print(textwrap.fill(f"Notice: {notice}", table.WIDTH, subsequent_indent="  "))
    return 0
