# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus run`: the arguments of the launcher."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import NoReturn, cast

import pytest

from tactus import cli
from tactus.commands import run
from tactus.project import Project, UserError


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-- cyclictest -p 95 --cpu", "-- cyclictest -p 95 --cpu"),
        ("cyclictest -m --share", "-- cyclictest -m --share"),
        ("--cpu 2,3 -- a", "--cpu=2,3 -- a"),
        (
            "--idle=spin --share --summary -- a -- b",
            "--idle=spin --share --summary -- a -- b",
        ),
        ("--core thread --deny-switch -- a", "--core=thread --deny-switch -- a"),
        ("--core bare --siblings --cpu 2 -- a", "--core=bare --cpu=2 --siblings -- a"),
        ("--report-switch --verbose --", "--report-switch --verbose --"),
    ],
)
def test_options_before_the_program_are_tactuss(line: str, told: str) -> None:
    invocation = cli.parse(["run", *shlex.split(line)])
    assert cast(object, invocation.command) is run
    assert shlex.join(run.command_line(invocation.args)) == told


def test_options_are_those_of_the_launcher() -> None:
    source = (Project.here().root / "skins/posix/process/launcher.c").read_text(encoding="utf-8")
    known = dict(re.findall(r'^\t\{"([a-z-]+)", (required|no)_argument', source, re.M))
    assert known.pop("help") == "no"
    assert {name for name, kind in known.items() if kind == "required"} == set(run.VALUES)
    assert {name for name, kind in known.items() if kind == "no"} == set(run.SWITCHES)
    for name, kind in known.items():
        line = [
            "run",
            *([f"--{name}", "1"] if kind == "required" else [f"--{name}"]),
            "--",
            "a",
        ]
        assert len(run.command_line(cli.parse(line).args)) == 3


def test_an_option_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match="--nonsense"):
        cli.parse(["run", "--nonsense", "--", "a"])


class Begun(Exception):
    """The words with which the launcher was started."""


def begin(_: str, words: list[str]) -> NoReturn:
    raise Begun(*words[1:])


@pytest.mark.parametrize("own", [True, False])
def test_another_users_build_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    project = Project(tmp_path)
    launcher = project.build / run.LAUNCHER
    launcher.parent.mkdir(parents=True)
    launcher.touch(mode=0o755)
    monkeypatch.setattr(os, "execv", begin)
    if not own:
        monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(Begun) as begun:
        run.run(cli.parse(["run", "--", "a"]).args, project)
    assert begun.value.args == ("--", "a")
    assert (project.build / run.STAMP).exists() == own
