# SPDX-License-Identifier: LGPL-2.1-or-later
"""Result files of the laboratory: complete, whole or refused; never overwritten."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import lab_factory as factory
import numpy as np
import pytest
from hdrh.histogram import HdrHistogram

from tactus.lab import results, table
from tactus.lab.model import (
    Job,
    ModelError,
    Row,
    RunResult,
    RunStatus,
    Series,
    failed,
    measured,
)
from tactus.lab.results import (
    ResultError,
    document,
    files,
    load,
    merge,
    read,
    rebuild,
    write,
)
from tactus.project import UserError


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    for made in factory.default_plan(count=200):
        back = read(write(tmp_path, made))
        assert back.job == made.job
        assert back.rows == made.rows
        assert (back.status, back.reason, back.log) == (
            made.status,
            made.reason,
            made.log,
        )
        for mine, other in zip(back.series, made.series, strict=True):
            assert (mine is None) == (other is None)
            if mine is not None and other is not None:
                assert mine.ordered == other.ordered
                assert np.array_equal(mine.values_ns, other.values_ns)
                assert np.array_equal(mine.weighted()[1], other.weighted()[1])


def test_samples_keep_their_order_and_early_ones(tmp_path: Path) -> None:
    values = [5, -3, 5, 2_000_000_000_000, 0]
    back = read(write(tmp_path, factory.result(values)))
    assert back.series[0] is not None
    assert back.series[0].values_ns.tolist() == values
    assert (back.rows[0].early, back.rows[0].min_ns) == (1, -3)


def test_result_is_never_overwritten(tmp_path: Path) -> None:
    made = factory.result([1, 2, 3])
    path = write(tmp_path, made)
    before = path.read_bytes()
    with pytest.raises(ResultError, match="never overwritten"):
        write(tmp_path, replace(made, wall_s=9.0))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_same_job_has_the_same_id_and_other_jobs_another() -> None:
    assert factory.job().id == factory.job().id
    assert factory.job().id != factory.job(options=("-p", "90")).id
    assert Job.of_json(json.loads(json.dumps(factory.job().as_json()))) == factory.job()


def test_odd_names_make_a_file_name_without_folders(tmp_path: Path) -> None:
    path = write(tmp_path, factory.result([1], kernel="../boot/vmlinuz-6.1 [x]*'"))
    assert path.parent == tmp_path
    assert read(path).job.kernel == "../boot/vmlinuz-6.1 [x]*'"


def test_folder_with_signs_of_a_pattern_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "a[b]*?'c"
    write(folder, factory.result([1, 2]))
    assert len(load([folder]).results) == 1
    assert rebuild(folder) == []


@pytest.mark.parametrize("keep", [0, 3, 100, 0.5, 0.99])
def test_truncated_file_is_one_clear_line_and_the_others_stay(tmp_path: Path, keep: float) -> None:
    broken = write(tmp_path, factory.result(list(range(1000)), repeat=1))
    data = broken.read_bytes()
    broken.write_bytes(data[: int(keep if keep == int(keep) else len(data) * keep)])
    good = factory.result([4, 5, 6])
    write(tmp_path, good)
    loaded = load([tmp_path])
    assert [r.run_id for r in loaded.results] == [good.run_id]
    (problem,) = loaded.problems
    assert str(broken) in problem and "\n" not in problem
    assert "run its job again or delete it" in problem


def test_every_flipped_byte_is_noticed_or_harmless(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    made = factory.result(rng.integers(0, 10**6, 300))
    path = write(tmp_path, made)
    data = path.read_bytes()
    refused = 0
    for place in range(0, len(data), max(1, len(data) // 60)):
        flipped = bytearray(data)
        flipped[place] ^= 0x10
        path.write_bytes(flipped)
        try:
            back = read(path)
        except ResultError:
            refused += 1
            continue
        assert back.series[0] is not None and made.series[0] is not None
        assert np.array_equal(back.series[0].values_ns, made.series[0].values_ns)
    assert refused > 20


def test_file_of_another_schema_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SCHEMA", 7)
    path = write(tmp_path, factory.result([1]))
    monkeypatch.undo()
    with pytest.raises(ResultError, match="has schema 7, this version reads 1"):
        read(path)


def test_parquet_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    duckdb.connect().execute(f"COPY (SELECT 1 AS x) TO '{path}' (FORMAT parquet)")
    with pytest.raises(ResultError, match="no result of the laboratory"):
        read(path)


def test_missing_file_and_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="no such file"):
        read(tmp_path / "x.parquet")
    with pytest.raises(UserError, match="name a folder"):
        load([tmp_path / "nowhere"])
    with pytest.raises(UserError, match="lab run"):
        results.folder.require([tmp_path])


FULL_DISK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import numpy as np
import lab_factory as factory
from tactus.lab.results import ResultError, write
values = np.random.default_rng(1).integers(0, 2**60, 100_000)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write(Path(sys.argv[1]), factory.result(values))
except ResultError as error:
    print(error)
"""


