# SPDX-License-Identifier: LGPL-2.1-or-later
"""The skins on the bare back end with the module, in a virtual machine: the programs of tests/skins
that are linked with the library of the back end thread."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from bare_factory import KERNEL, SKIPS, judge, run
from kmod_factory import kernel_of

from tactus.lab.vm import image, kernels
from tactus.project import Project

pytestmark = pytest.mark.guest

MEMORY_MIB = 1024
# Files of pipes are served by FUSE.
FUSE = "fs/fuse/fuse"
# What the guest lacks, besides.
LACKS = re.compile(f"{SKIPS.pattern}|has no CAN here|this machine may not have them")
LOAD = "insmod /fuse.ko\n"


def fuse(folder: Path) -> image.Content:
    (module,) = kernels.modules(kernel_of(KERNEL), [FUSE], os.environ).values()
    path = folder / "fuse.ko"
    path.write_bytes(module)
    return image.Content({}, {path.name: path})


def test_skins_behave_the_same_on_a_core(tmp_path: Path) -> None:
    build = Project.here().build / "tests/skins"
    # Programs of several processes, and those of the launcher, have other names.
    programs = {path.name: path for path in sorted(build.rglob("test_*_thread"))}
    cases = dict.fromkeys(programs, "")
    outcome = run(programs, cases, tmp_path, 3, MEMORY_MIB, LOAD, fuse(tmp_path))
    judge(outcome, programs, cases, several=False, skips=LACKS)
