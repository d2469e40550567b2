# SPDX-License-Identifier: LGPL-2.1-or-later
"""lab/run/run.sh with real loads and made-up instruments, under two shells."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tactus.lab.jobfolder import RUN_FOLDER, lines_of

pytestmark = pytest.mark.alone

SHELLS = [["dash"], ["busybox", "ash"]]


def run(
    tmp_path: Path,
    instrument: str,
    load: str = "idle",
    limit_s: int = 30,
    shell: int = 0,
    before: Sequence[str] = (),
) -> dict[str, str]:
    job, out = tmp_path / "job", tmp_path / "out"
    job.mkdir(parents=True)
    (job / "job.env").write_text(f"LAB_LOAD={load}\nLAB_LIMIT_S={limit_s}\n")
    (job / "instrument").write_text(instrument)
    command = [*before, *SHELLS[shell], str(RUN_FOLDER / "run.sh"), str(job), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    assert not (out / "scratch").exists()
    return lines_of(out / "outcome")


# The sessions of the load's parts, by their leaders: children of run.sh, like the instrument.
LOADERS = 'for p in $(pgrep -P $PPID -f "load.sh io 1"); do '


def left(tmp_path: Path) -> list[str]:
    """Processes of the run that still exist: all of them work in its folder. The sleep between two
    checks ends by itself."""
    deadline = time.monotonic() + 2
    while (found := working_in(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def working_in(tmp_path: Path) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str((process / "cwd").readlink()).startswith(f"{tmp_path}/"):
                found.append((process / "cmdline").read_text(errors="replace").replace("\0", " "))
    return found


@pytest.mark.parametrize("shell", [0, 1])
def test_good_run(tmp_path: Path, shell: int) -> None:
    if shutil.which(SHELLS[shell][0]) is None:
        pytest.fail(f"{SHELLS[shell][0]} is not on PATH: apt-get install it")
    outcome = run(tmp_path, 'echo said; echo "$CPU" >"$OUT/cpu"', shell=shell)
    assert outcome["end"] == "ok"
    assert (tmp_path / "out/instrument.out").read_text() == "said\n"
    allowed = os.sched_getaffinity(0)
    assert int((tmp_path / "out/cpu").read_text()) == max(allowed)
    facts = lines_of(tmp_path / "out/facts")
    assert facts["kernel"] == os.uname().release
    assert facts["cmdline"] == Path("/proc/cmdline").read_text().strip()


def test_instruments_that_end_before_they_are_watched_are_no_timeouts(
    tmp_path: Path,
) -> None:
    """A watcher that got its signal too early would continue up to the limit. So many run at once,
    on one CPU, that some begin later than their instruments end: one in ten of them."""
    on_one_cpu = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]

    def ends(number: int) -> set[str]:
        folders = (tmp_path / f"{number}-{turn}" for turn in range(8))
        return {run(folder, ":", limit_s=60, before=on_one_cpu)["end"] for folder in folders}

    with ThreadPoolExecutor(8) as threads:
        assert set[str]().union(*threads.map(ends, range(8))) == {"ok"}


def test_load_computes_during_the_run_and_is_gone_after_it(tmp_path: Path) -> None:
    outcome = run(tmp_path, "sleep 1", "io")
    assert outcome["end"] == "ok"
    lines = [line.split() for line in (tmp_path / "out/load.log").read_text().splitlines()]
    assert [line[:2] for line in lines] == [["start", "io"], ["end", "io"]]
    start, end = (int(line[-1].removeprefix("time=")) for line in lines)
    # Not a sum: ended processes are counted in other units.
    assert end != start
    assert left(tmp_path) == []


def test_load_that_is_killed_marks_the_run(tmp_path: Path) -> None:
    kill = f"sleep 0.5; {LOADERS} kill -9 -$p; done; sleep 1"
    outcome = run(tmp_path, kill, "io")
    assert outcome["end"] == "load-died"
    assert outcome["reason"] == "the load io ended"


def test_load_that_stands_still_marks_the_run(tmp_path: Path) -> None:
    stop = f"{LOADERS} kill -STOP -$p; done; sleep 6"
    outcome = run(tmp_path, stop, "io", limit_s=60)
    assert outcome["end"] == "load-died"
    assert "the load io" in outcome["reason"]
    assert left(tmp_path) == []


def test_unknown_load_is_said(tmp_path: Path) -> None:
    outcome = run(tmp_path, "true", "heavy")
    assert (outcome["end"], outcome["reason"]) == (
        "load-failed",
        "there is no load heavy",
    )


def test_instrument_that_fails_is_quoted(tmp_path: Path) -> None:
    outcome = run(tmp_path, "echo first >&2; echo no device >&2; exit 3")
    assert outcome["end"] == "failed"
    assert outcome["reason"] == "the instrument ended with status 3: no device"


@pytest.mark.parametrize("load", ["idle", "io"])
def test_instrument_that_hangs_is_ended(tmp_path: Path, load: str) -> None:
    began = time.monotonic()
    outcome = run(tmp_path, "sleep 40 & sleep 41", load, limit_s=2)
    assert outcome["end"] == "timeout"
    assert time.monotonic() - began < 30
    assert left(tmp_path) == []
