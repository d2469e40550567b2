# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs that jobs need, and their places on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.instruments import recipe
from tactus.lab.model import Job
from tactus.project import Project, UserError

LOAD_PROGRAMS = {
    "cpu": ("stress-ng",),
    "memory": ("stress-ng",),
    "hackbench": ("hackbench",),
    "dohell": ("stress-ng", "hackbench"),
}
PACKAGES = {"cyclictest": "rt-tests", "hackbench": "rt-tests", "stress-ng": "stress-ng"}


@dataclass(frozen=True, slots=True)
class Programs:
    """By name: programs, which need their libraries, and plain files beside them."""

    programs: dict[str, Path]
    files: dict[str, Path]


def built(project: Project, instruments: Iterable[str]) -> Programs:
    """Only those of the instruments."""
    programs: dict[str, Path] = {}
    files: dict[str, Path] = {}
    for name in instruments:
        own = recipe(name)
        for names, found in ((own.programs, programs), (own.files, files)):
            for each in names:
                path = project.program(f"instruments/{each}")
                found[path.name] = path
    return Programs(programs, files)


def needed(project: Project, jobs: Iterable[Job]) -> Programs:
    """Those of the jobs' instruments and loads, also Debian's; UserError for what is missing."""
    jobs = list(jobs)
    found = built(project, dict.fromkeys(job.instrument for job in jobs))
    names = [name for job in jobs for name in recipe(job.instrument).debian]
    names += [name for job in jobs for name in LOAD_PROGRAMS.get(job.load, ())]
    for name in dict.fromkeys(names):
        path = shutil.which(name)
        if path is None:
            raise UserError(f"{name} is not on PATH: sudo apt-get install {PACKAGES[name]}")
        found.programs[name] = Path(path)
    return found
