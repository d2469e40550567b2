# SPDX-License-Identifier: LGPL-2.1-or-later
"""A plan's jobs on a target; each result is on disk as soon as it exists."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.lab import scratch
from tactus.lab.engine import work
from tactus.lab.engine.progress import Meter
from tactus.lab.model import Job, RunResult
from tactus.lab.results import load, write
from tactus.lab.results.files import unfinished_file
from tactus.lab.results.folder import Loaded
from tactus.lab.targets import Description, Target, opened
from tactus.project import Project, UserError

Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Session:
    """The request of `tactus lab run`."""

    project: Project
    description: Description
    jobs: Sequence[Job]
    results: Path
    workers: int = 1
    scheduler: str = ""
    """Address of a Dask cluster; empty: a local one, if jobs run side by side."""

    @property
    def side_by_side(self) -> bool:
        """May jobs run at once? Never if they would disturb each other."""
        return self.description.virtual_time and (self.workers > 1 or bool(self.scheduler))


def earlier(session: Session) -> dict[str, tuple[RunResult, Path]]:
    """Existing good results of these jobs, the newest of each."""
    if not session.results.is_dir():
        return {}
    wanted = {job.id for job in session.jobs}
    found = load([session.results])
    pairs = zip(found.results, found.paths, strict=True)
    return {r.job.id: (r, path) for r, path in pairs if r.valid and r.job.id in wanted}


def _in_turn(jobs: Sequence[Job], target: Target, tick: Tick) -> Iterator[RunResult]:
    for job in jobs:
        tick()
        yield work.one(job, target)


def _outcomes(
    session: Session, jobs: Sequence[Job], target: Target, tick: Tick
) -> Iterator[RunResult]:
    if not session.side_by_side:
        return _in_turn(jobs, target, tick)
    from tactus.lab.engine import cluster

    return cluster.results(session, jobs, tick)


def _made(folder: Path) -> None:
    """Makes the folder for results, before the runs take minutes."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with unfinished_file(folder):
            pass
    except OSError as error:
        raise UserError(
            f"cannot write results to {folder} ({error.strerror}): choose another --results folder"
        ) from None


def run(session: Session, done: dict[str, tuple[RunResult, Path]]) -> Loaded:
    """Runs the jobs that are not in `done`, and returns the results of all. An interruption ends
    the runs; finished ones are already in their files."""
    jobs = [job for job in session.jobs if job.id not in done]
    results = [result for result, _ in done.values()]
    paths = [path for _, path in done.values()]
    if not jobs:
        return Loaded(tuple(results), (), tuple(paths))
    _made(session.results)
    scratch.clean()
    target = opened(session.description, session.project, os.environ)
    try:
        target.prepare(jobs)
        with Meter(jobs, session.workers if session.side_by_side else 1) as meter:
            for result in _outcomes(session, jobs, target, meter.tick):
                paths.append(write(session.results, result))
                results.append(result)
                meter.finished(result)
    finally:
        target.close()
    return Loaded(tuple(results), (), tuple(paths))
