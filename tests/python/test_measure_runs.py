# SPDX-License-Identifier: LGPL-2.1-or-later
"""Real runs of the C instruments and the loads: short, and without a claim about time."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tactus.measure import loads, plan, samples
from tactus.measure.instruments import Instruments
from tactus.measure.loads import Load, session_activity
from tactus.project import UserError

pytestmark = pytest.mark.alone

SOURCES = Path(__file__).resolve().parents[2] / "instruments"
COMMON = tuple(
    f"common/{name}.c"
    for name in (
        "arguments",
        "clock_first",
        "complain",
        "json",
        "machine",
        "notices",
        "samples",
    )
)
LATENCY = (
    "linux_loop",
    "main",
    "options",
    "options_check",
    "result",
    "taskset",
    "without_tactus",
)
PROGRAMS = {
    "tactus-latency": (*(f"latency/{name}.c" for name in LATENCY), *COMMON),
    "tactus-noise": ("noise/noise.c", *COMMON),
    "tactus-keeper": ("latency/keeper.c",),
}
CPU = max(os.sched_getaffinity(0))
DEADLINE_S = 10.0
# The thread that makes the threads waits a fifth of a second before each, as under a load on its
# CPU; the thread with the number $FAIL_AT is refused.
SLOW_CREATE = """
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*entry)(void *), void *arg)
{
    static int made;
    const struct timespec pause = {0, 200000000};
    const char *fail_at = getenv("FAIL_AT");
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    nanosleep(&pause, 0);
    if (fail_at && ++made == atoi(fail_at))
        return EAGAIN;
    return real(thread, attributes, entry, arg);
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Instruments:
    """The instruments in the variant without the nucleus, which needs no other part of the tree."""
    folder = tmp_path_factory.mktemp("instruments")
    flags = ["-std=gnu11", "-O1", "-pthread", "-D_GNU_SOURCE", f"-I{SOURCES}"]
    for name, sources in PROGRAMS.items():
        files = [str(SOURCES / source) for source in sources]
        subprocess.run(["gcc", *flags, *files, "-o", str(folder / name)], check=True)
    return Instruments(*(folder / name for name in PROGRAMS))


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def session_is_empty(session: int) -> bool:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            return False
    return True


# Of 1000 first readings, each between two readings of the clock: how many are outside; and the
# difference of the counter and the clock over 20 ms, in millionths.
FIRST = """
#include <stdio.h>
#include <stdlib.h>
#include "common/clock_first.h"
int main(void)
{
    unsigned outside = 0;
    uint64_t ticks, ns;

    clock_first_begin();
    for (int i = 0; i < 1000; i++) {
        const uint64_t before = clock_now_ns(), first = clock_first_ns(), after = clock_now_ns();

        outside += first + 20 < before || first > after;
    }
    ticks = clock_counter();
    ns = clock_now_ns();
    while (clock_now_ns() - ns < 20000000)
        ;
    ns = clock_now_ns() - ns;
    ticks = (uint64_t)((unsigned __int128)(clock_counter() - ticks) * clock_tick_mult >> 32);
    printf("%u %lld\\n", outside, llabs((long long)(ticks - ns)) * 1000000 / (long long)ns);
    return 0;
}
"""


def test_first_reading_lies_between_two_of_the_clock(tmp_path: Path) -> None:
    (tmp_path / "first.c").write_text(FIRST)
    files = [str(tmp_path / "first.c"), str(SOURCES / "common/clock_first.c")]
    program = str(tmp_path / "first")
    flags = ["-std=gnu11", "-O1", "-D_GNU_SOURCE", f"-I{SOURCES}"]
    subprocess.run(["gcc", *flags, *files, "-o", program], check=True)
    # An interruption makes the comparison worse; one of a few runs is not interrupted.
    said = [
        [int(word) for word in subprocess.check_output([program], text=True).split()]
        for _ in range(5)
    ]
    assert min(outside for outside, _ in said) == 0, said
    assert min(apart for _, apart in said) < 1000, said


@pytest.mark.parametrize("core", [plan.LINUX, plan.LINUX_SPIN])
def test_run_records_each_release_once_or_counts_it_as_overrun(
    built: Instruments, core: str
) -> None:
    setup = plan.Setup(core, "task", 4, "idle", "hybrid", 1000, 50)
    output = built.measure(setup, CPU, 0.3, lambda: None)
    for index, task in enumerate(output.result["task_set"]):
        own = output.records[output.records["task"] == index]
        skipped = np.cumsum(own["overruns"].astype(np.int64))
        expected = task["offset_ns"] + (np.arange(len(own)) + skipped) * task["period_ns"]
        assert own["release_ns"].tolist() == expected.tolist()
    assert (output.records["latency_ns"] >= 0).all()


@pytest.fixture(scope="module")
def slow_create(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("slow") / "slow.so"
    flags = ["-shared", "-fPIC", "-D_GNU_SOURCE", "-xc", "-", "-o", str(library)]
    subprocess.run(["gcc", *flags], input=SLOW_CREATE, text=True, check=True)
    return library


def test_releases_begin_when_all_threads_are_there(
    built: Instruments, slow_create: Path, tmp_path: Path
) -> None:
    options = [
        "--core",
        "linux",
        "--tasks",
        "2",
        "--duration",
        "0.2",
        "--cpu",
        str(CPU),
    ]
    file = tmp_path / "samples"
    subprocess.run(
        [str(built.latency), *options, "--samples", str(file)],
        env={**os.environ, "LD_PRELOAD": str(slow_create)},
        check=True,
        capture_output=True,
    )
    records = samples.parse(file.read_bytes())
    for index in (0, 1):
        first = records[records["task"] == index][0]
        assert (first["release_ns"], first["overruns"]) == (0, 0)
        assert first["latency_ns"] < 100_000_000


def test_thread_that_cannot_be_made_ends_the_run(built: Instruments, slow_create: Path) -> None:
    done = subprocess.run(
        [str(built.latency), "--core", "linux", "--tasks", "4", "--duration", "0.2"],
        env={**os.environ, "LD_PRELOAD": str(slow_create), "FAIL_AT": "3"},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode != 0
    assert "no thread for task 2" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_task_set_is_the_declared_one(built: Instruments) -> None:
    setup = plan.Setup(plan.LINUX, "task", 10, "idle", "sleep", 1000)
    tasks = built.measure(setup, CPU, 0.2, lambda: None).result["task_set"]
    assert [t["period_ns"] // 10**6 for t in tasks] == [1, 1, 2, 2, 2, 2, 4, 4, 4, 4]
    assert {(t["offset_ns"], t["work_ns"]) for t in tasks} == {(0, 500)}


def test_noise_reports_only_gaps_from_the_threshold_on(built: Instruments) -> None:
    output = built.noise_of(CPU, 0.2, lambda: None)
    assert output.result["readings"] > 1000
    assert (output.records["latency_ns"] >= output.result["threshold_ns"]).all()


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (["--cpu", "4095"], "use --cpu with one of"),
        (["--period-us", "nan"], "use a number from 10"),
        (["--tasks", "1.5"], "use a whole number"),
        (["--core", "qnx"], "use one of linux linux-spin thread sim"),
        (["--context", "light"], "use one that --cores prints"),
        (["--core", "linux-spin", "--lead-us", "600"], "lower --lead-us"),
        (["--core", "thread", "--lead-us", "600"], "lower --lead-us"),
        (["--core", "thread", "--lead-us", "0"], "more than 0"),
        (["--core", "thread", "--idle", "sleep", "--lead-us", "50"], "leave it out"),
        (["--core", "linux", "--lead-us", "50"], "leave it out"),
        (["--core", "linux", "--turns-us", "20"], "only for the cores thread and bare"),
        (
            ["--core", "thread", "--turns-us", "30", "--period-us", "100"],
            "must divide the period",
        ),
        (["--core", "thread", "--turns-us", "0"], "--turns-us"),
        (["--tasks", "20", "--priority", "10"], "use at least 20"),
        (["--samples", "/nowhere/file"], "name a file that can be written"),
        (["--lots"], "see --help"),
        (["more"], "see --help"),
    ],
)
def test_bad_input_gets_one_line_of_advice(
    built: Instruments, options: list[str], advice: str
) -> None:
    done = subprocess.run(
        [str(built.latency), *options, "--duration", "0.1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert advice in done.stderr


def test_advice_of_the_instrument_reaches_the_user(built: Instruments) -> None:
    setup = plan.Setup(plan.LINUX, "task", 1, "idle", "sleep", 1000)
    with pytest.raises(UserError, match="CPU 4095 does not exist: use --cpu"):
        built.measure(setup, 4095, 0.1, lambda: None)


def test_run_ends_with_the_process_that_started_it(built: Instruments) -> None:
    script = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.argv[1], '--duration', '60', '--die-with-parent'])\n"
        "print(p.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", script, str(built.latency)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    # A started instrument has not yet made its request, which is visible when its real-time thread
    # runs.
    assert eventually(lambda: len(list(Path(f"/proc/{pid}/task").glob("*"))) > 1)
    starter.kill()
    starter.wait()
    starter.stdout.close()
    gone = eventually(lambda: not Path(f"/proc/{pid}").exists())
    if not gone:
        os.kill(pid, signal.SIGKILL)
    assert gone


def keep(built: Instruments, *command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(built.keeper), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


@pytest.mark.parametrize("how", ["close", "terminate", "kill"])
def test_keeper_leaves_nothing_behind(built: Instruments, how: str) -> None:
    # Children of the load in the background, and in another process group.
    script = "sleep 60 & setsid sleep 60 & echo on; sleep 60"
    keeper = keep(built, "sh", "-c", script)
    assert keeper.stdout is not None and keeper.stdin is not None
    assert keeper.stdout.readline() == b"on\n"
    if how == "close":
        keeper.stdin.close()
    elif how == "terminate":
        keeper.terminate()
    elif os.geteuid() == 0:
        keeper.kill()
    else:
        pytest.skip("without root there is no PID namespace to fall with the keeper")
    keeper.wait(DEADLINE_S)
    # For this test, the pipe ends when the last process that holds it has ended, in whatever group.
    assert keeper.stdout.read() == b""
    assert eventually(lambda: session_is_empty(keeper.pid))


def test_load_that_ends_is_noticed_and_stays_marked(
    built: Instruments, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = loads.Recipe("sh", "dash", "a loop", lambda: ["sh", "-c", "while :; do :; done"])
    monkeypatch.setitem(loads.RECIPES, "loop", busy)
    with Load("loop", built.keeper, [CPU]) as load:
        assert load.check() is None
        (worker,) = load.workers
        worker.process.terminate()
        assert eventually(lambda: load.check() is not None)
        assert load.check() == "the load loop ended"


def test_load_that_stands_still_is_noticed(
    built: Instruments, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    enough = tmp_path / "enough"
    until_told = f"while [ ! -e '{enough}' ]; do :; done; exec sleep 60"
    recipe = loads.Recipe("sh", "dash", "a start", lambda: ["sh", "-c", until_told])
    monkeypatch.setitem(loads.RECIPES, "lazy", recipe)
    monkeypatch.setattr(loads, "CHECK_INTERVAL_S", 0.05)
    monkeypatch.setattr(loads, "STALL_S", 0.2)
    with Load("lazy", built.keeper, [CPU]) as load:
        enough.touch()
        assert eventually(lambda: load.check() is not None)
        assert load.check() == "the load lazy made no progress for 0.2 s"


def test_load_that_cannot_start_is_an_error(
    built: Instruments, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = loads.Recipe("sh", "dash", "nothing", lambda: ["/nonexistent/load"])
    monkeypatch.setitem(loads.RECIPES, "none", recipe)
    with (
        pytest.raises(UserError, match="does not start"),
        Load("none", built.keeper, [CPU]),
    ):
        pass


@pytest.mark.parametrize("name", [n for n in plan.LOADS if n != "idle"])
def test_each_load_runs_on_and_is_gone_afterwards(built: Instruments, name: str) -> None:
    loads.require([name])
    with Load(name, built.keeper, sorted(os.sched_getaffinity(0))) as load:
        sessions = [worker.process.pid for worker in load.workers]
        before = [session_activity(session) for session in sessions]
        assert eventually(
            lambda: all(session_activity(s) != b for s, b in zip(sessions, before, strict=True))
        )
        assert load.check() is None
    assert all(map(session_is_empty, sessions))


def test_missing_program_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UserError, match="apt-get install rt-tests"):
        loads.require(["idle", "hackbench"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "too short"),
        (b"\0" * 32, "it is no sample file"),
        (struct.pack("<8sIIQII", b"TACTSAMP", 9, 24, 0, 1, 0), "version 9"),
        (struct.pack("<8sIIQII", b"TACTSAMP", 1, 24, 0, 1, 0) + b"\0" * 25, "cut off"),
    ],
)
def test_damaged_sample_file_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(samples.SampleFileError, match=reason):
        samples.parse(content)


def test_json_of_the_instrument_is_json_even_without_privileges(
    built: Instruments,
) -> None:
    command = [str(built.latency), "--json", "--duration", "0.1", "--cpu", str(CPU)]
    if os.geteuid() == 0:
        command = [
            "setpriv",
            "--bounding-set=-all",
            "--inh-caps=-all",
            "--reuid=65534",
            *command,
        ]
        for folder in built.latency.parents[:3]:
            folder.chmod(0o755)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["samples"] > 0
    if not result["realtime"]:
        assert any("SCHED_FIFO" in notice for notice in result["notices"])
