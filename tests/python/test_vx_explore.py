# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipes of VxWorks under many schedules, beside a model (tests/skins/vxworks/pipes_model.c)."""

from __future__ import annotations

import pytest

from tactus import cli
from tactus.project import Project

PROGRAM = "tests/skins/vxworks_pipes_model"


@pytest.mark.parametrize("actions", range(1, 4))
def test_pipe_is_as_its_model(actions: int, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(Project.here().program(PROGRAM))
    status = cli.main(["explore", "--seeds", "8", "--", program, "start", str(actions)])
    said = capfd.readouterr()
    assert status == 0, said.out + said.err
    assert said.out.startswith("passed 8 of 8 runs")
