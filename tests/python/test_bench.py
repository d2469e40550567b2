# SPDX-License-Identifier: LGPL-2.1-or-later
"""The results that bench computes from rounds: figures, goals, table, JSON, counted
instructions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tactus.bench import goals, instructions, skins, table
from tactus.bench.counts import Counts, count
from tactus.bench.measured import Measured, OutputError, parse
from tactus.commands.bench import LONG, choose_rows
from tactus.project import Project, UserError

GONE = object()


def document(**changes: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "name": "handoff_sem",
        "what": "hand-over",
        "peer": "sem_t",
        "fifo": True,
        "tactus": {"rounds_ns": [90.0, 75.0, 80.0]},
        "linux": {"rounds_ns": [2400.0, 2300.0, 3000.0]},
        "figures": {},
        "notices": [],
    }
    row = {k: v for k, v in {**whole, **changes}.items() if v is not GONE}
    return {
        "instrument": "bench",
        "group": "operations",
        "cpu": 1,
        "rows": [row],
        "failed": 0,
    }


def row(**changes: Any) -> Measured:
    """Rounds of either side are given by themselves."""
    for key, side in (("rounds", "tactus"), ("peer_rounds", "linux")):
        if key in changes:
            changes[side] = {"rounds_ns": changes.pop(key)}
    return parse(document(**changes))


def test_value_is_the_quickest_round_of_each_side() -> None:
    measured = row()
    assert (measured.value, measured.peer_value) == (75.0, 2300.0)
    assert (measured.median, measured.peer_median) == (80.0, 2400.0)
    assert measured.ratio == pytest.approx(2300 / 75)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tactus": {"rounds_ns": []}}, "no rounds"),
        ({"tactus": {"rounds_ns": [0.0]}}, "rounds_ns"),
        ({"tactus": {"rounds_ns": "many"}}, "rounds_ns"),
        ({"linux": {}}, "linux: no list"),
        ({"peer": None}, "without a name"),
        ({"what": GONE}, "the JSON lacks what"),
    ],
)
def test_result_that_is_not_whole_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(OutputError, match=said):
        parse(document(**changes))


@pytest.mark.parametrize("count", [0, 2])
def test_result_of_other_than_one_row_is_refused(count: int) -> None:
    with pytest.raises(OutputError, match="not one row"):
        parse({**document(), "rows": document()["rows"] * count})


@pytest.mark.parametrize(
    ("ours", "peer", "switch", "met"),
    [
        (65.0, 2275.0, 25.0, True),
        (65.1, 2400.0, 25.0, False),
        (65.0, 2274.0, 25.0, False),
        (80.0, 2400.0, 31.0, False),
        (120.0, 4300.0, 47.0, True),
    ],
)
def test_hand_over_is_judged_by_the_switch_and_by_linux(
    ours: float, peer: float, switch: float, met: bool
) -> None:
    """The same on a machine that does everything half as fast."""
    rows = {
        "handoff_sem": row(rounds=[ours], peer_rounds=[peer]),
        "switch_raw": row(name="switch_raw", rounds=[switch]),
    }
    assert goals.goal_met("handoff_sem", rows) is met


def test_goal_relative_to_another_row_needs_that_row() -> None:
    hand_over = row(rounds=[50.0], peer_rounds=[2300.0])
    assert goals.goal_met(hand_over.name, {hand_over.name: hand_over}) is None


@pytest.mark.parametrize("name", ["mutex_uncontended", "timer_arm_10"])
def test_short_ways_are_judged_by_instructions_alone(name: str) -> None:
    [limit] = goals.of_row(name)
    slow = row(name=name, rounds=[900.0])
    for counted, met in ((limit.bound, True), (limit.bound + 1, False), (None, None)):
        assert goals.goal_met(name, {name: replace(slow, instructions=counted)}) is met


@pytest.mark.parametrize(("ours", "met"), [(300.0, True), (360.0, False)])
def test_a_million_timers_are_judged_by_a_read_of_their_memory(ours: float, met: bool) -> None:
    figures = {"queue_instructions": 150.0, "random_read_ns": 100.0}
    many = row(name="timer_arm_1000000", rounds=[ours], figures=figures)
    few = row(name="timer_arm_10", rounds=[70.0], figures={"queue_instructions": 100.0})
    assert goals.goal_met(many.name, {many.name: many, few.name: few}) is met


def test_one_missed_limit_outweighs_one_that_cannot_be_told() -> None:
    slow = row(name="timer_arm_1000000", rounds=[900.0], figures={"random_read_ns": 100.0})
    few = row(name="timer_arm_10", rounds=[70.0])
    assert goals.goal_met(slow.name, {slow.name: slow, few.name: few}) is False


def test_goals_are_those_of_the_document() -> None:
    text = (Project.here().root / "docs/spec/bench.md").read_text(encoding="utf-8")
    table_of_goals = text.split("## Goals")[1].split("## ")[0].splitlines()
    said = [tuple(line.strip("| ").split(" | ")) for line in table_of_goals if line[:3] == "| `"]
    assert said == [(f"`{limit.row}`", limit.text) for limit in goals.LIMITS]


SKIN = {
    "name": "own_give_take",
    "peer": "the same by the native API",
    "tactus": GONE,
    "linux": GONE,
    "skin": {"rounds_ns": [30.0, 25.0]},
    "native": {"rounds_ns": [20.0, 21.0]},
}


def of_skin(counts: skins.Counts | None = None, **changes: Any) -> Measured:
    return skins.compared(parse(document(**{**SKIN, **changes}), skins.SIDES), counts)


def test_skin_is_compared_with_the_native_api_by_call() -> None:
    measured = of_skin(skins.Counts(343.0, 147.0))
    assert measured.figures == {
        "times_native": 1.25,
        "added_ns": 2.5,
        "native_instructions": 147.0,
        "added_instructions": 98.0,
    }
    assert measured.instructions == 343.0


def test_skin_whose_instructions_were_not_counted_is_compared_by_time() -> None:
    assert of_skin(None).notices == ()
    failed = of_skin(skins.Counts(None, 147.0))
    assert failed.notices == ("own_give_take: valgrind could not count its instructions",)
    assert failed.figures == of_skin(None).figures == {"times_native": 1.25, "added_ns": 2.5}


@pytest.mark.parametrize(("own", "met"), [(22.0, True), (22.1, False)])
def test_hand_over_of_each_skin_is_judged_by_the_native_one(own: float, met: bool) -> None:
    measured = of_skin(name="own_handoff", skin={"rounds_ns": [own]})
    assert goals.goal_met(measured.name, {measured.name: measured}) is met


@pytest.mark.parametrize(("own", "met"), [(28.0, True), (28.1, False)])
def test_call_of_each_skin_is_judged_by_what_it_adds(own: float, met: bool) -> None:
    measured = of_skin(skin={"rounds_ns": [own]})
    assert goals.goal_met(measured.name, {measured.name: measured}) is met
    rendered = table.render({measured.name: measured}, skins.SIDES)
    assert rendered.splitlines()[0].split() == [
        *("row", "skin", "ns", "native", "ns", "ratio", "instr.", "goal")
    ]
    assert f"goal: <= 4 ns more for a call: {'met' if met else 'MISSED'}" in rendered


def test_result_without_the_skins_side_is_refused() -> None:
    with pytest.raises(OutputError, match="the JSON lacks skin"):
        parse(document(), skins.SIDES)


def test_each_skin_that_was_built_is_found_with_its_rows() -> None:
    found = {skin.name: skin for skin in skins.find(Project.here())}
    assert found["alchemy"].rows == tuple(
        f"alchemy_{row}" for row in ("handoff", "create", "give_take", "queue", "event", "timer")
    )
    for skin in found.values():
        assert skin.sim.is_file()
        assert all(row.startswith(f"{skin.name}_") for row in skin.rows)
    assert next(iter(skins.rows_of(found.values()))).startswith(min(found))


def test_without_a_program_of_a_skin_the_build_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no program of a skin"):
        skins.find(Project(tmp_path))


ADDED = {
    "alchemy": 40,
    "psos": 42,
    "rtai": 90,
    "uitron": 41,
    "uitron4": 49,
    "vrtx": 43,
    "vxworks": 40,
}
"""Instructions that a call of each skin adds to a hand-over (docs/reports/bench-skins.md)."""
MARGIN = 3
"""Less than a look-up more, or a question who the caller is."""


def test_hand_over_of_each_skin_adds_few_instructions() -> None:
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("valgrind is not there")
    found = {skin.name: skin for skin in skins.find(Project.here())}
    assert found.keys() == ADDED.keys()
    # Both sides of one: the native side of all is the same code.
    both = skins.count({"alchemy_handoff": found["alchemy"]}, valgrind)["alchemy_handoff"]
    assert both.skin is not None and both.native is not None
    assert 400 < both.native < 600
    counts = {"alchemy": both.skin, **_counts_of_skins(found, valgrind)}
    added = {name: (count - both.native) / skins.CALLS for name, count in counts.items()}
    assert all(more > 0 for more in added.values())
    assert {name: more for name, more in added.items() if more > ADDED[name] + MARGIN} == {}


def _counts_of_skins(found: Mapping[str, skins.Skin], valgrind: str) -> dict[str, float]:
    """Of the other skins' own side."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        counts = {
            name: pool.submit(
                instructions.Counter(skin.sim, valgrind).count, f"{name}_handoff", skins.SIDES[0]
            )
            for name, skin in found.items()
            if name != "alchemy"
        }
        return {name: count.result() or 0 for name, count in counts.items()}


