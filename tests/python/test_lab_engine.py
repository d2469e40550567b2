# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sessions on made-up targets: in turn, resumed, and on a Dask cluster that loses workers."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from tactus.lab.commands import run as run_command
from tactus.lab.engine import Session, cluster, run, session, work
from tactus.lab.engine.progress import Meter
from tactus.lab.engine.session import earlier
from tactus.lab.jobfolder import Report
from tactus.lab.model import Clock, Job, RunStatus, measured
from tactus.lab.results import ResultError
from tactus.lab.results.folder import Loaded
from tactus.lab.targets import Description, Target
from tactus.project import Project, UserError

VIRTUAL = Description("vm", "vm", "", {"accelerator": "icount"})
RESULT = {"core": "linux", "context": "task", "idle": "sleep", "tasks": 1, "lost": 0}
RESULT |= {"period_ns": 1_000_000, "duration_ns": 10, "samples": 0, "overruns": 0}


def job(number: int) -> Job:
    return Job("p", "vm", "k", 1, "index", clock=Clock.VIRTUAL, repeat=number)


def out_of(folder: Path) -> Path:
    out = folder / "out"
    out.mkdir()
    test = {
        "name": "pipe",
        "title": "t",
        "unit": "lps",
        "score": 5.0,
        "base": 2,
        "index": 25.0,
    }
    index = {
        "copies": 1,
        "tests": [{**test, "passes": []}],
        "index": 25.0,
        "partial": False,
    }
    result = {
        "instrument": "index",
        "seconds": 1,
        "code": "auto",
        "runs": [index],
        "failed": 0,
    }
    (out / "instrument.json").write_text(json.dumps({**result, "notices": []}))
    (out / "outcome").write_text("end=ok\n")
    return out


class Made:
    """A target that measures nothing. Job 1 kills its worker while `deadly` exists."""

    def __init__(self, deadly: Path | None = None, *, once: bool = True) -> None:
        self.deadly, self.once = deadly, once
        self.ran: list[int] = []

    def prepare(self, jobs: Sequence[Job]) -> None: ...

    def commands(self, job: Job) -> list[list[str]]:
        return [[job.id]]

    def run(self, job: Job, folder: Path) -> Report:
        self.ran.append(job.repeat)
        if self.deadly is not None and job.repeat == 1 and self.deadly.exists():
            if self.once:
                self.deadly.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        if job.repeat == 2:
            raise UserError("no space left")
        return Report(out_of(folder))

    def close(self) -> None: ...


