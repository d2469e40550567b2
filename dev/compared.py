# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program plainly and under `tactus run`: the same exit status?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from tactus.suites.command import run_and_end

TOLD_LINES = 4


def add_options(parser: argparse.ArgumentParser, limit_s: float) -> None:
    """Parameters of `differs()`."""
    parser.add_argument("--launcher", type=Path, default=Path("build/skins/posix/tactus-run"))
    parser.add_argument(
        "--option",
        metavar="OPTION",
        action="append",
        default=[],
        help="one of `tactus run`, as --option=--require; may be given several times",
    )
    parser.add_argument("--limit", metavar="S", type=float, default=limit_s, help="a run's time")


def _told(status: int | None) -> str:
    return "hung" if status is None else str(status)


def differs(
    name: str,
    command: Sequence[str],
    where: Path,
    given: argparse.Namespace,
    before: Sequence[str] = (),
) -> bool:
    """Runs both ways and prints what differs under `tactus run`. before: words before both."""
    plain, _ = run_and_end([*before, *command], where, {}, given.limit)
    launched = [*before, str(given.launcher.resolve()), *given.option, "--", *command]
    under, said = run_and_end(launched, where, {}, given.limit)
    if plain == under:
        return False
    print(f"{name}: plainly {_told(plain)}, under tactus run {_told(under)}", flush=True)
    for line in said.strip().splitlines()[-TOLD_LINES:]:
        print(f"    {line}", flush=True)
    return True
