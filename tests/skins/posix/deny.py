#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is documented to be served without Linux is served so: each case runs under --deny-switch.
TAP.

usage: deny.py LAUNCHER PROGRAM WHAT…
"""

from __future__ import annotations

import subprocess
import sys

EXPECTED = "100\n"


def main(launcher: str, program: str, *names: str) -> int:
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        done = subprocess.run(
            [launcher, "--deny-switch", "--", program, name],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if (done.returncode, done.stdout, done.stderr) == (0, EXPECTED, ""):
            print(f"ok {number} - {name}")
            continue
        print(f"not ok {number} - {name}")
        print(f"# status {done.returncode}, printed {done.stdout!r}, expected {EXPECTED!r}")
        for line in done.stderr.splitlines():
            print(f"# {line}")
    return 0


sys.exit(main(*sys.argv[1:]))
