# SPDX-License-Identifier: LGPL-2.1-or-later
"""The terms of the laboratory: jobs, their ends, and the rows that they measured.

A plan becomes jobs; a job that ran becomes one RunResult, whatever its end; a result becomes one
file (tactus.lab.results). Everything here is immutable and free of I/O.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self

import numpy as np

from tactus.measure import statistics
from tactus.measure.statistics import Nanoseconds

LOG_END_LINES = 40


class ModelError(ValueError):
    """The data do not fit the model."""


class Clock(StrEnum):
    """The meaning of a nanosecond on a target."""

    VIRTUAL = "virtual"
    """One instruction: repeatable, and no statement about the time on real hardware."""
    REAL = "real"


CORE_TURNS_US = 100
"""In virtual time, a timer that the machine adds bounds the turns of its processors. This is its
period for jobs of a core; it divides the periods of releases, which avoid its expiries."""


class RunStatus(StrEnum):
    """The end of a job. Each one except OK has a reason in words."""

    OK = "ok"
    LOAD_DIED = "load-died"
    """Measured, but the load did not run all the time: kept, marked, and excluded from
    statistics."""
    NO_BOOT = "no-boot"
    HUNG = "hung"
    """The guest or target stopped answering before the job was done."""
    PANIC = "panic"
    TIMEOUT = "timeout"
    """It continued, but for longer than the job may take."""
    LOST = "lost"
    """The worker or the connection died; the job may be repeated."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement on one target: all that its outcome depends on, and nothing else."""

    plan: str
    target: str
    kernel: str
    """Its name in the laboratory (`preempt-rt`), not its release."""
    cpus: int
    instrument: str
    load: str = "idle"
    intensity: str = ""
    """Intensity of the load, in the load's own unit; empty: its default."""
    core: str = "linux"
    context: str = "task"
    tasks: int = 1
    idle: str = "sleep"
    period_ns: int = 1_000_000
    samples: int = 4000
    cmdline: str = ""
    """Added to the kernel's command line."""
    options: tuple[str, ...] = ()
    """Further options of the instrument, as in its command."""
    clock: Clock = Clock.REAL
    seed: int = 1
    repeat: int = 0
    """Number among several runs of the same job."""
    limit_s: float = 600.0
    """Wall-clock time after which the job is ended."""

    @property
    def id(self) -> str:
        """The same for the same job in every session; usable as a file name."""
        text = json.dumps(asdict(self), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        words = (self.target, self.kernel, f"{self.cpus}cpu", self.load, self.instrument)
        return "-".join([*(_file_word(word) for word in words), digest])

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Self:
        known = _known(cls, value)
        known["options"] = tuple(known.get("options", ()))
        known["clock"] = Clock(known.get("clock", Clock.REAL))
        return cls(**known)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The samples of one row: in their order, or only the count of each value."""

    values_ns: Nanoseconds
    counts: Nanoseconds | None = None
    """None: values_ns are the samples in order."""
    resolution_ns: int = 1
    """Step of the instrument's clock or of its histogram (cyclictest: 1000)."""

    @property
    def ordered(self) -> bool:
        return self.counts is None

    @property
    def size(self) -> int:
        return len(self.values_ns) if self.counts is None else int(self.counts.sum())

    def weighted(self) -> tuple[Nanoseconds, Nanoseconds]:
        """Different values in ascending order, and the count of each."""
        if self.counts is None:
            values, counts = np.unique(self.values_ns, return_counts=True)
            return values, counts.astype(np.int64)
        order = np.argsort(self.values_ns, kind="stable")
        return self.values_ns[order], self.counts[order]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: what was measured, under which conditions, and its figures.

    It is the row of docs/spec/measure.md with the further parameters of the laboratory. A row is
    either a distribution of times (metric latency, irq, switch, …; it has a Series), or one number
    (an index of throughput: `value` in `unit`).
    """

    core: str
    context: str
    tasks: int
    load: str
    idle: str
    period_ns: int | None
    kernel: str
    cmdline: str
    cpus: int
    instrument: str
    target: str
    metric: str = "latency"
    """The metric of the instrument: latency, irq-handler, irq-task, switch, semaphore, dhrystone2,
    …"""
    variant: str = ""
    """A further condition: `fp`, `queue of 8`, …"""
    clock: Clock = Clock.REAL
    samples: int = 0
    min_ns: int | None = None
    avg_ns: float | None = None
    p50_ns: int | None = None
    p99_ns: int | None = None
    p999_ns: int | None = None
    max_ns: int | None = None
    early: int = 0
    overruns: int = 0
    resolution_ns: int = 1
    value: float | None = None
    unit: str = "ns"
    load_ok: bool = True
    load_failure: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Figures that only this instrument has (cpu_share, gaps_per_s, histogram overflow, …)."""

    @classmethod
    def of_job(cls, job: Job, metric: str = "latency", **more: Any) -> Self:
        """The row of a job, without figures; `more` sets or overrides any field."""
        shared = {f.name for f in fields(cls)} & {f.name for f in fields(job)} - {"samples"}
        named: dict[str, Any] = {name: getattr(job, name) for name in shared}
        return cls(**{**named, "metric": metric, **more})

    def with_figures(self, series: Series) -> Self:
        """The same row with the figures of its samples."""
        values, counts = series.weighted()
        figures = asdict(statistics.summarize_counts(values, counts))
        return replace(self, **figures, resolution_ns=series.resolution_ns)

    def key(self) -> tuple[str, ...]:
        """What two rows must share to be the same measurement in two sets of results."""
        numbers = (self.cpus, self.tasks, self.period_ns)
        words = (self.target, self.kernel, self.load, self.instrument, self.core, self.context)
        return (*words, self.metric, self.variant, self.unit, *map(str, numbers))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Self:
        known = _known(cls, value)
        known["clock"] = Clock(known.get("clock", Clock.REAL))
        return cls(**known)


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """The outcome of a job. `series[i]` belongs to `rows[i]`; None: the row has one number."""

    job: Job
    run_id: str
    status: RunStatus
    reason: str = ""
    """One sentence for every status except OK: what happened, and what to do about it."""
    rows: tuple[Row, ...] = ()
    series: tuple[Series | None, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    started: str = ""
    """UTC, ISO 8601."""
    wall_s: float = 0.0
    log: str = ""
    """The console or the kernel's log, whole unless it has many pages, and after it the error
    messages of the programs."""

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.series):
            raise ModelError(f"{len(self.rows)} rows but {len(self.series)} series")
        if self.status is not RunStatus.OK and not self.reason:
            raise ModelError(f"a run that is {self.status} needs a reason")

    @property
    def valid(self) -> bool:
        """May its figures be counted?"""
        return self.status is RunStatus.OK

    @property
    def log_end(self) -> str:
        """The row that a person reads first."""
        return "\n".join(self.log.splitlines()[-LOG_END_LINES:])

    @property
    def file_name(self) -> str:
        return f"{_file_word(self.job.plan)}.{self.job.id}.{self.run_id}.parquet"


def measured(
    job: Job,
    measurements: Sequence[tuple[Row, Series | None]],
    *,
    load_failure: str | None = None,
    **more: Any,
) -> RunResult:
    """The result of a job whose instrument ended well. The figures are computed from the samples; a
    load that died marks every row. `more`: manifest, started, wall_s, log, run_id."""
    rows = tuple(
        replace(
            row if series is None else row.with_figures(series),
            load_ok=load_failure is None,
            load_failure=load_failure,
        )
        for row, series in measurements
    )
    return RunResult(
        job=job,
        run_id=more.pop("run_id", None) or new_run_id(),
        status=RunStatus.OK if load_failure is None else RunStatus.LOAD_DIED,
        reason=load_failure or "",
        rows=rows,
        series=tuple(series for _, series in measurements),
        **more,
    )


def failed(job: Job, status: RunStatus, reason: str, **more: Any) -> RunResult:
    """The result of a job that measured nothing."""
    run_id = more.pop("run_id", None) or new_run_id()
    return RunResult(job=job, run_id=run_id, status=status, reason=reason, **more)


def new_run_id() -> str:
    """Ids sort by time; two that start in the same second differ."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}_{secrets.token_hex(4)}"


def _file_word(text: str) -> str:
    """A word of a file name; `.`, which separates its parts, is replaced, too."""
    word = "".join(c if c.isalnum() and c.isascii() else "_" for c in text)
    return word or "_"


def _known(cls: type[Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `cls` in a JSON object; keys of later versions are skipped."""
    if not isinstance(value, Mapping):
        raise ModelError(f"{cls.__name__}: not an object")
    names = {f.name for f in fields(cls)}
    return {name: entry for name, entry in value.items() if name in names}
