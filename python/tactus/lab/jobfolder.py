# SPDX-License-Identifier: LGPL-2.1-or-later
"""Both ends of lab/run/run.sh: the job folder for a target, and the results from it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tactus.lab.instruments import OutputError, recipe
from tactus.lab.model import Job, RunResult, RunStatus, failed, measured

RUN_FOLDER = Path(__file__).resolve().parents[3] / "lab/run"
SCRIPTS = ("run.sh", "load.sh")
LOG_CHARS = 256 * 1024
LOADS = ("idle", "cpu", "io", "net", "hackbench", "memory", "dohell")
# The instrument's own limit on the target's clock, far above its duration: run.sh reports a hang.
SLOWER, GRACE_S = 5.0, 30.0
ENDS = {
    "load-failed": RunStatus.FAILED,
    "timeout": RunStatus.TIMEOUT,
    "failed": RunStatus.FAILED,
}


@dataclass(frozen=True, slots=True)
class Place:
    """What the target determines in a job folder."""

    cpu: str = ""
    """The CPU under test; empty: the last one allowed."""
    path: str = ""
    """The folder of its programs, searched before all others."""


@dataclass(frozen=True, slots=True)
class Report:
    """A target's answer to a job: a folder of results, or the reason why there is none."""

    out: Path | None
    status: RunStatus = RunStatus.OK
    reason: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict)
    log: str = ""


def make(folder: Path, job: Job, place: Place) -> Path:
    """Fills the job folder."""
    own = recipe(job.instrument)
    variables = {
        "LAB_LOAD": job.load,
        "LAB_INTENSITY": job.intensity,
        "LAB_LIMIT_S": str(round(own.duration_s(job) * SLOWER + GRACE_S)),
        "LAB_CPU": place.cpu,
        "LAB_PATH": place.path,
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{name}={shlex.quote(value)}\n" for name, value in variables.items())
    (folder / "job.env").write_text(text, encoding="utf-8")
    (folder / "instrument").write_text(own.script(job), encoding="utf-8")
    return folder


def result(job: Job, report: Report, **more: Any) -> RunResult:
    """The result of a job from what came back. Incomplete output is a named failure."""
    if report.out is None:
        return failed(
            job, report.status, report.reason, manifest=report.manifest, log=report.log, **more
        )
    out = report.out
    facts = lines_of(out / "facts")
    manifest = {**facts, **report.manifest, "load_log": text_of(out / "load.log")}
    log = report.log or log_of(out, "kernel.log", "load.err", "instrument.err")
    shared = {**more, "manifest": manifest, "log": log}
    outcome = lines_of(out / "outcome")
    end, reason = outcome.get("end", ""), outcome.get("reason", "")
    if end in ENDS:
        return failed(job, ENDS[end], reason, **shared)
    if end not in ("ok", "load-died"):
        said = _last_line(text_of(out / "start.out") or text_of(out / "run.err"))
        why = "run.sh left no outcome" + (f": {said}" if said else "")
        return failed(job, RunStatus.FAILED, why, **shared)
    # A job for all CPUs of its target learns their number there.
    there = replace(job, cpus=job.cpus or int(facts.get("cpus_online", "0")))
    try:
        rows = recipe(job.instrument).read(there, out)
    except OutputError as error:
        reason = f"{job.instrument} gave no valid result: {error}"
        return failed(job, RunStatus.FAILED, reason, **shared)
    return measured(job, rows, load_failure=reason if end == "load-died" else None, **shared)


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def lines_of(path: Path) -> dict[str, str]:
    """A file of key=value lines."""
    pairs = (line.partition("=") for line in text_of(path).splitlines())
    return {key: value for key, equals, value in pairs if equals}


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def log_of(folder: Path, *names: str) -> str:
    """The files of a run one after another; a file that is too long for a result is cut to its
    end."""
    parts = [text_of(folder / name)[-LOG_CHARS:].strip("\n") for name in names]
    return "\n".join(part for part in parts if part)
