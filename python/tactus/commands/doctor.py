# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus doctor`: exit status 0 if nothing is bad, otherwise 1."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from tactus.doctor.machine import UnreadableError, cpu_list, observe
from tactus.doctor.probes import probe
from tactus.doctor.report import as_json, examine, is_bad, render
from tactus.measure.options import check_output, whole
from tactus.project import Project, UserError

SUMMARY = "examine this machine: what increases latency, and what helps"
LOOK_S = 1.0
ROOT = Path("/")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cpu",
        type=whole(0, 4095, "CPU"),
        metavar="N",
        help="the CPU to examine (default: an isolated one, else the last)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings to FILE too")


def choose_cpu(wanted: int | None, allowed: frozenset[int], root: Path) -> int:
    """The requested CPU, or the one that a real-time program would take."""

    def listed(name: str) -> frozenset[int]:
        try:
            return cpu_list((root / "sys/devices/system/cpu" / name).read_text(encoding="ascii"))
        except OSError:
            return frozenset()

    online = listed("online") or allowed
    if wanted is not None:
        if wanted not in online:
            choice = ", ".join(map(str, sorted(online)))
            raise UserError(f"there is no CPU {wanted} online; choose one of {choice}")
        return wanted
    return max((listed("isolated") & online) or (allowed & online) or online)


def check(args: argparse.Namespace) -> None:
    choose_cpu(args.cpu, frozenset(os.sched_getaffinity(0)), ROOT)
    check_output(args.json)


def run(args: argparse.Namespace, project: Project) -> int:  # noqa: ARG001
    cpu = choose_cpu(args.cpu, frozenset(os.sched_getaffinity(0)), ROOT)
    machine = observe(ROOT, cpu, probe(), LOOK_S)
    try:
        kernel = machine.text("proc/sys/kernel/osrelease")
    except UnreadableError:
        kernel = "unknown"
    results = examine(machine)
    print(f"Linux {kernel}, {os.cpu_count()} CPUs; CPU {cpu} observed for {LOOK_S:.0f} s\n")
    print(render(results))
    if args.json is not None:
        text = json.dumps(as_json(results, machine, kernel), indent=2)
        try:
            args.json.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {args.json}: {error.strerror}") from None
    return 1 if is_bad(results) else 0
