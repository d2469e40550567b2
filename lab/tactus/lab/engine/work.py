# SPDX-License-Identifier: LGPL-2.1-or-later
"""One job from start to result: what a worker does, in this process or in another."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tactus.lab import jobfolder
from tactus.lab.model import Job, RunResult, RunStatus, new_run_id
from tactus.lab.targets import Description, Target, opened
from tactus.project import Project, UserError

_targets: dict[str, Target] = {}


def one(job: Job, target: Target) -> RunResult:
    """Never fails: whatever happens is the run's result, and costs no other."""
    run_id = new_run_id()
    started = datetime.now(UTC).isoformat(timespec="seconds")
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="tactus-run-", dir="/var/tmp"))
    try:
        try:
            report = target.run(job, folder)
        except (UserError, OSError) as error:
            report = jobfolder.Report(None, RunStatus.FAILED, str(error))
        wall_s = round(time.monotonic() - began, 3)
        return jobfolder.result(job, report, run_id=run_id, started=started, wall_s=wall_s)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def elsewhere(job: Job, description: Description) -> RunResult:
    """The same in a worker process, which keeps its target open for the next job."""
    key = repr(description)
    if key not in _targets:
        _targets[key] = opened(description, Project.here(), os.environ)
    return one(job, _targets[key])
