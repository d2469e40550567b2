# SPDX-License-Identifier: LGPL-2.1-or-later
"""Readers of instruments' outputs: whole outputs become rows, all others a named failure."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tactus.lab import jobfolder
from tactus.lab.instruments import OutputError, recipe
from tactus.lab.jobfolder import Place, Report
from tactus.lab.model import Job, RunStatus
from tactus.lab.report import tables
from tactus.measure.samples import HEADER, MAGIC, RECORD

LATENCIES = (1500, 1200, 90000, -20)


def job(instrument: str, **fields: Any) -> Job:
    usual = {"plan": "p", "target": "vm", "kernel": "k", "cpus": 1, "samples": 4}
    return Job(**{**usual, "instrument": instrument, **fields})


def write_samples(out: Path, latencies: tuple[int, ...], tasks: tuple[int, ...]) -> None:
    records = np.zeros(len(latencies), dtype=RECORD)
    records["latency_ns"], records["task"] = latencies, tasks
    header = HEADER.pack(MAGIC, 1, RECORD.itemsize, 0, 1, 0)
    (out / "samples").write_bytes(header + records.tobytes())


def releases(**changes: Any) -> dict[str, Any]:
    return {
        "core": "linux",
        "context": "task",
        "idle": "sleep",
        "tasks": 1,
        "period_ns": 1_000_000,
        "duration_ns": 4_000_000,
        "samples": 4,
        "lost": 0,
        "overruns": 2,
        "min_ns": -20,
        "max_ns": 90000,
        "wall_ns": 4_000_000,
        "cpu_ns": 1_000_000,
        "notices": [],
        **changes,
    }


def put(out: Path, result: object) -> None:
    (out / "instrument.json").write_text(json.dumps(result))


def test_samples_of_jitter_keep_their_order(tmp_path: Path) -> None:
    write_samples(tmp_path, LATENCIES, (0,) * 4)
    put(tmp_path, releases())
    [(row, series)] = recipe("jitter").read(job("jitter"), tmp_path)
    assert series is not None and series.values_ns.tolist() == list(LATENCIES)
    assert (row.overruns, row.extra["cpu_share"]) == (2, 0.25)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"samples": 5}, "4 of 5 samples"),
        ({"lost": 1}, "lost is 1"),
        ({"max_ns": 90001}, "max_ns is 90001 in the result, 90000"),
        ({"core": "thread"}, "core is 'thread', but 'linux'"),
        ({"overruns": "2"}, "not a whole number"),
        ({"wall_ns": 0}, "wall_ns is 0"),
    ],
)
def test_result_that_contradicts_its_samples_is_refused(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    write_samples(tmp_path, LATENCIES, (0,) * 4)
    put(tmp_path, releases(**changes))
    with pytest.raises(OutputError, match=reason):
        recipe("latency").read(job("latency"), tmp_path)


def test_cut_off_output_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"wrote no instrument.json"):
        recipe("jitter").read(job("jitter"), tmp_path)
    put(tmp_path, releases())
    with pytest.raises(OutputError, match="no sample file"):
        recipe("jitter").read(job("jitter"), tmp_path)
    write_samples(tmp_path, LATENCIES, (0,) * 4)
    whole = (tmp_path / "samples").read_bytes()
    (tmp_path / "samples").write_bytes(whole[:-1])
    with pytest.raises(OutputError, match="cut off"):
        recipe("jitter").read(job("jitter"), tmp_path)
    text = (tmp_path / "instrument.json").read_text()
    (tmp_path / "instrument.json").write_text(text[:-1])
    with pytest.raises(OutputError, match="cut off or damaged"):
        recipe("jitter").read(job("jitter"), tmp_path)


@pytest.mark.parametrize("steal_ns", [20_000_000, None])
def test_noise_is_told_also_where_nobody_knows_what_was_stolen(
    steal_ns: int | None, tmp_path: Path
) -> None:
    gaps = (1500, 90000)
    write_samples(tmp_path, gaps, (0, 0))
    result: dict[str, object] = {
        "threshold_ns": 1000,
        "spun_ns": 10**9,
        "readings": 10**7,
        "gaps": 2,
        "gap_ns": sum(gaps),
        "max_gap_ns": max(gaps),
        "steal_ns": steal_ns,
        "notices": [],
    }
    put(tmp_path, result)
    [(row, series)] = recipe("noise").read(job("noise"), tmp_path)
    assert series is not None and series.values_ns.tolist() == list(gaps)
    assert row.extra["steal_ns"] == steal_ns and row.extra["gap_ns"] == 91500
    told = tables.noise([row])
    assert told is not None and told.rows[0][5] == ("20.0 ms" if steal_ns else "–")
    put(tmp_path, {key: value for key, value in result.items() if key != "steal_ns"})
    with pytest.raises(OutputError, match="no steal_ns"):
        recipe("noise").read(job("noise"), tmp_path)


def cyclic(out: Path, lines: list[str], step: int = 1, **thread: Any) -> None:
    own = {"cycles": 4, "min": 5, "max": 9, "histogram": {}, **thread}
    put(
        out,
        {
            "return_code": 0,
            "num_threads": 1,
            "resolution_in_ns": step,
            "thread": {"0": own},
        },
    )
    (out / "instrument.out").write_text("".join(f"{line}\n" for line in lines))


VALUES = [
    "# /dev/cpu_dma_latency set to 0us",
    "Max CPUs = 2",
    "Thread 0 Interval: 1500",
]
VALUES += [f"       0:{n:8}:{v:8}" for n, v in enumerate((5, 7, 9, 6))]


def test_cyclictest_values_in_nanoseconds(tmp_path: Path) -> None:
    cyclic(tmp_path, VALUES)
    [(_, series)] = recipe("cyclictest").read(job("cyclictest"), tmp_path)
    assert series is not None and series.ordered
    assert (series.values_ns.tolist(), series.resolution_ns) == ([5, 7, 9, 6], 1)


def test_cyclictest_histogram_in_microseconds(tmp_path: Path) -> None:
    cyclic(tmp_path, [], step=0, histogram={"5": 3, "9": 1})
    [(_, series)] = recipe("cyclictest").read(job("cyclictest"), tmp_path)
    assert series is not None and series.counts is not None
    assert (series.values_ns.tolist(), series.counts.tolist()) == ([5000, 9000], [3, 1])


@pytest.mark.parametrize(
    ("lines", "thread", "reason"),
    [
        (VALUES[:-1], {}, "3 of 4 latencies"),
        ([*VALUES[:4], *VALUES[5:]], {}, "value 2 comes after 0"),
        ([*VALUES[:-1], "       0:   3"], {}, "line 7 of cyclictest's output"),
        (["cannot open"], {}, "line 1"),
        ([], {}, "no values"),
        (VALUES, {"cycles": 3}, "3 of 4 cycles"),
        (VALUES, {"max": 10}, "max is 10 ns, 9 in the values"),
        ([], {"histogram": {"5": 3}}, "raise -h"),
        ([], {"histogram": {"five": 4}}, "no number"),
        ([], {"histogram": {"5": -1, "9": 5}}, "no samples"),
    ],
)
def test_cyclictest_that_lost_something_is_refused(
    tmp_path: Path, lines: list[str], thread: dict[str, Any], reason: str
) -> None:
    cyclic(tmp_path, lines, **thread)
    with pytest.raises(OutputError, match=reason):
        recipe("cyclictest").read(job("cyclictest"), tmp_path)


def test_contexts_are_rows_as_of_jobs_of_their_own(tmp_path: Path) -> None:
    parts = {"handler": "handler", "light": "light", "task": "task", "busy": "task"}
    for name, context in parts.items():
        (tmp_path / name).mkdir()
        write_samples(tmp_path / name, LATENCIES, (0,) * 4)
        put(tmp_path / name, releases(core="bare", context=context))
    (tmp_path / "cyclictest").mkdir()
    cyclic(tmp_path / "cyclictest", VALUES)
    found = recipe("contexts").read(job("contexts", core="bare"), tmp_path)
    shown = [(row.instrument, row.core, row.context, row.variant) for row, _ in found]
    assert shown == [
        ("cyclictest", "linux", "task", ""),
        ("latency", "bare", "handler", ""),
        ("latency", "bare", "light", ""),
        ("latency", "bare", "task", ""),
        ("latency", "bare", "task", "busy"),
    ]
    put(tmp_path / "light", releases(core="thread", context="light"))
    with pytest.raises(OutputError, match="core is 'thread', but 'bare'"):
        recipe("contexts").read(job("contexts", core="bare"), tmp_path)


def test_what_others_computed_meanwhile_is_taken_off_in_a_row_beside(
    tmp_path: Path,
) -> None:
    for name in ("handler", "light", "task", "busy"):
        (tmp_path / name).mkdir()
        write_samples(tmp_path / name, LATENCIES, (0,) * 4)
        context = "task" if name == "busy" else name
        put(
            tmp_path / name,
            releases(core="bare", context=context, cpu=1, anticipated_ns=15),
        )
    (tmp_path / "cyclictest").mkdir()
    cyclic(tmp_path / "cyclictest", VALUES)
    # A release that was early by more than the gravity was never due before.
    own = "1 1515 1000\n1 1215 0\n1 90015 89900\n1 0 0\n"
    (tmp_path / "turns").write_text("2 7 7\n" + 4 * own)
    found = recipe("contexts").read(job("contexts", core="bare"), tmp_path)
    assert [row.variant for row, _ in found[-2:]] == ["busy", "busy own instructions"]
    series = found[-1][1]
    assert len(found) == 9 and series and series.values_ns.tolist() == [500, 1200, 100, -20]
    (tmp_path / "turns").write_text(own)
    with pytest.raises(OutputError, match="have different releases"):
        recipe("contexts").read(job("contexts", core="bare"), tmp_path)


def two_cpus(**changes: Any) -> dict[str, Any]:
    tasks = [{"cpu": 1, "overruns": 2}, {"cpu": 2, "overruns": 0}]
    return releases(core="bare", cpus=2, task_set=tasks, **changes)


def test_each_of_several_cores_has_a_row(tmp_path: Path) -> None:
    write_samples(tmp_path, LATENCIES, (0, 1, 1, 1))
    put(tmp_path, two_cpus())
    found = recipe("latency").read(job("latency", core="bare", cpus=4), tmp_path)
    assert [(row.cpus, row.variant, row.overruns) for row, _ in found] == [
        (4, "CPU 1", 2),
        (4, "CPU 2", 0),
    ]
    assert [row.extra["real_time_cpus"] for row, _ in found] == [2, 2]
    assert [series and series.values_ns.tolist() for _, series in found] == [
        [LATENCIES[0]],
        list(LATENCIES[1:]),
    ]
    assert len({row.key() for row, _ in found}) == 2


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ((0, 0, 0, 0), "CPU 2 has no samples"),
        ((0, 1, 1, 2), "task 2 of the sample file"),
    ],
)
def test_samples_of_no_core_are_refused(
    tasks: tuple[int, ...], reason: str, tmp_path: Path
) -> None:
    write_samples(tmp_path, LATENCIES, tasks)
    put(tmp_path, two_cpus())
    with pytest.raises(OutputError, match=reason):
        recipe("latency").read(job("latency", core="bare", cpus=4), tmp_path)


def test_script_of_contexts_runs_each_in_its_folder(tmp_path: Path) -> None:
    """With programs that print their arguments, instead of the real ones."""
    for name in ("cyclictest", "tactus-latency"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text('#!/bin/sh\necho "$OUT" "$@"\n')
        program.chmod(0o755)
    out = tmp_path / "out"
    out.mkdir()
    made = job("contexts", core="bare", options=("--priority", "7"))
    (tmp_path / "instrument").write_text(recipe("contexts").script(made))
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    command = ["sh", str(tmp_path / "instrument")]
    subprocess.run(command, env={"PATH": path, "CPU": "1", "OUT": str(out)}, check=True)
    cyclictest = (out / "cyclictest/instrument.out").read_text()
    assert cyclictest.startswith(f"{out}/cyclictest -m") and "-a 1" in cyclictest
    for name, context in (("handler", "handler"), ("light", "light"), ("busy", "task")):
        said = (out / name / "instrument.json").read_text()
        assert f"--core bare --context {context}" in said and "--priority 7" in said
        assert f"--samples {out}/{name}/samples" in said
        assert ("--busy" in said) == (name == "busy")


def test_interrupt_has_a_row_to_the_task_and_one_to_the_handler(tmp_path: Path) -> None:
    write_samples(tmp_path, (10, 3, 12), (0, 1, 0))
    rows = [
        {"context": "task", "samples": 2, "min_ns": 10, "max_ns": 12},
        {"context": "handler", "samples": 1, "min_ns": 3, "max_ns": 3},
    ]
    result = {
        "instrument": "irq",
        "source": "edu",
        "skipped": 0,
        "unmatched": 1,
        "notices": [],
    }
    result |= {"core": "linux"}
    put(tmp_path, {**result, "rows": rows})
    found = recipe("irq").read(job("irq"), tmp_path)
    assert [row.metric for row, _ in found] == ["irq-task", "irq-handler"]
    # For a bare core beside Linux's own.
    for core in ("linux", "bare"):
        (tmp_path / core).mkdir()
        write_samples(tmp_path / core, (10, 3, 12), (0, 1, 0))
        put(tmp_path / core, {**result, "core": core, "rows": rows})
    found = recipe("irq").read(job("irq", core="bare"), tmp_path)
    assert [row.core for row, _ in found] == ["linux", "linux", "bare", "bare"]
    put(tmp_path, {**result, "rows": rows[:1]})
    with pytest.raises(OutputError, match="not task and handler"):
        recipe("irq").read(job("irq"), tmp_path)


def test_what_others_computed_is_taken_off_from_a_device_s_interrupt_too(
    tmp_path: Path,
) -> None:
    rows = [
        {"context": "task", "samples": 2, "min_ns": 20, "max_ns": 50},
        {"context": "handler", "samples": 2, "min_ns": 10, "max_ns": 40},
    ]
    result = {
        "instrument": "irq",
        "source": "edu",
        "skipped": 0,
        "unmatched": 0,
        "notices": [],
    }
    for core in ("linux", "bare"):
        (tmp_path / core).mkdir()
        write_samples(tmp_path / core, (20, 10, 50, 40), (0, 1, 0, 1))
        put(tmp_path / core, {**result, "core": core, "cpu": 1, "rows": rows})
    (tmp_path / "turns").write_text("1 10 0\n1 20 0\n0 9 9\n1 40 30\n1 50 31\n")
    found = recipe("irq").read(job("irq", core="bare"), tmp_path)
    shown = [(row.core, row.context, row.variant) for row, _ in found]
    assert shown[2:] == [
        ("bare", "task", "edu"),
        ("bare", "handler", "edu"),
        ("bare", "task", "edu own instructions"),
        ("bare", "handler", "edu own instructions"),
    ]
    own = [series.values_ns.tolist() for _, series in found[-2:] if series]
    assert own == [[20, 19], [10, 10]]


def test_operations_have_a_row_a_side(tmp_path: Path) -> None:
    side = {"min_ns": 1.2, "max_ns": 3.6, "median_ns": 2.0, "rounds_ns": [3.6, 1.2]}
    row = {
        "name": "switch_100_float",
        "what": "w",
        "peer": "p",
        "operations": 9,
        "fifo": True,
    }
    row |= {"tactus": side, "linux": side, "figures": {}, "notices": []}
    result = {
        "instrument": "bench",
        "group": "switch",
        "cpu": 0,
        "rows": [row],
        "failed": 0,
    }
    put(tmp_path, result)
    found = recipe("switch").read(job("switch"), tmp_path)
    shown = [(row.core, row.tasks, row.variant, row.metric) for row, _ in found]
    assert shown == [("thread", 100, "fp", "switch"), ("linux", 100, "fp", "switch")]
    bare = recipe("switch").read(job("switch", core="bare"), tmp_path)
    assert [row.core for row, _ in bare] == ["bare", "linux"]
    # While a CPU is taken, Linux cannot run anything on it.
    assert "--side tactus" in recipe("switch").script(job("switch", core="bare"))
    assert "--side" not in recipe("switch").script(job("switch"))
    assert "tactus-bench" in recipe("switch").script(job("switch"))
    assert "--group switch" in recipe("switch").script(job("switch"))
    light = {**row, "name": "switch_light_100"}
    put(tmp_path, {**result, "rows": [light]})
    found = recipe("switch").read(job("switch"), tmp_path)
    # The peer beside light tasks is another measurement than the one beside full tasks.
    contexts = [(row.core, row.context, row.variant) for row, _ in found]
    assert contexts == [("thread", "light", "light"), ("linux", "task", "light")]
    put(tmp_path, {**result, "failed": 1})
    with pytest.raises(OutputError, match="failed is 1"):
        recipe("switch").read(job("switch"), tmp_path)


def test_index_in_part_is_no_index(tmp_path: Path) -> None:
    test = {
        "name": "pipe",
        "title": "t",
        "unit": "lps",
        "score": 5.0,
        "base": 2,
        "index": 25.0,
    }
    test["passes"] = []
    run = {"copies": 1, "tests": [test], "index": 25.0, "partial": True}
    result = {
        "instrument": "index",
        "seconds": 1,
        "code": "auto",
        "runs": [run],
        "failed": 0,
    }
    put(tmp_path, {**result, "notices": []})
    assert [row.metric for row, _ in recipe("index").read(job("index"), tmp_path)] == ["pipe"]
    run["partial"] = False
    put(tmp_path, {**result, "notices": []})
    found = recipe("index").read(job("index"), tmp_path)
    assert [row.metric for row, _ in found] == ["pipe", "index"]


@pytest.mark.parametrize(
    ("outcome", "status", "reason"),
    [
        (
            "end=ok\nreason=\n",
            RunStatus.FAILED,
            "no valid result: the instrument wrote no",
        ),
        ("end=timeout\nreason=too long\n", RunStatus.TIMEOUT, "too long"),
        ("end=load-failed\nreason=no ping\n", RunStatus.FAILED, "no ping"),
        ("", RunStatus.FAILED, "left no outcome: sh: not found"),
    ],
)
def test_run_that_came_to_nothing_has_a_reason(
    tmp_path: Path, outcome: str, status: RunStatus, reason: str
) -> None:
    (tmp_path / "outcome").write_text(outcome)
    (tmp_path / "run.err").write_text("sh: not found\n")
    found = jobfolder.result(job("jitter"), Report(tmp_path))
    assert found.status is status
    assert reason in found.reason


@pytest.mark.parametrize(
    ("name", "options", "seconds"),
    [
        ("noise", ("--seconds", "60"), 60.0),
        ("switch", ("--row", "switch_100", "--loops", "200"), 3.0),
        # On this machine, all rows take most of a minute.
        ("switch", (), 60.0),
        ("index", ("--seconds", "0.1"), 4000.0),
    ],
)
def test_limit_leaves_an_instrument_the_time_that_it_is_told_to_take(
    tmp_path: Path, name: str, options: tuple[str, ...], seconds: float
) -> None:
    made = job(name, options=options)
    assert recipe(name).duration_s(made) == seconds
    jobfolder.make(tmp_path, made, Place())
    limit_s = int(jobfolder.lines_of(tmp_path / "job.env")["LAB_LIMIT_S"])
    assert limit_s >= 2 * seconds


def test_kernel_log_of_a_run_is_kept_whole_and_its_end_is_shown(tmp_path: Path) -> None:
    lines = [f"[{number}] said" for number in range(300)]
    (tmp_path / "outcome").write_text("end=timeout\nreason=too long\n")
    (tmp_path / "kernel.log").write_text("\n".join(lines) + "\n")
    (tmp_path / "instrument.err").write_text("no device\n")
    found = jobfolder.result(job("jitter"), Report(tmp_path))
    assert found.log.splitlines() == [*lines, "no device"]
    assert found.log_end.splitlines() == [*lines, "no device"][-40:]


def test_dead_load_marks_the_rows(tmp_path: Path) -> None:
    write_samples(tmp_path, LATENCIES, (0,) * 4)
    put(tmp_path, releases())
    (tmp_path / "outcome").write_text("end=load-died\nreason=the load io ended\n")
    (tmp_path / "facts").write_text("cpus_online=3\n")
    found = jobfolder.result(job("jitter", cpus=0), Report(tmp_path))
    assert found.status is RunStatus.LOAD_DIED
    assert (found.rows[0].load_ok, found.rows[0].cpus) == (False, 3)
