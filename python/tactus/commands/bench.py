# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus bench`: exit status 0 if all rows were measured, whether goals are met or not."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

from tactus.bench import counts, instructions, skins, table
from tactus.bench.measured import Measured, OutputError, parse
from tactus.measure import loads
from tactus.measure.alone import alone
from tactus.measure.cpus import check_cpu
from tactus.measure.options import check_output, whole
from tactus.project import Project, UserError, say

OPERATIONS = "operations"
GROUPS = (OPERATIONS, skins.GROUP)
SIDES = {OPERATIONS: ("Tactus", "Linux"), skins.GROUP: skins.SIDES}
SUMMARY = "time each operation of the nucleus beside its counterpart in Linux"
NEEDS_BUILD = True
FOLDER = "instruments/bench"
ROW_TIMEOUT_S = 600.0
LONG = frozenset({"timer_arm_1000000", "tasks_100000", "wake_10_tasks"})
"""Rows whose preparation or rounds take longer than a whole quick table may take."""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--json", type=Path, metavar="FILE", help="write all figures and rounds to FILE")
    add(
        "--cpu",
        type=whole(0, 4095, "CPU"),
        metavar="N",
        help="the CPU to measure on (default: the last)",
    )
    add(
        "--group",
        choices=GROUPS,
        default=OPERATIONS,
        help=f"{OPERATIONS} of the nucleus (default), or {skins.GROUP} beside the native API",
    )
    add("--row", action="append", metavar="NAME", help="only this row; may be repeated")
    add(
        "--quick",
        action="store_true",
        help="take 20 s, not 90: fewer rounds, no counts of instructions, "
        f"and the rows {', '.join(sorted(LONG))} only if --row names them",
    )
    add("--no-instructions", action="store_true", help="do not count instructions (valgrind)")


def choose_rows(wanted: list[str] | None, known: list[str], quick: bool = False) -> list[str]:
    """The rows in the instrument's order; each name must be one of them. Quick: if none is named,
    all except the long ones."""
    for name in wanted or []:
        if name not in known:
            raise UserError(f"no row {name!r}: choose one of {', '.join(known)}")
    if wanted is None:
        return [name for name in known if not quick or name not in LONG]
    return [name for name in known if name in wanted]


def _measure(
    program: Path, row: str, cpu: int, quick: bool, sides: tuple[str, str] = ("tactus", "linux")
) -> Measured:
    command = [str(program), "--row", row, "--cpu", str(cpu), "--json", "-"]
    if quick:
        command.append("--quick")
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
        return parse(json.loads(done.stdout), sides)
    except (json.JSONDecodeError, OutputError) as error:
        raise UserError(f"{row}: tactus-bench gave no valid result: {error}") from None


def check(args: argparse.Namespace) -> None:
    check_output(args.json)
    _cpu(args)


def _cpu(args: argparse.Namespace) -> int:
    return max(os.sched_getaffinity(0)) if args.cpu is None else check_cpu(args.cpu)


def _counting(args: argparse.Namespace) -> bool:
    return not (args.no_instructions or args.quick)


def _operations(args: argparse.Namespace, project: Project, cpu: int) -> dict[str, Measured]:
    """The nucleus's operations beside Linux's."""
    # These need packages, but --help does not.
    from tactus.bench import wake
    from tactus.measure.instruments import Instruments

    program = project.program(f"{FOLDER}/tactus-bench")
    known = project.run(f"{FOLDER}/tactus-bench", "--rows").stdout.split()
    names = choose_rows(args.row, [*known, *wake.WAKES], args.quick)
    loads.require([wake.WAKES[name].load for name in names if name in wake.WAKES])
    instruments = Instruments.of(project)
    rows: dict[str, Measured] = {}
    with alone():
        counted = counts.Counts()
        if _counting(args):
            counter = instructions.Counter.find(project.program(f"{FOLDER}/tactus-bench-sim"))
            say("counting instructions")
            counted = counts.count(project, names, counter)
        for name in names:
            say(f"measuring {name}")
            if name in wake.WAKES:
                rows[name] = wake.measure(instruments, name, cpu, quick=args.quick)
            else:
                rows[name] = counted.added_to(_measure(program, name, cpu, args.quick))
    return rows


def _skins(args: argparse.Namespace, project: Project, cpu: int) -> dict[str, Measured]:
    """The skins' operations beside the nucleus's."""
    every = skins.rows_of(skins.find(project))
    wanted = {name: every[name] for name in choose_rows(args.row, list(every))}
    valgrind = shutil.which("valgrind")
    rows: dict[str, Measured] = {}
    with alone():
        counted: dict[str, skins.Counts] = {}
        if _counting(args) and valgrind is not None:
            say("counting instructions")
            counted = skins.count(wanted, valgrind)
        for name, skin in wanted.items():
            say(f"measuring {name}")
            measured = _measure(skin.program, name, cpu, args.quick, skins.SIDES)
            rows[name] = skins.compared(measured, counted.get(name))
    return rows


def run(args: argparse.Namespace, project: Project) -> int:
    from tactus.measure import manifest

    cpu = _cpu(args)
    notices: dict[str, None] = {}
    if _counting(args) and shutil.which("valgrind") is None:
        notices["instructions are not counted: sudo apt-get install valgrind"] = None
    rows = (_skins if args.group == skins.GROUP else _operations)(args, project, cpu)
    for row in rows.values():
        notices |= dict.fromkeys(row.notices)
    if args.json is not None:
        facts = manifest.collect(project.root, cpu, sys.argv[1:], {})
        text = json.dumps(table.as_json(rows, facts), indent=1)
        try:
            args.json.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {args.json}: {error.strerror}") from None
    ours, peers = SIDES[args.group]
    print(table.render(rows, (ours, peers)))
    said = f"Times are {table.STATISTIC}; the ratio is the time of {peers} over that of {ours}."
    print(f"\n{textwrap.fill(said, table.WIDTH)}")
    for notice in notices:
        print(textwrap.fill(f"Notice: {notice}", table.WIDTH, subsequent_indent="  "))
    return 0
