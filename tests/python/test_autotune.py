# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus autotune`: Xenomai's options and output."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tactus.commands import autotune, tune
from tactus.project import Project
from tactus.tune import session, store
from tactus.tune.effort import Effort
from tactus.tune.store import Gravity, Key

VALUES = Gravity(31, 32, 47, 42000, 9000)


class Measured:
    """Replaces the measurement; keeps its arguments."""

    def __init__(self) -> None:
        self.efforts: list[Effort] = []

    def __call__(
        self, _: Project, path: Path, key: Key, effort: Effort, __: session.Say
    ) -> session.Tuned:
        self.efforts.append(effort)
        store.put(path, key, VALUES)
        return session.Tuned(VALUES, (), (), ())


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Measured:
    stand_in = Measured()
    monkeypatch.setattr(tune, "measure", stand_in)
    monkeypatch.setattr(store, "file_of", lambda *_: tmp_path / "gravity")
    return stand_in


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    autotune.configure(parser)
    return autotune.run(parser.parse_args(words), Project(Path.cwd()))


def test_all_contexts_are_told(measured: Measured, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    first, *values, last = capsys.readouterr().out.splitlines()
    assert first == "== auto-tuning started, period=1000000 ns (may take a while)"
    assert values == [
        "irq gravity... 31 ns",
        "kernel gravity... 32 ns",
        "user gravity... 47 ns",
    ]
    assert re.fullmatch(r"== auto-tuning completed after \d+s", last)
    assert measured.efforts[0].period_us == 1000
    assert measured.efforts[0].loads == ("idle", "cpu")


def test_options_have_their_effect(measured: Measured, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--user", "--noload", "--period", "250000", "--duration", "7") == 0
    assert capsys.readouterr().out.splitlines()[1:-1] == ["user gravity... 47 ns"]
    effort = measured.efforts[0]
    assert effort == Effort(("idle",), 7 / 32, 250)


def test_reset_alone_measures_nothing(
    measured: Measured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.put(tmp_path / "gravity", Key(1, "k", "m"), VALUES)
    assert run("--reset") == 0
    assert store.read(tmp_path / "gravity") == {}
    assert not measured.efforts
    assert capsys.readouterr().out.startswith("== gravity reset")
    assert run("--reset", "--irq") == 0
    assert len(measured.efforts) == 1


def test_quiet_tells_nothing(
    measured: Measured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.put(tmp_path / "gravity", Key(1, "k", "m"), VALUES)
    assert run("--quiet", "--reset") == 0
    assert store.read(tmp_path / "gravity") == {}
    assert run("--quiet", "--nohog") == 0
    assert measured.efforts[0].loads == ("idle",)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("words", [("--period", "99999"), ("--period", "x"), ("--cpu", "-1")])
def test_bad_values_are_refused(measured: Measured, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        run(*words)
    assert not measured.efforts


def test_background_leaves_the_measuring_to_another_process(
    measured: Measured,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(autotune, "detach", lambda: True)
    assert run("--background") == 0
    assert not measured.efforts
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(autotune, "detach", lambda: False)
    assert run("--background", "--user") == 0
    assert len(measured.efforts) == 1


def test_who_detaches_has_a_session_of_its_own(tmp_path: Path) -> None:
    told = tmp_path / "told"
    program = (
        "import os, sys\n"
        "from tactus.commands import autotune\n"
        "if autotune.detach(): sys.exit(3)\n"
        "print('nobody reads this', flush=True)\n"
        "own = os.getsid(0) == os.getpid()\n"
        f"open({str(told)!r} + '~', 'w').write(str(own))\n"
        f"os.rename({str(told)!r} + '~', {str(told)!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(autotune.__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stdout == b""
    deadline = time.monotonic() + 60
    while not told.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert told.read_text() == "True"
