#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""One program plainly and under `tactus run`: the same output and status. TAP.

usage: compare.py LAUNCHER PROGRAM [ARGUMENT…]
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 110
SKIPPED = 77
HUNG = -1
NOT_RUN = (HUNG, 126, 127)


def run(command: list[str], **environment: str) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode() if isinstance(late.stdout, bytes) else (late.stdout or "")
        return HUNG, f"{said}hung: nothing more for {TIMEOUT_S} s\n"
    return done.returncode, done.stdout


def main(launcher: str, *program: str) -> int:
    name = Path(program[0]).name
    print("1..1")
    status, plain = run([*program])
    if status == SKIPPED:
        print(f"ok 1 - {name} # SKIP Linux gives no real-time policy here")
        return 0
    other, under = run([launcher, "--", *program], TACTUS_EXPECTED="1")
    if (status, plain) == (other, under) and status not in NOT_RUN:
        print(f"ok 1 - {name}")
        return 0
    print(f"not ok 1 - {name}")
    print(f"# status {other}, expected {status}")
    lines = difflib.unified_diff(plain.splitlines(), under.splitlines(), "plain", "tactus", n=2)
    for line in lines:
        print(f"# {line.rstrip()}")
    return 0


sys.exit(main(*sys.argv[1:]))
