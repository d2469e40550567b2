#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""One program plainly and under `tactus run`: the output must be the same, and the status the given
one. TAP.

usage: compare.py [--status NUMBER] LAUNCHER PROGRAM [ARGUMENT…]

The status is 0 unless it is given; -NUMBER means the end by a signal. A program that fails alike in
both runs does not pass.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from programs import run

SKIPPED = 77


def main(*arguments: str) -> int:
    expected = 0
    if arguments[0] == "--status":
        expected = int(arguments[1])
        arguments = arguments[2:]
    launcher, *program = arguments
    name = Path(program[0]).name
    print("1..1")
    status, plain = run(program)
    if status == SKIPPED:
        print(f"ok 1 - {name} # SKIP Linux gives no real-time policy here")
        return 0
    other, under = run([launcher, "--", *program], TACTUS_EXPECTED="1")
    if status == other == expected and plain == under:
        print(f"ok 1 - {name}")
        return 0
    print(f"not ok 1 - {name}")
    print(f"# status {status} plainly, {other} under tactus run, expected {expected}")
    lines = difflib.unified_diff(plain.splitlines(), under.splitlines(), "plain", "tactus", n=2)
    for line in lines:
        print(f"# {line.rstrip()}")
    return 0


sys.exit(main(*sys.argv[1:]))
