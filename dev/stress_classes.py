#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The classes of stress-ng plainly and under `tactus run`, one by one: the same exit status?

Its main program is a process of Linux's; the workers, its children, give themselves SCHED_FIFO, so
that they are the tasks. What tests the machine and not the calls of a program is left out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import compared

WORKER = ("--sched", "fifo", "--sched-prio", "10", "--timeout", "1", "--oomable")
# They load modules, take processors from Linux, or fill the machine's memory and disks.
LEFT_OUT = re.compile(
    r"module|cpu-online|.*-ioctl|rawdev|ramfs|swap|bigheap|brk|stack|oom-pipe|hdd|iomix|fiemap"
    r"|watchdog|ext-.*|bind-mount|netdev|rawpkt|sysinval|sysfs|procfs|dev|mlockmany|vm-.*|vm|dirdeep"
)


def classes(wanted: re.Pattern[str]) -> list[str]:
    said = subprocess.run(["stress-ng", "--stressors"], capture_output=True, text=True, check=True)
    return [c for c in said.stdout.split() if wanted.search(c) and not LEFT_OUT.fullmatch(c)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    compared.add_options(parser, limit_s=15)
    parser.add_argument("--only", metavar="REGEX", type=re.compile, default=re.compile(""))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ran = classes(arguments.only)
        different = [
            name
            for name in ran
            if compared.differs(
                name, ["stress-ng", f"--{name}", "1", *WORKER], Path(folder), arguments
            )
        ]
    print(f"{len(ran)} classes, {len(ran) - len(different)} the same")
    return 1 if different or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
