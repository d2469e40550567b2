# SPDX-License-Identifier: LGPL-2.1-or-later
"""One job from start to result: the work of a worker, in this process or in another."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

from tactus.lab import jobfolder, scratch
from tactus.lab.model import Job, RunResult, RunStatus, new_run_id
from tactus.lab.targets import Description, Target, opened
from tactus.project import Project, UserError

_targets: dict[str, Target] = {}


def one(job: Job, target: Target) -> RunResult:
    """Never fails: whatever happens is the result of the run, and harms no other run."""
    run_id = new_run_id()
    started = datetime.now(UTC).isoformat(timespec="seconds")
    began = time.monotonic()

    def result(report: jobfolder.Report) -> RunResult:
        wall_s = round(time.monotonic() - began, 3)
        return jobfolder.result(job, report, run_id=run_id, started=started, wall_s=wall_s)

    try:
        with scratch.folder() as folder:
            return result(target.run(job, folder))
    except (UserError, OSError) as error:
        return result(jobfolder.Report(None, RunStatus.FAILED, str(error)))


def elsewhere(job: Job, description: Description) -> RunResult:
    """The same in a worker process, which keeps its target open for the next job."""
    key = repr(description)
    if key not in _targets:
        _targets[key] = opened(description, Project.here(), os.environ)
    return one(job, _targets[key])
