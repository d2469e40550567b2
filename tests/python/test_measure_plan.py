# SPDX-License-Identifier: LGPL-2.1-or-later
"""The matrix of measure, its time and its order; and the refusals of the command."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tactus.cli import parse
from tactus.commands import measure as command
from tactus.measure import loads, plan
from tactus.measure.options import check_output
from tactus.project import UserError

DEFAULT = plan.matrix(plan.Selection(), 50.0)


def _args(*options: str) -> argparse.Namespace:
    return parse(["measure", *options]).args


def test_default_matrix_is_the_small_one() -> None:
    assert len(DEFAULT) == 24
    assert {s.load for s in DEFAULT} == {"idle", "cpu"}
    one = [s for s in DEFAULT if s.load == "idle" and s.tasks == 1]
    assert [(s.core, s.context, s.lead_us) for s in one] == [
        ("linux", "task", 0),
        ("linux-spin", "task", 25),
        ("linux-spin", "task", 50),
        ("linux-spin", "task", 100),
        ("thread", "handler", 0),
        ("thread", "light", 0),
        ("thread", "task", 0),
    ]


def test_one_of_the_spinning_threads_leads_is_tactuss() -> None:
    for gravity, same in ((50.0, 50.0), (0.7, 0.7), (800.0, 500.0)):
        setups = plan.matrix(plan.Selection(), gravity)
        assert {s.lead_us for s in setups if s.same_lead} == {same}
        assert sum(s.same_lead for s in setups) == 4
        assert {s.core for s in setups if s.same_lead} == {plan.LINUX_SPIN}


def test_default_run_stays_under_ninety_seconds_with_p99_for_every_task() -> None:
    seconds = plan.durations(DEFAULT, None)
    steps = plan.order(DEFAULT, seconds)
    assert plan.expected_s(steps) + 2 * plan.LOAD_START_S < 90
    assert min(seconds[s] for s in DEFAULT if s.tasks == 1) * 1000 >= 1000
    # The slowest of ten tasks has a period of 4 ms; p99 takes 1000 samples.
    assert min(seconds[s] for s in DEFAULT if s.tasks == 10) / 0.004 >= 1000


def test_duration_asked_for_is_that_of_each_run() -> None:
    steps = plan.order(DEFAULT, plan.durations(DEFAULT, 7.0))
    for setup in DEFAULT:
        assert sum(s.duration_s for s in steps if s.setup == setup) == pytest.approx(7.0)


def test_total_asked_for_is_that_of_everything() -> None:
    steps = command._steps(_args("--total", "300"), DEFAULT)
    assert 240 < plan.expected_s(steps) < 300


def test_total_is_of_all_repetitions() -> None:
    steps = command._steps(_args("--total", "300", "--repeat", "4"), DEFAULT)
    assert 200 < plan.expected_s(steps) < 300
    assert len(steps) == 4 * len(plan.order(DEFAULT, plan.durations(DEFAULT, None)))
    assert sorted({step.round for step in steps}) == list(range(8))


def test_total_that_is_too_short_names_one_that_is_enough() -> None:
    with pytest.raises(
        UserError, match=r"--total 10 is too short for 24 setups x 2: give (\d+)"
    ) as e:
        command._steps(_args("--total", "10", "--repeat", "2"), DEFAULT)
    enough = str(e.value).partition("give ")[2].partition(",")[0]
    assert command._steps(_args("--total", enough, "--repeat", "2"), DEFAULT)


def test_both_gravities_are_measured_in_the_same_rounds() -> None:
    chosen = command._select(_args("--gravity", "both", "--core", "thread", "--load", "idle"))
    setups = plan.matrix(chosen, 50)
    assert [(s.context, s.gravity) for s in setups if s.tasks == 1] == [
        (context, gravity) for context in plan.CONTEXTS for gravity in ("stored", "built-in")
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--gravity", "both", "--core", "linux"],
            "--gravity both is only for the core thread",
        ),
        (["--duration", "5", "--total", "50"], "give only one"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        command._select(_args(*options))


def test_second_round_is_the_first_backwards() -> None:
    steps = plan.order(DEFAULT, plan.durations(DEFAULT, 1.0))
    first = [s.setup for s in steps if s.round == 0]
    second = [s.setup for s in steps if s.round == 1]
    assert second == first[::-1]
    assert sum(s.setup is None for s in steps) == 4


@pytest.mark.parametrize(("gravity", "expected"), [(50, (25, 50, 100)), (40, (20, 40, 50))])
def test_leads_are_around_gravity_and_never_beyond_half_the_period(
    gravity: float, expected: tuple[float, ...]
) -> None:
    assert plan.leads_us(gravity, 1000 if gravity == 50 else 100) == expected


@pytest.mark.parametrize(
    "options",
    [
        ["--period", "5"],
        ["--period", "nan"],
        ["--duration", "0"],
        ["--total", "9"],
        ["--repeat", "0"],
        ["--gravity", "none"],
        ["--tasks", "0"],
        ["--tasks", "65"],
        ["--tasks", "²"],
        ["--core", "sim"],
        ["--load", "heavy"],
        ["--cpu", "-1"],
    ],
)
def test_options_out_of_range_are_refused(options: list[str]) -> None:
    with pytest.raises(UserError):
        parse(["measure", *options])


def test_context_without_tactus_is_refused() -> None:
    with pytest.raises(UserError, match="--core thread"):
        command._select(_args("--core", "linux", "--context", "light"))


def test_all_loads_means_all() -> None:
    assert command._select(_args("--load", "all")).loads == plan.LOADS


@pytest.mark.parametrize("name", ["missing/out.json", ".", "/proc/out.json"])
def test_output_that_cannot_be_written_is_refused_first(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError):
        check_output(tmp_path / name)


def test_check_of_an_output_leaves_everything_as_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("former")
    check_output(kept)
    check_output(tmp_path / "new.json")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
    assert kept.read_text() == "former"


@pytest.mark.skipif(shutil.which("stress-ng") is None, reason="stress-ng is not installed")
def test_load_runs_in_a_folder_of_somebody_else() -> None:
    command = [*loads.RECIPES["cpu"].command()[:-1], "1"]  # for a second
    user = 65534 if os.geteuid() == 0 else None
    done = subprocess.run(command, cwd="/", user=user, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
