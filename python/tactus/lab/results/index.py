# SPDX-License-Identifier: LGPL-2.1-or-later
"""The database over a folder of results. It holds only what the files hold, so it may be deleted
and made again at any time."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from tactus.lab.model import RunResult
from tactus.lab.results.files import ResultError, cause, literal, quoted, unfinished_file
from tactus.lab.results.folder import load

NAME = "results.duckdb"

_TABLES = """
CREATE TABLE run (
    run VARCHAR, file VARCHAR, plan VARCHAR, job VARCHAR, target VARCHAR, kernel VARCHAR,
    cpus INTEGER, instrument VARCHAR, load VARCHAR, clock VARCHAR, status VARCHAR, reason VARCHAR,
    started VARCHAR, wall_s DOUBLE, manifest JSON, log VARCHAR
);
CREATE TABLE row (
    run VARCHAR, series INTEGER, target VARCHAR, kernel VARCHAR, cmdline VARCHAR, cpus INTEGER,
    instrument VARCHAR, core VARCHAR, context VARCHAR, tasks INTEGER, load VARCHAR, idle VARCHAR,
    period_ns BIGINT, metric VARCHAR, variant VARCHAR, clock VARCHAR, samples BIGINT,
    min_ns BIGINT, avg_ns DOUBLE, p50_ns BIGINT, p99_ns BIGINT, p999_ns BIGINT, max_ns BIGINT,
    early BIGINT, overruns BIGINT, resolution_ns BIGINT, value DOUBLE, unit VARCHAR,
    load_ok BOOLEAN, load_failure VARCHAR, extra JSON
);
"""
_SAMPLES = (
    "CREATE VIEW sample AS SELECT s.*, r.run FROM read_parquet({files}, filename = true) s "
    "JOIN run r ON parse_filename(s.filename) = r.file"
)


def rebuild(folder: Path) -> list[str]:
    """Makes `results.duckdb` in `folder` anew: tables run and row, view sample over the files.
    Returns a line for each file that could not be used."""
    loaded = load([folder])
    files = [path.absolute() for path in loaded.paths]
    try:
        # Made elsewhere, because in a database's path DuckDB takes a question mark for options.
        with tempfile.TemporaryDirectory() as scratch, unfinished_file(folder) as unfinished:
            made = Path(scratch) / NAME
            with duckdb.connect(made) as database:
                database.execute(_TABLES)
                database.begin()  # one commit, not one per row
                for path, result in zip(files, loaded.results, strict=True):
                    _insert(database, path, result)
                database.commit()
                if files:
                    listed = ", ".join(quoted(literal(path)) for path in files)
                    database.execute(_SAMPLES.format(files=f"[{listed}]"))
            shutil.copyfile(made, unfinished)
            unfinished.replace(folder / NAME)
    except (OSError, duckdb.Error) as error:
        raise ResultError(
            f"cannot write {folder / NAME}: {cause(error)}; the result files are whole: free some "
            f"space, then ./tactus lab merge --into {folder}"
        ) from None
    return list(loaded.problems)


def _insert(database: duckdb.DuckDBPyConnection, path: Path, result: RunResult) -> None:
    job = result.job
    about_run: list[Any] = [result.run_id, path.name, job.plan, job.id, job.target, job.kernel]
    about_run += [job.cpus, job.instrument, job.load, job.clock, result.status, result.reason]
    about_run += [result.started, result.wall_s, json.dumps(dict(result.manifest)), result.log]
    database.execute(f"INSERT INTO run VALUES ({_marks(about_run)})", about_run)
    names = [line[0] for line in database.execute("DESCRIBE row").fetchall()][2:]
    for series, row in enumerate(result.rows):
        figures = {**row.as_json(), "extra": json.dumps(dict(row.extra))}
        values = [result.run_id, series, *(figures[name] for name in names)]
        database.execute(f"INSERT INTO row VALUES ({_marks(values)})", values)


def _marks(values: list[Any]) -> str:
    return ", ".join("?" * len(values))
