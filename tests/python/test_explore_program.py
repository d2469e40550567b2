# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus explore -- PROGRAM`: a program of a skin under many schedules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tactus import cli
from tactus.project import Project

PROGRAM = "tests/explore/program_crossed"


@pytest.fixture(scope="module")
def crossed() -> str:
    return str(Project.here().program(PROGRAM))


def explore(*words: str) -> int:
    return cli.main(["explore", *words])


def test_deadlock_is_found_and_replayed(crossed: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert explore("--seeds", "200", "--until-failure", "--", crossed) == 1
    said = capfd.readouterr().out
    assert "simulation is stuck" in said and "weak" in said and "urgent" in said
    replay = re.search(r"^  replay: (.*)$", said, re.M)
    assert replay and "passed" in said
    for _ in range(2):
        done = subprocess.run(replay[1], shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 70 and "simulation is stuck" in done.stderr


def test_right_program_passes_with_every_seed(
    crossed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert explore("--seeds", "50", "--", crossed, "right") == 0
    assert capfd.readouterr().out.startswith("passed 50 of 50 runs in ")


def test_program_without_end_passes_at_its_limit(
    crossed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert explore("--seeds", "4", "--limit", "5", "--", crossed, "forever") == 0
    assert "passed 4 of 4" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("fails", "exit status 1"),
        ("crashes", "ended by SIGABRT"),
        ("signal", "ended by signal 35"),
        ("software", "both have ended"),
        ("hangs", "it did not end in 1 s"),
    ],
)
def test_other_ends_are_failures(
    crossed: str, how: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert explore("--seed", "7", "--timeout", "1", "--", crossed, how) == 1
    out = capfd.readouterr().out
    assert f"seed 7: {said}" in out and "    both have ended" in out
    assert "passed 0 of 1 runs" in out


def test_program_that_uses_addresses_is_told(
    crossed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    explore("--seeds", "1", "--", crossed, "hosted")
    assert "warning: two runs of seed 1 differ" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--", "/bin/true"], "/bin/true did not start the back end sim"),
        (["--", "/nonexistent"], "/nonexistent: no such program"),
        (["--seeds", "x", "--", "/bin/true"], "--seeds x: give a number from 1"),
        (["--scenario", "weak", "--", "/bin/true"], "--scenario is for the scenarios"),
        (["--list", "--", "/bin/true"], "--list is for the scenarios"),
        (["--seed", "1", "--seeds", "2", "--", "/bin/true"], "--seed is one seed"),
        (["--limit", "3"], "--limit is only for a program"),
    ],
)
def test_mistakes(words: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert explore(*words) == 2
    assert said in capfd.readouterr().err


def test_seed_of_the_environment_is_refused(
    crossed: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TACTUS_SIM", "cost=2,seed=3")
    assert explore("--", crossed) == 2
    assert "TACTUS_SIM has seed=" in capfd.readouterr().err


def test_file_that_is_no_program_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p"
    file.write_text("text")
    file.chmod(0o755)
    assert explore("--", str(file)) == 2
    assert "Exec format error" in capfd.readouterr().err