def test_table_fits_eighty_columns_and_says_what_is_missed() -> None:
    slow = row(rounds=[1234567.0], figures={"some_figure": 3.0}, what="words " * 30)
    rendered = table.render({"handoff_sem": slow})
    assert max(map(len, rendered.splitlines())) <= table.WIDTH
    assert "goal: time <= 2.6 times that of switch_raw: not measured" in rendered
    assert "goal: >= 35 times faster: MISSED" in rendered
    assert "MISSED" in rendered.splitlines()[1]


def test_json_has_the_documented_keys() -> None:
    made = table.as_json({"handoff_sem": row(fifo=False)}, {"cpu": 1})
    made = json.loads(json.dumps(made))
    (result,) = made["results"]
    assert made["schema"] == 1
    assert {"name", "value", "unit", "peer", "peer_value", "ratio"} <= result.keys()
    assert {"instructions", "condition", "goal", "met"} <= result.keys()
    assert "SCHED_OTHER" in result["condition"]


PROFILE = """version: 1
positions: line
events: Ir

fl=(1) /x/nucleus/call/call.c
fn=(1) nuc_call
10 5
cfi=(2) /x/hal/sim/cpu.c
cfn=(2) hal_enter
calls=1 +5
+1 100
+2 3
fi=(3) /x/base/list.h
7 2
fe=(1)
+1 1

fl=(2)
fn=(2)
20 100
"""