INTERRUPTED = """
import signal, sys, time
from types import SimpleNamespace
import distributed
from tactus.lab.engine.cluster import _client

if __name__ == "__main__":
    # A program that a shell has begun in the background ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    session = SimpleNamespace(scheduler="", workers=2, jobs=[1, 2])
    try:
        with _client(session) as client:
            futures = client.map(time.sleep, [0, 600, 601])
            futures[0].result()
            print("began", flush=True)
            distributed.wait(futures)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.alone
def test_interrupt_of_the_terminal_leaves_no_traceback(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            os.killpg(process.pid, signal.SIGINT)
            said += process.communicate(timeout=120)[0]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert said == "began\ninterrupted\n"


def opened_for(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "opened", lambda *_: target)


def asked(tmp_path: Path, count: int, workers: int = 1) -> Session:
    jobs = [job(number) for number in range(count)]
    return Session(Project.here(), VIRTUAL, jobs, tmp_path / "results", workers)


def test_failed_job_costs_no_other_and_is_repeated_by_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Made()
    opened_for(target, monkeypatch)
    wanted = asked(tmp_path, 4)
    loaded = run(wanted, {})
    assert [r.status for r in loaded.results if r.job.repeat == 2] == [RunStatus.FAILED]
    assert [r.reason for r in loaded.failures()] == ["no space left"]
    assert len(list(wanted.results.glob("*.parquet"))) == 4
    done = earlier(wanted)
    assert len(done) == 3
    target.ran.clear()
    run(wanted, done)
    assert target.ran == [2]


def test_interrupt_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = Made()
    opened_for(target, monkeypatch)
    monkeypatch.setattr(work, "one", interrupted_after(2))
    wanted = asked(tmp_path, 4)
    with pytest.raises(KeyboardInterrupt):
        run(wanted, {})
    assert len(earlier(wanted)) == 2


def interrupted_after(count: int) -> object:
    def one(job: Job, _target: Target) -> object:
        if job.repeat == count:
            raise KeyboardInterrupt
        return measured(job, [])

    return one


@pytest.mark.parametrize("words", [["--json"], ["--json", "FILE"], []])
def test_document_goes_to_a_file_or_to_standard_output(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    done = Loaded((measured(job(0), []),), (), ())
    monkeypatch.setattr(run_command, "run_plan", lambda *_: done)
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    run_command.configure(parser)
    args = parser.parse_args(["quick", "--results", str(tmp_path), *words])
    assert run_command.run(args, Project.here()) == 0
    shown = capsys.readouterr().out
    if "FILE" in words:
        assert not shown.startswith("{")
        shown = (tmp_path / "FILE").read_text()
    if words:
        assert {"runs", "failures"} <= set(json.loads(shown))
    else:
        assert not shown.startswith("{")


def test_results_that_have_no_place_are_said_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Made()
    opened_for(target, monkeypatch)
    wanted = asked(tmp_path, 1)
    wanted.results.write_text("a file is there already")
    with pytest.raises(UserError, match="choose another --results folder"):
        run(wanted, {})
    assert target.ran == []


def test_what_was_measured_is_shown_without_its_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_folder: Path) -> list[str]:
        raise ResultError("cannot write it: free some space")

    done = Loaded((measured(job(0), []),), (), ())
    monkeypatch.setattr(run_command, "run_plan", lambda *_: done)
    monkeypatch.setattr(run_command, "rebuild", full)
    parser = argparse.ArgumentParser()
    run_command.configure(parser)
    args = parser.parse_args(["quick", "--results", str(tmp_path), "--json"])
    assert run_command.run(args, Project.here()) == 1
    shown = capsys.readouterr()
    assert "failures" in json.loads(shown.out)
    assert "cannot write it: free some space" in shown.err


def test_time_left_follows_from_what_was_done() -> None:
    jobs = [job(number) for number in range(3)]
    meter = Meter(jobs, 1)
    guessed = meter.left_s(0.0)
    meter.finished(measured(jobs[0], [], wall_s=guessed))
    assert meter.left_s(0.0) == pytest.approx(2 * guessed, rel=0.2)


def test_time_left_that_is_shown_grows_with_jobs_that_take_longer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tactus.measure.progress.LINE_INTERVAL_S", 0.0)
    jobs = [job(number) for number in range(3)]
    meter = Meter(jobs, 1)
    meter.tick()
    meter.finished(measured(jobs[0], [], wall_s=1000 * meter.left_s(0.0)))
    first, second = (float(x.split()[1]) for x in capsys.readouterr().err.splitlines())
    assert second > 100 * first > 0


def patch_worker(deadly: str, once: bool) -> None:
    """Runs in a worker: its target becomes the made-up one."""
    made = Made(Path(deadly), once=once)
    work._targets[repr(VIRTUAL)] = made


@pytest.fixture
def scheduler() -> Iterator[tuple[str, object]]:
    import importlib

    distributed = importlib.import_module("distributed")
    options: dict[str, object] = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "memory_limit": 0,
    }
    options |= {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    with distributed.LocalCluster(**options) as made:
        yield made.scheduler_address, made


class Preload:
    """A worker that is started anew also gets the made-up target."""

    name = "made-up"

    def __init__(self, deadly: str, once: bool) -> None:
        self.deadly, self.once = deadly, once

    def setup(self, worker: object) -> None:
        del worker
        patch_worker(self.deadly, self.once)


@pytest.mark.parametrize("once", [True, False])
def test_worker_that_dies_costs_only_its_run(
    tmp_path: Path, scheduler: tuple[str, object], once: bool
) -> None:
    import importlib

    distributed = importlib.import_module("distributed")

    class Plugin(Preload, distributed.WorkerPlugin):  # type: ignore[misc,name-defined]
        pass

    address, _ = scheduler
    deadly = tmp_path / "deadly"
    deadly.touch()
    jobs = [job(number) for number in (0, 1, 3, 4)]
    wanted = Session(Project.here(), VIRTUAL, jobs, tmp_path / "r", 2, address)
    with distributed.Client(address) as client:
        client.register_plugin(Plugin(str(deadly), once))
        found = {r.job.repeat: r.status for r in cluster.results(wanted, jobs, lambda: None)}
    expected = dict.fromkeys((0, 3, 4), RunStatus.OK)
    assert found == {**expected, 1: RunStatus.OK if once else RunStatus.LOST}


class Gone:
    """A future whose result was lost with its worker, until it was made again."""

    status = "finished"

    def __init__(self, first: Job, fetched: list[int]) -> None:
        self.job, self.fetched, self.tries = first, fetched, 0

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> object:
        assert timeout > 0
        self.tries += 1
        if self.job.repeat == 0 and self.tries == 1:
            raise TimeoutError
        self.fetched.append(self.job.repeat)
        return measured(self.job, [])


def test_result_that_died_with_its_worker_holds_up_no_other(tmp_path: Path) -> None:
    fetched: list[int] = []
    jobs = [job(0), job(1)]
    client = SimpleNamespace(
        submit=lambda _work, job, *_more, **_options: Gone(job, fetched),
        cancel=lambda *_more, **_options: None,
    )
    dask = SimpleNamespace(wait=lambda *_more, **_options: None)
    wanted = Session(Project.here(), VIRTUAL, jobs, tmp_path, 2)
    found = [r.job.repeat for r in cluster._round(client, dask, wanted, jobs, lambda: None)]
    assert sorted(found) == [0, 1]
    assert fetched == [1, 0]


def test_scheduler_that_does_not_answer_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 1)
    wanted = Session(Project.here(), VIRTUAL, [job(0)], tmp_path, 2, "tcp://127.0.0.1:9")
    with pytest.raises(UserError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(cluster.results(wanted, wanted.jobs, lambda: None))
