# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program plainly and under `tactus run`: the same exit status?"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

HUNG = "hung"
TOLD_LINES = 4


def add_options(parser: argparse.ArgumentParser, limit_s: float) -> None:
    """Of `differs()`."""
    parser.add_argument("--launcher", type=Path, default=Path("build/skins/posix/tactus-run"))
    parser.add_argument(
        "--option",
        metavar="OPTION",
        action="append",
        default=[],
        help="one of `tactus run`, as --option=--require; may be given several times",
    )
    parser.add_argument("--limit", metavar="S", type=float, default=limit_s, help="a run's time")


def run(command: Sequence[str], where: Path, limit_s: float) -> tuple[int | str, str]:
    """Exit status, and what was printed. Tests leave processes behind: all of them end."""
    with subprocess.Popen(
        command,
        cwd=where,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit_s)
            status: int | str = process.returncode
        except subprocess.TimeoutExpired:
            status = HUNG
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        if status == HUNG:
            said, _ = process.communicate()
        return status, said


def differs(name: str, command: Sequence[str], where: Path, given: argparse.Namespace) -> bool:
    """Runs both ways, and prints what is otherwise under `tactus run`."""
    plain, _ = run(command, where, given.limit)
    launched = [str(given.launcher.resolve()), *given.option, "--", *command]
    under, said = run(launched, where, given.limit)
    if plain == under:
        return False
    print(f"{name}: plainly {plain}, under tactus run {under}", flush=True)
    for line in said.strip().splitlines()[-TOLD_LINES:]:
        print(f"    {line}", flush=True)
    return True