def test_profile_counts_each_instruction_once_and_not_the_simulation() -> None:
    assert instructions.total(PROFILE) == 5 + 3 + 2 + 1


def test_profile_with_an_unknown_line_is_refused() -> None:
    with pytest.raises(instructions.ProfileError, match="line 7"):
        instructions.total(PROFILE.replace("10 5", "10 5 5"))
    with pytest.raises(instructions.ProfileError, match="no files"):
        instructions.total("version: 1\n")


def test_figures_of_the_stepped_instruments_are_found() -> None:
    heap = "allocate          instructions: median 60, p99 80, max 120, max / median 2.00\n"
    heap += "allocate aligned  instructions: median 9, p99 9, max 9, max / median 1.00\n"
    heap += "free              instructions: median 50, p99 70, max 90, max / median 1.80\n"
    assert instructions.heap_figures(heap) == {
        "alloc_median_instructions": 60,
        "alloc_worst_instructions": 120,
        "free_median_instructions": 50,
        "free_worst_instructions": 90,
    }
    timer = "      10 armed:   20.0 ns a pair (one dependent read: 2.0 ns), 90.5 instructions (p99 "
    assert instructions.timer_figures(timer) == {"10": 90.5}


def test_rows_keep_the_instruments_order_and_unknown_ones_are_named() -> None:
    assert choose_rows(None, ["a", "b"]) == ["a", "b"]
    assert choose_rows(["b", "a"], ["a", "b"]) == ["a", "b"]
    with pytest.raises(UserError, match="no row 'c': choose one of a, b"):
        choose_rows(["c"], ["a", "b"])


