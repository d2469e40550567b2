# SPDX-License-Identifier: LGPL-2.1-or-later
"""This machine: the programs in their build folder, one job at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tactus.lab import jobfolder
from tactus.lab.instruments import recipe
from tactus.lab.jobfolder import RUN_FOLDER, Place, Report
from tactus.lab.model import Job, RunStatus
from tactus.lab.targets import programs
from tactus.lab.targets.describe import Description
from tactus.project import Project, UserError

ENDING_S = 20.0


class Local:
    """Runs lab/run/run.sh here."""

    def __init__(self, description: Description, project: Project) -> None:
        self._description = description
        self._project = project

    def prepare(self, jobs: Sequence[Job]) -> None:
        programs.needed(self._project, jobs)
        if not shutil.which("setpriv") or not shutil.which("setsid"):
            raise UserError("setpriv or setsid is not on PATH: install util-linux")
        if any(job.load in ("net", "dohell") for job in jobs) and not shutil.which("ping"):
            raise UserError("ping is not on PATH: sudo apt-get install iputils-ping")

    def _place(self, job: Job) -> Place:
        cpu = self._description.whole("cpu")
        needed = recipe(job.instrument).programs
        folders = {str(self._project.build / "instruments" / Path(p).parent) for p in needed}
        return Place("" if cpu < 0 else str(cpu), ":".join(sorted(folders)))

    def commands(self, job: Job) -> list[list[str]]:
        return [
            self._command(Path("JOB"), Path("OUT")),
            [recipe(job.instrument).script(job).strip()],
        ]

    def _command(self, folder: Path, out: Path) -> list[str]:
        # Ends when this process ends, and with it load and instrument.
        watched = ["setpriv", "--pdeathsig", "TERM"]
        return [*watched, "sh", str(RUN_FOLDER / "run.sh"), str(folder), str(out)]

    def run(self, job: Job, folder: Path) -> Report:
        made = jobfolder.make(folder / "job", job, self._place(job))
        out = folder / "out"
        out.mkdir(parents=True, exist_ok=True)
        with (out / "run.err").open("wb") as errors:
            process = subprocess.Popen(
                self._command(made, out),
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env={**os.environ, "LC_ALL": "C"},
            )
            try:
                process.wait(job.limit_s)
            except subprocess.TimeoutExpired:
                reason = f"it did not end within {job.limit_s:g} s"
                return Report(None, RunStatus.TIMEOUT, reason)
            finally:
                _end(process)
        return Report(out)

    def close(self) -> None:
        pass


def _end(process: subprocess.Popen[bytes]) -> None:
    """When run.sh is requested to end, it ends load and instrument."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
