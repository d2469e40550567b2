# SPDX-License-Identifier: LGPL-2.1-or-later
"""Python tests that fail because of the machine's own time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tactus.project import LEFT_OVER, Project
from tactus.suite.case import Case, Outcome, count
from tactus.suite.checks import guests, pytest_alone, pytest_at_once

ONCE = """
from pathlib import Path

def test_passes() -> None:
    pass

def test_once(tmp_path) -> None:
    been = Path({been!r})
    if not been.exists():
        been.touch()
        raise AssertionError("too late")
"""
NEVER = """
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_never(number) -> None:
    raise AssertionError("wrong")
"""
GUEST = """
import os

import pytest

@pytest.mark.guest
def test_takes_what_others_leave() -> None:
    assert "PYTEST_XDIST_WORKER" in os.environ
    assert os.sched_getscheduler(0) == os.SCHED_IDLE
"""

ALONE = """
import os

import pytest

@pytest.mark.alone
def test_has_the_machine_for_itself() -> None:
    assert "PYTEST_XDIST_WORKER" not in os.environ
    assert os.sched_getscheduler(0) == {policy}
"""


@pytest.fixture(autouse=True)
def outside_of_xdist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the examined runs: this one may be a worker itself."""
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)


def cases_of(tmp_path: Path, source: str) -> list[Case]:
    (tmp_path / "python").mkdir()
    (tmp_path / "tests/python").mkdir(parents=True)
    settings = '[tool.pytest.ini_options]\nmarkers = ["alone", "on_request", "guest", "slow"]\n'
    (tmp_path / "python/pyproject.toml").write_text(settings)
    (tmp_path / "tests/python/test_own.py").write_text(source)
    (tmp_path / "tests/python/test_guest.py").write_text(GUEST)
    (tmp_path / "tests/python/test_alone.py").write_text(
        ALONE.format(policy=os.sched_getscheduler(0))
    )
    project = Project(tmp_path)
    return pytest_at_once(project) + pytest_alone(project) + guests(project, LEFT_OVER)


def test_what_fails_once_is_unsteady_and_shows_what_it_said(tmp_path: Path) -> None:
    cases = cases_of(tmp_path, ONCE.format(been=str(tmp_path / "been")))
    assert str(count(cases)) == "3 passed, 0 failed, 0 skipped, 1 unsteady"
    (unsteady,) = [c for c in cases if c.outcome is Outcome.UNSTEADY]
    assert "too late" in unsteady.detail


def test_what_fails_twice_has_failed(tmp_path: Path) -> None:
    assert count(cases_of(tmp_path, NEVER.format(count=1))).failed == 1


def test_many_failures_are_not_tried_again(tmp_path: Path) -> None:
    source = ONCE.format(been=str(tmp_path / "been")) + NEVER.format(count=3)
    assert count(cases_of(tmp_path, source)).failed == 4