def test_quick_leaves_out_the_long_rows_unless_they_are_named() -> None:
    known = ["handoff_sem", *sorted(LONG)]
    assert choose_rows(None, known, quick=True) == ["handoff_sem"]
    assert choose_rows(["tasks_100000"], known, quick=True) == ["tasks_100000"]
    assert choose_rows(None, known) == known


def test_counts_go_to_their_rows() -> None:
    printed = (
        "      10 armed:   20.0 ns a pair (one dependent read: 2.0 ns), 90.5 instructions (p99 "
    )
    counts = Counts(
        {"handoff_sem": 250.0, "timer_arm_10": None},
        {"base/tests/base_timerq_bench": printed},
    )
    assert counts.added_to(row()).instructions == 250.0
    timer = counts.added_to(row(name="timer_arm_10"))
    assert timer.figures["queue_instructions"] == 90.5
    assert timer.notices == ("timer_arm_10: valgrind could not count its instructions",)
    assert counts.added_to(row(name="mode_switch")) == row(name="mode_switch")


def test_each_stepped_program_runs_once_beside_what_valgrind_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither ends before the other has begun."""
    both = threading.Barrier(2)
    started: list[str] = []

    def run(_: Project, name: str) -> subprocess.CompletedProcess[str]:
        started.append(name)
        both.wait(timeout=60)
        return subprocess.CompletedProcess([name], 0, stdout="printed")

    def counted(_: instructions.Counter, name: str) -> float:
        started.append(name)
        both.wait(timeout=60)
        return 7.0

    monkeypatch.setattr(Project, "run", run)
    monkeypatch.setattr(instructions.Counter, "count", counted)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    counter = instructions.Counter(Path("bench"), "valgrind")
    rows = ["handoff_sem", "timer_arm_1000000", "mode_switch"]
    counts = count(Project(Path("/nowhere")), rows, counter)
    assert dict(counts.of_row) == {"handoff_sem": 7.0}
    assert dict(counts.printed) == {"base/tests/base_timerq_bench": "printed"}
    assert sorted(started) == ["base/tests/base_timerq_bench", "handoff_sem"]


@pytest.mark.parametrize(
    ("options", "rounds"), [((), 10), (("--quick",), 4), (("--rounds", "17"), 17)]
)
def test_rounds_end_when_no_side_gets_quicker(options: tuple[str, ...], rounds: int) -> None:
    """In virtual time, all rounds are alike."""
    program = Project.here().program("instruments/bench/tactus-bench-sim")
    command = [
        str(program),
        "--row",
        "handoff_sem",
        "--side",
        "tactus",
        "--loops",
        "200",
    ]
    command += ["--json", "-"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert len(parse(json.loads(done.stdout)).rounds_ns) == rounds


def test_quick_with_a_number_of_rounds_is_refused() -> None:
    program = Project.here().program("instruments/bench/tactus-bench-sim")
    command = [str(program), "--row", "handoff_sem", "--quick", "--rounds", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "leave it or --rounds out" in done.stderr
    assert done.stderr.count("\n") == 1
