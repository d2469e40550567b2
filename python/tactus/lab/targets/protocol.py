# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the engine needs of a target."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tactus.lab.jobfolder import Report
from tactus.lab.model import Job


class Target(Protocol):
    """A place where jobs run. Its description makes an equal one in another process."""

    def prepare(self, jobs: Sequence[Job]) -> None:
        """Prepares everything that jobs need and that may fail, before the first one starts
        (kernels, images, the connection). UserError says what to do."""

    def commands(self, job: Job) -> list[list[str]]:
        """The commands that it would run, for --dry-run; runs nothing."""

    def run(self, job: Job, folder: Path) -> Report:
        """Runs the job; the files are in `folder`. The report contains failures of the target."""

    def close(self) -> None:
        """Removes everything of Tactus from the target."""
