#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The options of `tactus run`, and its messages if it gets no CPU. TAP.

usage: options.py LAUNCHER BEATS STOPPED
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from programs import run_cases

LAUNCHER, PROGRAM, STOPPED = sys.argv[1:4]
GETPPID = 110
ABSENT = str(os.sysconf("SC_NPROCESSORS_CONF"))
THROTTLING = Path("/proc/sys/kernel/sched_rt_runtime_us")


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [LAUNCHER, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


def figures(said: str) -> dict[str, int]:
    """The two lines of a summary of one task."""
    title, runs, ran, sleeps, slept, *_ = said.splitlines()
    assert title.endswith(": 1 task"), title
    assert ran.split()[2:4] == ["FIFO", "50"], ran
    assert ran.split()[1] == slept.split()[1], said
    assert max(map(len, (title, runs, ran, sleeps, slept))) <= 80, said
    names = runs.split()[1:] + sleeps.split()[1:]
    values = ran.split()[1:] + slept.split()[1:]
    return {n: int(float(v)) for n, v in zip(names, values, strict=True) if n != "POLICY"}


def summary_counts() -> None:
    status, _, said = run("--summary", "--", PROGRAM, "50")
    found = figures(said)
    assert (status, found["SLEEPS"]) == (0, 50), said
    assert 0 <= found["OVERRUNS"] <= 50 and found["LATE-ns"] <= found["LATEST-ns"], said
    _, _, said = run("--summary", "--", PROGRAM, "50", "linux")
    assert figures(said)["TO-LINUX"] - found["TO-LINUX"] == 50, said
    site = rf"tactus: +50 +{GETPPID} libc\.so\.6\(getppid\+0x[0-9a-f]+\) for posix_periodic"
    assert re.search(site, said), f"no line {site} in:\n{said}"


def summary_tells_how_cpus_waited() -> None:
    _, _, said = run("--idle", "spin", "--summary", "--", PROGRAM, "50")
    head = "tactus:      CPU    IDLE-ms    SPUN-ms GAP-MAX-ns WAKE-LATE-MAX-ns"
    lines = said.splitlines()
    assert lines.count(head) == 1, said
    _, _, idle, spun, gap, woken = lines[lines.index(head) + 1].split()
    # 50 times a millisecond is spun. A thread that begins and ends in Linux is also idle.
    assert 40 < float(spun) <= float(idle) and 0 < int(gap) <= float(spun) * 1e6, said
    assert woken == "0", said
    _, _, said = run("--idle", "sleep", "--summary", "--", PROGRAM, "50")
    _, _, _, spun, _, woken = said.splitlines()[said.splitlines().index(head) + 1].split()
    assert int(woken) > 0, said


def a_child_is_silent_about_its_parents_tasks() -> None:
    _, _, said = run("--summary", "--", PROGRAM, "5", "fork")
    assert said.count(": 1 task") == 1, said


def a_child_is_silent_about_its_parents_cpu() -> None:
    twice = "begins\nends\n" * 2
    own = ("--exclusive", "--cpu", str(max(os.sched_getaffinity(0))))
    assert run(*own, "--", PROGRAM, "5", "begin") == (0, twice, "")
    status, printed, said = run("--verbose", *own, "--", PROGRAM, "5", "begin")
    assert (status, printed) == (0, twice), f"{status}, {printed}"
    assert len(re.findall(r"runs without Tactus: CPU \d+ is leased to", said)) == 1, said


def a_task_that_ends_with_the_program_is_told_once() -> None:
    for _ in range(10):
        _, _, said = run("--summary", "--", PROGRAM, "1", "ends")
        tids = re.findall(r"^tactus: +(\d+) +FIFO ", said, re.MULTILINE)
        assert tids and len(set(tids)) == len(tids), said


def late_sleeps_are_overruns() -> None:
    _, _, said = run("--summary", "--", PROGRAM, "20", "late")
    assert figures(said)["OVERRUNS"] == 20, said


def trace_tells_what_happened() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        status, _, said = run("--trace", str(file), "--", PROGRAM, "30", "linux")
        assert (status, said) == (0, ""), said
        events = json.loads(file.read_text())["traceEvents"]
    stays = [e for e in events if e["ph"] == "X" and e["name"].startswith("posix_periodic ")]
    calls = [e for e in events if e["name"] == f"to Linux: call {GETPPID}"]
    assert len(stays) >= 30 and len(calls) == 30, f"{len(stays)} stays, {len(calls)} calls"
    assert all(e["dur"] >= 0 for e in stays), "a stay that ends before it begins"
    times = [e["ts"] for e in calls]
    assert times == sorted(times) and times[-1] - times[0] > 25000, f"instants {times}"
    status, printed, said = run("--trace", "/nowhere/at/all", "--", PROGRAM, "5")
    assert (status, printed) == (2, "") and said.count("\n") == 1, said
    assert "--trace /nowhere/at/all: No such file" in said, said
    status, _, said = run("--trace", "/dev/full", "--", PROGRAM, "30", "linux")
    assert status == 0 and "no trace is written to /dev/full: No space left" in said, said


def light_tasks_are_stopped_alone() -> None:
    status, printed, said = run("--light", "--", PROGRAM, "20")
    assert (status, printed, said) == (0, "begins\nends\n", ""), said
    status, printed, said = run("--light", "--", PROGRAM, "20", "linux")
    assert (status, printed) == (0, "begins\nends\n"), status
    assert f"Linux call not allowed, number 0x{GETPPID:x}" in said, said
    # printf() has told the C library that it had locked the stream: that lock is released.
    status, printed, said = run("--light", "--", PROGRAM, "20", "prints")
    assert (status, "Linux call not allowed" in said) == (0, True), said
    assert printed.startswith("begins\n") and printed.endswith("ends\n"), printed


def stopped_tasks_undo_what_they_began() -> None:
    for how, expected in (
        ("", "destroyed 1, cleaned 1, lock 1, stdout 1"),
        # As in Linux, only the C library's own state is undone if the stack cannot be unwound.
        ("blind", "destroyed 0, cleaned 0, lock 0, stdout 1"),
        ("allocates", "destroyed 1, cleaned 1, lock 1, stdout 1"),
        ("returns", "destroyed 1, cleaned 0, lock 1, stdout 1"),
        ("main", "destroyed 1, cleaned 1, lock 1, stdout 1"),
    ):
        status, printed, said = run("--light", "--", STOPPED, *how.split())
        assert status == 0 and "went on" not in printed, f"{how}: {status}, {printed}"
        assert "Linux call not allowed" in said and f"\n{expected}\n" in said, f"{how}: {said}"


def nothing_is_said_unasked() -> None:
    assert run("--", PROGRAM, "5") == (0, "begins\nends\n", "")


def switches_are_reported() -> None:
    status, _, said = run("--report-switch", "--", PROGRAM, "3", "linux")
    calls = re.findall(r"left primary mode by Linux call (\d+)", said)
    assert status == 0 and calls.count(str(GETPPID)) == 3, said


def switches_are_denied() -> None:
    status, _, said = run("--deny-switch", "--", PROGRAM, "20")
    assert (status, said) == (0, ""), said
    status, _, said = run("--deny-switch", "--", PROGRAM, "20", "linux")
    assert status == -6, f"status {status}, expected the one of abort()"
    assert f"Linux call not allowed, number 0x{GETPPID:x}" in said, said


def idling_and_sharing_do_not_matter() -> None:
    before = THROTTLING.read_text()
    for options in (["--idle=sleep"], ["--idle=spin"], ["--idle", "hybrid"], ["--share"]):
        status, printed, _ = run(*options, "--", PROGRAM, "20")
        assert (status, printed) == (0, "begins\nends\n"), f"{options}: {status}"
    limit = time.monotonic() + 10
    while THROTTLING.read_text() != before and time.monotonic() < limit:
        time.sleep(0.05)
    assert THROTTLING.read_text() == before, "RT throttling is not as it was"


def idling_leaves_linux_its_turns_where_no_cpu_is_left() -> None:
    """Threads that spin on the only CPU, or on all, are below every thread that becomes a task."""
    allowed = sorted(os.sched_getaffinity(0))
    everywhere = ",".join(map(str, allowed))
    for idle in ("hybrid", "sleep", "spin"):
        status, printed, _ = run("--idle", idle, "--cpu", everywhere, "--", PROGRAM, "20")
        assert (status, printed) == (0, "begins\nends\n"), f"{idle}, {everywhere}: {status}"
        os.sched_setaffinity(0, allowed[-1:])
        status, printed, _ = run("--idle", idle, "--", PROGRAM, "20")
        os.sched_setaffinity(0, allowed)
        assert (status, printed) == (0, "begins\nends\n"), f"{idle}, one CPU: {status}"


def a_thread_that_is_made_for_a_cpu_does_not_confine_the_program() -> None:
    allowed = sorted(os.sched_getaffinity(0))
    everywhere = ",".join(map(str, allowed))
    for options in ([], ["--cpu", everywhere], ["--cpu", str(allowed[-1])]):
        status, printed, said = run(*options, "--", PROGRAM, "5", "bound")
        assert (status, printed, said) == (0, "begins\nends\n", ""), f"{options}: {status}, {said}"


def ids_are_changed_beside_every_thread_of_the_library() -> None:
    """Each gets the C library's signal unchanged, also the one that interrupts tasks."""
    for options in ([], ["--share"]):
        status, printed, said = run(*options, "--", PROGRAM, "5", "ids")
        assert (status, printed, said) == (0, "begins\nends\n", ""), f"{options}: {status}, {said}"


def no_such_cpu() -> None:
    status, printed, said = run("--cpu", ABSENT, "--", PROGRAM, "5")
    assert (status, printed) == (2, ""), status
    assert said.count("\n") == 1 and f"--cpu {ABSENT}: there is no such CPU" in said, said


def has_cpu(pid: int) -> bool:
    names = Path(f"/proc/{pid}/task").glob("*/comm")
    return any(name.read_text().startswith("tactus-cpu") for name in names)


def await_cpu(program: subprocess.Popen[str]) -> None:
    """It has begun, and has its real-time CPU."""
    assert program.stdout is not None
    line = program.stdout.readline()
    assert line == "begins\n", f"{line!r}, expected begins"
    limit = time.monotonic() + 10
    while not has_cpu(program.pid) and time.monotonic() < limit:
        time.sleep(0.01)


def real_time_is_required() -> None:
    """A program that can have real time begins, and one whose user lacks the right does not."""
    assert run("--require", "--", PROGRAM, "5") == (0, "begins\nends\n", "")
    assert run("--require", "--", "false") == (1, "", "")
    status, printed, said = run("--require", "--cpu", ABSENT, "--", PROGRAM, "5")
    assert (status, printed) == (2, "") and f"--cpu {ABSENT}: there is no such CPU" in said, said
    if os.geteuid():
        return
    no_right = ["prlimit", "--rtprio=0", "setpriv", "--reuid=65534", "--clear-groups"]
    command = [*no_right, LAUNCHER, "--require", "--", PROGRAM, "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "Permission denied" in done.stderr:
        return  # the build belongs to root alone
    assert (done.returncode, done.stdout) == (125, ""), f"{done.returncode}, {done.stderr}"
    assert "no SCHED_FIFO" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def sharing_is_one_way_or_the_other() -> None:
    status, printed, said = run("--share", "--exclusive", "--", PROGRAM, "5")
    assert (status, printed) == (2, "") and "--share and --exclusive exclude" in said, said


def a_cpu_that_is_taken() -> None:
    cpu = str(sorted(os.sched_getaffinity(0))[-1])
    first = subprocess.Popen(
        [LAUNCHER, "--exclusive", "--cpu", cpu, "--", PROGRAM, "100000"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        limit = time.monotonic() + 10
        said = ""
        await_cpu(first)
        while "is leased to" not in said and time.monotonic() < limit:
            status, printed, said = run("--cpu", cpu, "--", PROGRAM, "5")
            assert (status, printed) == (0, "begins\nends\n"), status
        assert f"CPU {cpu} is leased to" in said and said.count("\n") == 1, said
        # If real time is required, such a program does not begin.
        for options in (["--cpu", cpu], ["--exclusive", "--cpu", cpu]):
            status, printed, said = run("--require", *options, "--", PROGRAM, "5")
            assert (status, printed) == (125, ""), f"{options}: {status}, {printed}"
            assert said.count("\n") == 1, said
            assert f"real time is required: CPU {cpu} is leased to" in said, said
    finally:
        first.kill()
        first.wait()
    status, printed, said = run("--cpu", cpu, "--", PROGRAM, "5")
    assert (status, said) == (0, ""), f"a killed program left its lease: {said}"


def cpus_go_before_all_linux_threads() -> None:
    """If this user may have the highest priority; otherwise two below the highest."""
    highest = resource.getrlimit(resource.RLIMIT_RTPRIO)[0] if os.geteuid() else 99
    if highest <= 2:
        return
    program = subprocess.Popen([LAUNCHER, "--", PROGRAM, "100000"], stdout=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 10
        found: set[int] = set()
        while highest - 2 not in found and time.monotonic() < limit:
            threads = Path(f"/proc/{program.pid}/task").iterdir()
            found = {os.sched_getparam(int(thread.name)).sched_priority for thread in threads}
        assert highest - 2 in found, found
    finally:
        program.kill()
        program.wait()


def siblings_go_with_cpus_that_linux_parts_with() -> None:
    for options in (["--siblings"], ["--siblings", "--core=bare", "--core", "thread"]):
        status, printed, said = run(*options, "--", PROGRAM, "5")
        assert (status, printed) == (2, ""), f"{options}: {status}"
        assert said.count("\n") == 1 and "--siblings is only for --core bare" in said, said


def exhausted_files_are_told() -> None:
    def limited(files: int, held: int) -> tuple[int, str, str]:
        """With a limit of so many files, of which so many are open already."""
        limit = f"ulimit -n {files}; exec {LAUNCHER} -- {PROGRAM} 5 linux"
        others = [os.open("/dev/null", os.O_RDONLY) for _ in range(held)]
        done = subprocess.run(
            ["sh", "-c", limit],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            pass_fds=others,
        )
        for other in others:
            os.close(other)
        return done.returncode, done.stdout, done.stderr

    for files, held, expected in (
        (5, 0, "runs without Tactus"),
        (20, 0, "runs without Tactus"),
        (64, 53, "not every real-time thread"),
    ):
        status, printed, said = limited(files, held)
        assert (status, printed) == (0, "begins\nends\n"), f"{files} files: {status}, {said}"
        assert expected in said and said.count("\n") == 1 and "ulimit" in said, said


CASES: list[Callable[[], None]] = [
    nothing_is_said_unasked,
    summary_counts,
    summary_tells_how_cpus_waited,
    a_child_is_silent_about_its_parents_tasks,
    a_child_is_silent_about_its_parents_cpu,
    a_task_that_ends_with_the_program_is_told_once,
    late_sleeps_are_overruns,
    trace_tells_what_happened,
    light_tasks_are_stopped_alone,
    stopped_tasks_undo_what_they_began,
    switches_are_reported,
    switches_are_denied,
    idling_and_sharing_do_not_matter,
    idling_leaves_linux_its_turns_where_no_cpu_is_left,
    a_thread_that_is_made_for_a_cpu_does_not_confine_the_program,
    ids_are_changed_beside_every_thread_of_the_library,
    no_such_cpu,
    a_cpu_that_is_taken,
    real_time_is_required,
    sharing_is_one_way_or_the_other,
    cpus_go_before_all_linux_threads,
    siblings_go_with_cpus_that_linux_parts_with,
    exhausted_files_are_told,
]

run_cases(CASES)
