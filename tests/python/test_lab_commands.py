# SPDX-License-Identifier: LGPL-2.1-or-later
"""Commands of the laboratory that only show something, and their refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactus import cli
from tactus.project import Project


@pytest.mark.parametrize("words", [["run", "default", "--dry-run"], ["vm", "--dry-run", "true"]])
def test_dry_run_builds_and_fetches_nothing(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def built(_project: Project) -> None:
        pytest.fail("a command that is only shown needs no program")

    monkeypatch.setattr(Project, "ensure_built", built)
    monkeypatch.setenv("TACTUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nowhere")
    assert cli.main(["lab", *words]) == 0
    assert "qemu-system-x86_64" in capsys.readouterr().out
    assert not (tmp_path / "cache").exists()


def test_scheduler_is_refused_where_runs_would_be_in_each_others_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [
        "run",
        "quick",
        "--target",
        "local",
        "--scheduler",
        "tcp://h:1",
        "--dry-run",
    ]
    assert cli.main(["lab", *words]) == cli.USAGE_STATUS
    assert "leave --scheduler out" in capsys.readouterr().err


def test_no_two_lines_of_a_plan_are_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "plan", "--show", "default"]) == 0
    shown = capsys.readouterr().out.splitlines()
    lines = [line for line in shown if line.split(" ")[0] in ("switch", "latency", "index")]
    assert len(lines) == len(set(lines)) > 30
    assert any("switch_100_float" in line for line in lines)
