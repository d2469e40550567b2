# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of this folder share: programs that are run, and cases that are printed as TAP."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence

TIMEOUT_S = 110
HUNG = -1


def run(
    command: Sequence[str],
    stderr: int = subprocess.STDOUT,
    limit_s: int = TIMEOUT_S,
    **environment: str,
) -> tuple[int, str]:
    """Its status and output; after the limit, HUNG and its output until then."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode() if isinstance(late.stdout, bytes) else (late.stdout or "")
        return HUNG, f"{said}hung: nothing more for {limit_s} s\n"
    return done.returncode, done.stdout


def run_cases(cases: Sequence[Callable[[], None]]) -> None:
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        try:
            case()
            print(f"ok {number} - {case.__name__}")
        except (AssertionError, ValueError) as wrong:
            print(f"not ok {number} - {case.__name__}")
            for line in str(wrong).splitlines():
                print(f"# {line}")
