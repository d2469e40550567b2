# SPDX-License-Identifier: LGPL-2.1-or-later
"""The front end: help, and one line for each mistake."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tactus import cli
from tactus.project import Project

ROOT = Path(__file__).resolve().parents[2]


def test_help_names_every_command_with_one_line_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["--help"]) == 0
    printed = capsys.readouterr().out.splitlines()
    for name in cli.command_names():
        lines = [x for x in printed if re.match(rf"  {name}\s", x)]
        assert len(lines) == 1, name
        assert len(lines[0]) <= 80, lines[0]


@pytest.mark.parametrize("name", cli.command_names())
def test_command_offers_what_the_front_end_needs(name: str) -> None:
    command = cli.load(name)
    assert cli.summary(cli.COMMANDS / f"{cli.module_of(name)}.py") == command.SUMMARY
    parser = cli.Parser(prog=f"tactus {name}", allow_abbrev=False)
    command.configure(parser)
    for action in parser._actions:
        assert action.help, f"{action.option_strings or action.dest} has no help"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["tset"], "did you mean test"),
        (["nothing-like-it"], "--help lists them"),
        (["doctor", "--colour"], "tactus doctor --help"),
        (["doctor", "--cpu", "x"], "tactus doctor --help"),
        (["test", "--backend", "metal"], "tactus test --help"),
        (["--verbose", "doctor"], "./tactus --help"),
        (["doctor", "--cpu", "4095"], "choose one of"),
        (["doctor", "--json", "/nowhere/at/all"], "no folder /nowhere/at"),
    ],
)
def test_mistake_gets_one_line_and_status_2(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err


def build_nothing(_: Project) -> None:
    pytest.fail("something was built for a command line that is wrong")


@pytest.mark.parametrize("name", ["measure", "tune", "autotune", "bench", "doctor"])
def test_cpu_that_is_not_there_is_refused_before_anything_is_announced_or_built(
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(Project, "ensure_built", build_nothing)
    monkeypatch.setattr("tactus.tune.store.SYSTEM_FILE", tmp_path / "gravity")
    assert cli.main([name, "--cpu", "1000"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(
        r"tactus: there is no CPU 1000 online; choose one of [\d, ]+\n", captured.err
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ["run", "--cpu", "0,4095", "--", "true"],
            "--cpu 4095: there is no such CPU; choose from 0",
        ),
        (
            ["run", "--cpu", "a", "--", "true"],
            "--cpu a: give numbers with commas, as 2 or 2,3",
        ),
        (["measure", "--duration", "1", "--total", "60"], "give only one"),
        (["measure", "--report", "/nowhere/at/all"], "no folder /nowhere/at"),
        (["bench", "--json", "/nowhere/at/all"], "no folder /nowhere/at"),
        (["ps", "--json", "/nowhere/at/all"], "no folder /nowhere/at"),
        (["lab", "run", "--json", "/nowhere/at/all"], "no folder /nowhere/at"),
        (["lab", "run", "no-such-plan"], "no-such-plan"),
        (["lab", "vm", "--kernel", "no-such-one", "true"], "no kernel 'no-such-one'"),
    ],
)
def test_what_needs_no_build_to_be_told_wrong_builds_nothing(
    argv: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Project, "ensure_built", build_nothing)
    assert cli.main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err


def test_what_is_stored_of_a_cpu_that_is_gone_can_be_removed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Project, "ensure_built", lambda _: None)
    monkeypatch.setattr("tactus.tune.store.file_of", lambda *_: tmp_path / "gravity")
    assert cli.main(["tune", "--reset", "--cpu", "1000"]) == 1
    assert "nothing was stored" in capsys.readouterr().out


def test_start_imports_no_other_command() -> None:
    code = (
        "import sys; from tactus.cli import main; main(['--help']);"
        "sys.exit(any(m.startswith('tactus.commands.') for m in sys.modules))"
    )
    subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True)


def test_project_is_this_tree() -> None:
    assert Project.here().root == ROOT
