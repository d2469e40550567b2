#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The classes of stress-ng plainly and under `tactus run`, one by one: the same exit status?

They have SCHED_FIFO from outside, so that the workers, which are forked, are tasks: stress-ng's own
option sets the policy of its main process alone. A worker that is a task has a real-time CPU of its
process, a thread called tactus-cpu…, which is looked for while the class runs. What tests the
machine and not the calls of a program is left out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import compared

BEFORE = ("chrt", "-f", "10")
FOR = ("--timeout", "1", "--oomable")
# They load modules, take processors from Linux, fill the machine's memory and disks, or leave the
# queues of messages full (resources).
LEFT_OUT = re.compile(
    r"module|cpu-online|.*-ioctl|rawdev|ramfs|swap|bigheap|brk|stack|oom-pipe|hdd|iomix|fiemap"
    r"|watchdog|ext-.*|bind-mount|netdev|rawpkt|sysinval|sysfs|procfs|dev|mlockmany|vm-.*|vm|dirdeep"
    r"|resources"
)
LOOK_S = 0.05
REAL_TIME_CPU = "tactus-cpu"


@contextmanager
def workers_watched() -> Iterator[threading.Event]:
    """Set once a child of a stress-ng has a real-time CPU, as long as this is entered."""
    seen = threading.Event()
    over = threading.Event()

    def look() -> None:
        while not seen.is_set() and not over.wait(LOOK_S):
            if any(_is_task(process) for process in Path("/proc").glob("[0-9]*")):
                seen.set()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def _is_task(process: Path) -> bool:
    try:
        if not _is_stress(process):
            return False
        parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
        return _is_stress(process.with_name(parent)) and any(
            (thread / "comm").read_text().startswith(REAL_TIME_CPU)
            for thread in (process / "task").iterdir()
        )
    except OSError:
        return False  # it has ended


def _is_stress(process: Path) -> bool:
    return (process / "comm").read_text().startswith("stress-ng")


def classes(wanted: re.Pattern[str]) -> list[str]:
    said = subprocess.run(["stress-ng", "--stressors"], capture_output=True, text=True, check=True)
    return [c for c in said.stdout.split() if wanted.search(c) and not LEFT_OUT.fullmatch(c)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    compared.add_options(parser, limit_s=15)
    parser.add_argument("--only", metavar="REGEX", type=re.compile, default=re.compile(""))
    arguments = parser.parse_args()
    different: list[str] = []
    no_task: list[str] = []
    ran = classes(arguments.only)
    with tempfile.TemporaryDirectory() as folder:
        for name in ran:
            command = ["stress-ng", f"--{name}", "1", *FOR]
            with workers_watched() as seen:
                if compared.differs(name, command, Path(folder), arguments, BEFORE):
                    different.append(name)
            if not seen.is_set():
                no_task.append(name)
    print(f"{len(ran)} classes, {len(ran) - len(different)} the same")
    print(f"{len(ran) - len(no_task)} with a worker that is a task, not: {' '.join(no_task)}")
    return 1 if different or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