def test_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    """A limit of the file's size replaces a full disk: both end in a failed write."""
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = done.stdout.splitlines()
    assert line.startswith("cannot write ")
    assert ": File too large; free some space" in line and "--resume" in line
    assert list(tmp_path.iterdir()) == []


def test_merge_takes_each_run_once_and_leaves_the_rest(tmp_path: Path) -> None:
    one, two, all_of = tmp_path / "1", tmp_path / "2", tmp_path / "all"
    runs = [factory.result([1, 2], repeat=n) for n in range(3)]
    factory.save(one, runs[:2])
    factory.save(two, runs[1:])
    (two / "bad.parquet").write_bytes(b"PAR1")
    copied, problems = merge([one, two], all_of)
    assert len(copied) == 3
    assert len(problems) == 1
    assert merge([one], all_of) == ([], [])
    assert len(load([all_of]).results) == 3
    assert len(load([one, two]).results) == 3


def test_database_is_made_from_the_files(tmp_path: Path) -> None:
    factory.save(tmp_path, factory.default_plan(count=100))
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    for _ in range(2):
        assert len(rebuild(tmp_path)) == 1
    with duckdb.connect(tmp_path / "results.duckdb", read_only=True) as database:
        ask = "SELECT status, count(*) FROM run GROUP BY status ORDER BY status"
        counts = dict(database.execute(ask).fetchall())
        assert counts["panic"] == 1 and counts["load-died"] == 1 and counts["ok"] > 80
        ask = (
            "SELECT max(s.value_ns), any_value(r.max_ns) FROM sample s JOIN row r "
            "USING (run, series) WHERE kernel = 'generic' AND load = 'dohell' "
            "AND instrument = 'jitter'"
        )
        highest, stated = database.execute(ask).fetchall()[0]
        assert highest == stated


def test_job_that_succeeded_later_is_no_failure(tmp_path: Path) -> None:
    lost = failed(factory.job(), RunStatus.LOST, "the worker died")
    factory.save(tmp_path, [lost])
    assert [r.status for r in load([tmp_path]).failures()] == [RunStatus.LOST]
    factory.save(tmp_path, [factory.result([1])])
    assert load([tmp_path]).failures() == []


def test_json_has_the_schema_of_measure_and_what_the_lab_varies(tmp_path: Path) -> None:
    factory.save(tmp_path, factory.default_plan(count=100))
    made = document.make(load([tmp_path]), {"date": "2026"})
    text = json.loads(json.dumps(made))
    assert text["schema"] == 1
    row = next(r for r in text["runs"] if r["instrument"] == "latency" and r["load"] == "cpu")
    for key in (
        "kernel",
        "cmdline",
        "cpus",
        "instrument",
        "target",
        "core",
        "context",
        "tasks",
    ):
        assert key in row
    decoded = HdrHistogram.decode(row["histogram"]["data"].encode())
    assert decoded.get_total_count() == row["samples"] == 100
    assert max(v for _, v, _ in row["worst"]) == row["max_ns"] == max(row["timeline_ns"])
    assert [f["status"] for f in text["failures"]] == ["panic", "load-died"]
    assert text["noise"]["max_gap_ns"] > 1000
    assert text["table"]


def test_run_that_is_not_ok_needs_a_reason() -> None:
    with pytest.raises(ModelError, match="needs a reason"):
        RunResult(factory.job(), "x", RunStatus.HUNG)


def test_counted_series_has_the_figures_of_its_samples() -> None:
    values = np.random.default_rng(3).integers(-5, 400, 5000)
    distinct, counts = np.unique(values, return_counts=True)
    raw = Series(values)
    counted = Series(distinct, counts.astype(np.int64))
    made = factory.result([1]).rows[0]
    assert made.with_figures(raw) == made.with_figures(counted)


def test_table_says_how_far_ahead_the_spinning_thread_wakes(tmp_path: Path) -> None:
    def run(core: str) -> RunResult:
        job = factory.job(instrument="latency", core=core)
        row = Row.of_job(job, extra={"lead_ns": 25_000})
        return measured(job, [(row, Series(np.arange(2000)))], manifest=factory.MANIFEST)

    factory.save(tmp_path, [run("thread"), run("linux-spin")])
    lines = table.render(load([tmp_path])).splitlines()
    assert lines[-1] == (
        "linux-spin: one that wakes 25.0µs ahead of a release, as Tactus, and spins"
    )
    assert max(map(len, lines)) <= table.WIDTH


def test_table_is_narrow_and_names_what_failed(tmp_path: Path) -> None:
    factory.save(tmp_path, factory.default_plan(count=50))
    lines = table.render(load([tmp_path])).splitlines()
    assert all(len(line) <= table.WIDTH for line in lines if not line.startswith("!"))
    assert any(line.startswith("! backports dohell cyclictest: panic: ") for line in lines)
    assert "latency, load idle (target vm, 1 ns = 1 instruction)" in lines
    assert any(re.match(r"(server)? *!cyclictest linux", line) for line in lines[1:])
