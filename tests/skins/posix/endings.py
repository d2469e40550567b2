#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The output of `tactus run --summary` and `--trace`, however the program ends. TAP.

usage: endings.py LAUNCHER ENDED COUNTED
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from programs import run_cases

LAUNCHER, ENDED, COUNTED = sys.argv[1:4]
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
ENDING = ("process", "task", "stream", "again", "child", "vforked", "spawned")
STAYING = ("ignored", "handled")
MOST_LINES = 256


def run(*command: str, timeout_s: float = 60) -> tuple[int, str, str]:
    done = subprocess.run(
        [*command], capture_output=True, text=True, timeout=timeout_s, check=False
    )
    return done.returncode, done.stdout, done.stderr


def counted(*words: str) -> str:
    status, printed, said = run(LAUNCHER, "--summary", "--", COUNTED, *words)
    assert (status, printed) == (0, ""), f"{status}, {printed}, {said}"
    return said


def table(said: str, name: str) -> list[list[str]]:
    """The lines below the one that begins so, up to the next of another kind."""
    lines = [line.split()[1:] for line in said.splitlines()]
    first = next(at for at, line in enumerate(lines) if line[:2] == ["TID", name])
    found = []
    for line in lines[first + 1 :]:
        if not line[0].isdigit():
            break
        found.append(line)
    return found


def summary_and_trace_of_a_program_that_a_signal_ends() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        options = ("--summary", "--trace", str(file))
        for number in SIGNALS:
            for how in ENDING + STAYING:
                words = (ENDED, str(int(number)), how)
                expected = run(*words)[:2]
                status, printed, said = run(LAUNCHER, *options, "--", *words)
                what = f"{number.name} {how}: {status}, {printed}, {said}"
                assert (status, printed) == expected, f"{what}, expected {expected}"
                assert status == (-number if how in ENDING else 4), what
                assert said.count("ended: 1 task") == 1, what
                assert int(table(said, "SLEEPS")[0][1]) > 0, what
                assert json.loads(file.read_text())["traceEvents"], what
                file.unlink()


def nothing_changes_for_who_becomes_another_program() -> None:
    for number in SIGNALS:
        words = (ENDED, str(int(number)), "exec")
        expected = run(*words)
        assert expected[0] == -number, expected
        assert run(LAUNCHER, "--summary", "--", *words) == expected, number


def a_task_that_may_not_call_linux_is_ended_alike() -> None:
    for option in ("--deny-switch", "--light"):
        for how in ("process", "task"):
            words = (ENDED, str(int(signal.SIGTERM)), how)
            status, _, said = run(LAUNCHER, option, "--summary", "--", *words)
            what = f"{option} {how}: {status}, {said}"
            assert status == -signal.SIGTERM and "ended: 1 task" in said, what


def a_trace_is_not_that_of_an_earlier_program() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        run(LAUNCHER, "--trace", str(file), "--", COUNTED, "many", "1")
        assert json.loads(file.read_text())["traceEvents"], "no trace"
        run(LAUNCHER, "--trace", str(file), "--", "true")
        assert file.read_text() == "", "what the first one has left"


def a_trace_that_is_written_slowly_has_no_event_that_came_later() -> None:
    """A task continues meanwhile, and its events overwrite those that are not written yet."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = Path(folder) / "trace.json"
        os.mkfifo(fifo)
        ours = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        program = subprocess.Popen(
            [LAUNCHER, "--trace", str(fifo), "--", COUNTED, "busy", "20000"],
            stderr=subprocess.DEVNULL,
        )
        try:
            text = b""
            limit = time.monotonic() + 60
            while time.monotonic() < limit:
                try:
                    text += os.read(ours, 1 << 16)
                except BlockingIOError:
                    if program.poll() is not None:
                        break
                    time.sleep(0.01)
                    continue
                # A part of the ring after the content of the pipe must be overwritten.
                if len(text) <= 1 << 16:
                    time.sleep(0.05)
        finally:
            program.kill()
            program.wait()
            os.close(ours)
    events = [e for e in json.loads(text)["traceEvents"] if e["ph"] != "M"]
    ends = [e["ts"] + e.get("dur", 0) for e in events]
    assert len(events) > 300, len(events)
    wrong = [i for i in range(1, len(ends)) if ends[i] < ends[i - 1] - 0.002]
    assert not wrong, f"event {wrong[0]} of {len(ends)}: {ends[wrong[0] - 1]}, {ends[wrong[0]]}"
    assert all(e["dur"] >= 0 for e in events if e["ph"] == "X"), "a stay ends before it begins"


def sleeps_for_a_time_miss_no_instant() -> None:
    _, sleeps, overruns, *_ = table(counted("relative", "50"), "SLEEPS")[0]
    assert (sleeps, overruns) == ("0", "0"), f"{sleeps} sleeps, {overruns} overruns"


def a_thread_has_one_line_however_often_it_becomes_a_task() -> None:
    said = counted("turns", "300")
    assert ": 2 tasks\n" in said, said
    runs, sleeps = table(said, "POLICY"), table(said, "SLEEPS")
    assert sorted(run[2] for run in runs) == ["40", "50"], said
    assert [line[1] for line in sleeps] == ["300", "300"], said


def threads_without_a_line_are_counted() -> None:
    said = counted("many", str(MOST_LINES + 3))
    assert f": {MOST_LINES + 3} tasks\n" in said and "\ntactus: and 3 more\n" in said, said
    assert len(table(said, "POLICY")) == len(table(said, "SLEEPS")) == MOST_LINES, said


def a_program_that_starts_tactus_by_itself_has_a_summary() -> None:
    said = counted("alone", "20")
    assert [line[1] for line in table(said, "SLEEPS")] == ["20"], said
    assert "--cpu" not in said, said
    cpu = str(max(os.sched_getaffinity(0)))
    _, _, said = run(LAUNCHER, "--cpu", cpu, "--", COUNTED, "alone", "2")
    assert re.fullmatch(r"tactus: \S+: --cpu has no effect: the program has started .*\n", said), (
        said
    )


CASES: list[Callable[[], None]] = [
    summary_and_trace_of_a_program_that_a_signal_ends,
    nothing_changes_for_who_becomes_another_program,
    a_task_that_may_not_call_linux_is_ended_alike,
    a_trace_is_not_that_of_an_earlier_program,
    a_trace_that_is_written_slowly_has_no_event_that_came_later,
    sleeps_for_a_time_miss_no_instant,
    a_thread_has_one_line_however_often_it_becomes_a_task,
    threads_without_a_line_are_counted,
    a_program_that_starts_tactus_by_itself_has_a_summary,
]

# The suite may run where one of them is ignored (nohup), which programs inherit.
for one in SIGNALS:
    signal.signal(one, signal.SIG_DFL)
run_cases(CASES)
