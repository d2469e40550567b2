#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tactus-gdb on a live program and on its core files. usage: gdb_tasks.py TACTUS_GDB PROGRAM"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from look import Skip, running, tap

GDB, PROGRAM = sys.argv[1:3]
GDB_S = 90.0
TGKILL = 234
# Name, mode, state, what it waits for, and a function that its backtrace must show.
TASKS = (
    ("dormant", "primary", "dormant", "-", "has not run yet"),
    ("waiter", "primary", "waiting", "gate", "wait_deeply"),
    ("light", "light", "waiting", "0x", "wait_deeply"),
    ("sleeper", "primary", "sleeping", "-", "tact_task_sleep"),
    ("joiner", "primary", "waiting", "light", "tact_task_join"),
    ("linux", "secondary", "linux", "-", "scenery_sleep_in_linux"),
    ("stopped", "primary", "suspended", "-", "has not run yet"),
    ("preempted", "primary", "ready", "-", "compute_for_ever"),
)
COMPUTER = "computer"


def gdb(*arguments: str) -> str:
    if not shutil.which("gdb"):
        raise Skip("gdb is not installed")
    done = subprocess.run(
        [GDB, "-nx", "-q", "-batch", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=GDB_S,
        check=False,
    )
    if "Operation not permitted" in done.stdout:
        raise Skip("ptrace is refused here")
    return done.stdout


def backtrace_of(name: str, text: str) -> str:
    found = re.search(rf"^task {name} .*?(?=^task |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no backtrace of {name} in\n{text}"
    return found[0]


def check(text: str) -> None:
    for name, mode, state, waits, frame in TASKS:
        row = rf"^{name} +0x[0-9a-f]+ +0 +\d+ {mode} +{state} +{waits}"
        assert re.search(row, text, re.MULTILINE), f"no line {row} in\n{text}"
        assert frame in backtrace_of(name, text), f"{frame} is not in the frames of {name}:\n{text}"
    # At the stop the beat may be what runs, or the nucleus on its way from one to the other.
    assert re.search(
        rf"^{COMPUTER} +0x[0-9a-f]+ +0 +3 primary +(running|ready)", text, re.MULTILINE
    )


LOOK = ("-ex", "tactus tasks", "-ex", "tactus bt")


def live_tasks_are_shown() -> None:
    with running(PROGRAM) as process:
        text = gdb("-p", str(process.pid), *LOOK)
        check(text)
        assert process.poll() is None, "the program did not survive"


def one_task_can_be_selected() -> None:
    with running(PROGRAM) as process:
        text = gdb(
            *("-p", str(process.pid), "-ex", "tactus task waiter", "-ex", "bt"),
            *("-ex", "tactus task off", "-ex", "echo OFF\\n", "-ex", "bt"),
        )
        on, off = text.split("OFF")
        assert "wait_deeply" in on, text
        assert "wait_deeply" not in off and "main ()" in off, text


def mistakes_are_told() -> None:
    with running(PROGRAM) as process:
        text = gdb("-p", str(process.pid), "-ex", "tactus bt nobody")
        assert "no task nobody: `tactus tasks` lists them" in text, text
    assert "no program runs and no core file is loaded" in gdb("-ex", "tactus tasks")
    text = gdb("-ex", "break main", "-ex", "run", "-ex", "tactus tasks", "-ex", "kill", PROGRAM)
    assert "has not started Tactus" in text, text


def gcore_holds_all_tasks() -> None:
    with tempfile.TemporaryDirectory() as folder:
        core = f"{folder}/core"
        with running(PROGRAM) as process:
            text = gdb("-p", str(process.pid), "-ex", f"gcore {core}")
        assert Path(core).is_file(), text
        check(gdb(PROGRAM, core, *LOOK))


def abort_main_thread(pid: int) -> None:
    """A signal for the process as a whole would bring a task to secondary mode to take it."""
    if os.uname().machine != "x86_64":
        raise Skip("the number of tgkill() is known for x86-64 only")
    if ctypes.CDLL(None, use_errno=True).syscall(TGKILL, pid, pid, signal.SIGABRT):
        raise OSError(ctypes.get_errno(), "tgkill")


def kernel_core_holds_all_tasks() -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8").strip()
    if pattern.startswith(("|", "/")):
        raise Skip(f"core files go to {pattern} on this machine")
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    if limits[1] == 0:
        raise Skip("the limit of core files is 0")
    with tempfile.TemporaryDirectory() as folder:
        resource.setrlimit(resource.RLIMIT_CORE, (limits[1], limits[1]))
        try:
            with running("/bin/sh", "-c", f'cd "{folder}" && exec "{PROGRAM}"') as process:
                abort_main_thread(process.pid)
                process.wait(60)
        finally:
            resource.setrlimit(resource.RLIMIT_CORE, limits)
        cores = list(Path(folder).iterdir())
        if not cores:
            raise Skip("the kernel wrote no core file here")
        check(gdb(PROGRAM, str(cores[0]), *LOOK))


def library_signals_go_unseen() -> None:
    text = gdb("-ex", "run", PROGRAM)
    assert "exited normally" in text, text
    assert "received signal" not in text, text


if __name__ == "__main__":
    PROGRAM = str(Path(PROGRAM).resolve())
    cases = (
        live_tasks_are_shown,
        one_task_can_be_selected,
        mistakes_are_told,
        gcore_holds_all_tasks,
        kernel_core_holds_all_tasks,
        library_signals_go_unseen,
    )
    sys.exit(tap([(case.__name__, case) for case in cases]))
