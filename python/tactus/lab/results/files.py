# SPDX-License-Identifier: LGPL-2.1-or-later
"""One run is one Parquet file (docs/spec/lab-results.md), which any reader of Parquet can read.

A file appears under its name complete or not at all, and never replaces another one. Reading checks
the checksum that was written: a damaged file is refused as a whole.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from tactus.lab.model import Job, ModelError, Row, RunResult, RunStatus, Series
from tactus.project import UserError

SCHEMA = 1
KEY = "tactus"
SUFFIX = ".parquet"
# No sample has this position, so it can stand for NULL on the way into the file.
_NO_POSITION = -1
_COLUMNS = ("series", "position", "value_ns", "count")


class ResultError(UserError):
    """A result file cannot be used; the message names it and says why."""


@functools.cache
def _engine() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


# The engine's threads do not exist in a child.
os.register_at_fork(after_in_child=_engine.cache_clear)


def database() -> duckdb.DuckDBPyConnection:
    """A connection to this process's DuckDB, which the caller closes. The start of DuckDB takes 60
    ms, a file a tenth of that."""
    return _engine().cursor()


def write(folder: Path, result: RunResult) -> Path:
    """Writes the file of a run into `folder`, which is made if necessary, and returns its path."""
    path = folder / result.file_name
    columns = _columns(result)
    metadata = json.dumps(_metadata(result, columns), ensure_ascii=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with unfinished_file(folder) as unfinished:
            _copy(columns, metadata, unfinished)
            _sync(unfinished)
            # A link, unlike a rename, fails if the name is taken.
            os.link(unfinished, path)
        _sync(folder)
    except FileExistsError:
        raise ResultError(f"{path} is there already: results are never overwritten") from None
    except (OSError, duckdb.Error) as error:
        raise ResultError(
            f"cannot write {path}: {cause(error)}; free some space or choose another results "
            "folder, then go on with --resume (finished results are kept)"
        ) from None
    return path


def read(path: Path) -> RunResult:
    """The run of a file; ResultError in one line for anything except a whole file of this
    schema."""
    try:
        with database() as own:
            metadata = _read_metadata(own, path)
            columns = _read_columns(own, path)
    except duckdb.Error as error:
        if not path.is_file():
            raise ResultError(f"{path}: there is no such file") from None
        raise ResultError(
            f"{path} is no whole result file ({cause(error)}): run its job again or delete it"
        ) from None
    if metadata["crc32"] != _checksum(columns):
        raise ResultError(f"{path} is damaged (checksum): run its job again or delete it")
    try:
        return _result(metadata, columns)
    except (ModelError, KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is damaged ({error}): run its job again or delete it") from None


def _columns(result: RunResult) -> dict[str, NDArray[Any]]:
    """The table: raw samples with their position, histograms without."""
    parts: list[tuple[NDArray[Any], ...]] = []
    for index, series in enumerate(result.series):
        if series is None:
            continue
        values = series.values_ns.astype(np.int64)
        numbers = np.full(len(values), index, dtype=np.int32)
        if series.counts is None:
            parts.append((numbers, np.arange(len(values)), values, np.ones_like(values)))
        else:
            nowhere = np.full(len(values), _NO_POSITION, dtype=np.int64)
            parts.append((numbers, nowhere, values, series.counts.astype(np.int64)))
    if not parts:
        empty = np.zeros(0, dtype=np.int64)
        parts.append((empty.astype(np.int32), empty, empty, empty))
    joined = (np.concatenate(column) for column in zip(*parts, strict=True))
    return dict(zip(_COLUMNS, joined, strict=True))


def _checksum(columns: Mapping[str, NDArray[Any]]) -> int:
    checksum = 0
    for name in _COLUMNS:
        kind = "<i4" if name == "series" else "<i8"
        checksum = zlib.crc32(columns[name].astype(kind).tobytes(), checksum)
    return checksum


def _metadata(result: RunResult, columns: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": result.run_id,
        "status": result.status,
        "reason": result.reason,
        "started": result.started,
        "wall_s": result.wall_s,
        "job": result.job.as_json(),
        "rows": [row.as_json() for row in result.rows],
        "has_series": [series is not None for series in result.series],
        "manifest": dict(result.manifest),
        "log": result.log,
        "crc32": _checksum(columns),
    }


def _result(metadata: Mapping[str, Any], columns: Mapping[str, NDArray[Any]]) -> RunResult:
    rows = tuple(Row.of_json(row) for row in metadata["rows"])
    return RunResult(
        job=Job.of_json(metadata["job"]),
        run_id=str(metadata["run"]),
        status=RunStatus(metadata["status"]),
        reason=str(metadata["reason"]),
        rows=rows,
        series=tuple(
            _series(columns, index, row.resolution_ns) if has else None
            for index, (row, has) in enumerate(zip(rows, metadata["has_series"], strict=True))
        ),
        manifest=metadata["manifest"],
        started=str(metadata["started"]),
        wall_s=float(metadata["wall_s"]),
        log=str(metadata["log"]),
    )


def _series(columns: Mapping[str, NDArray[Any]], index: int, resolution_ns: int) -> Series:
    mine = columns["series"] == index
    positions, values = columns["position"][mine], columns["value_ns"][mine]
    if len(positions) and positions[0] == _NO_POSITION:
        return Series(values, columns["count"][mine], resolution_ns)
    return Series(values[np.argsort(positions, kind="stable")], None, resolution_ns)


def _copy(columns: dict[str, NDArray[Any]], metadata: str, path: Path) -> None:
    with database() as own:
        own.register("samples", columns)
        own.execute(
            f"COPY (SELECT series, nullif(position, {_NO_POSITION}) AS position, value_ns, count "
            f"FROM samples) TO {quoted(str(path))} "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{KEY}: {quoted(metadata)}}})"
        )


def _read_metadata(own: duckdb.DuckDBPyConnection, path: Path) -> dict[str, Any]:
    found = own.execute(
        "SELECT value FROM parquet_kv_metadata(?) WHERE key = ?", [literal(path), KEY.encode()]
    ).fetchone()
    if found is None:
        raise ResultError(f"{path} is a Parquet file, but no result of the laboratory")
    try:
        metadata = json.loads(found[0])
        schema = metadata["schema"]
    except (ValueError, KeyError, TypeError):
        raise ResultError(f"{path} is damaged (metadata): run its job again or delete it") from None
    if schema != SCHEMA:
        raise ResultError(
            f"{path} has schema {schema}, this version reads {SCHEMA}: read it with the version "
            "that wrote it, or run its job again"
        )
    return dict(metadata)


def _read_columns(own: duckdb.DuckDBPyConnection, path: Path) -> dict[str, NDArray[Any]]:
    found = own.execute(
        f"SELECT series, coalesce(position, {_NO_POSITION}) AS position, value_ns, count "
        "FROM read_parquet(?)",
        [literal(path)],
    ).fetchnumpy()
    return {name: np.asarray(found[name]) for name in _COLUMNS}


def literal(path: Path) -> str:
    """DuckDB takes a name for a pattern; within brackets, each of its characters stands for
    itself."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextlib.contextmanager
def unfinished_file(folder: Path) -> Iterator[Path]:
    """A file that no reader takes for a result, and that is removed afterwards."""
    handle, name = tempfile.mkstemp(prefix=".unfinished-", suffix=".tmp", dir=folder)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def cause(error: BaseException) -> str:
    """One line from the message of the system or DuckDB; if DuckDB wraps a message of the system,
    only that."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    for words in map(
        os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EROFS)
    ):
        if words in str(error):
            return words
    line = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return line.strip()
