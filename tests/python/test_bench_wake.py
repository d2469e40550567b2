# SPDX-License-Identifier: LGPL-2.1-or-later
"""The wake-up rows of bench: sides, figures and goals, from made-up rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from measure_factory import output, setup

from tactus.bench import goals, wake
from tactus.bench.wake import Runs
from tactus.measure.instruments import Output
from tactus.measure.plan import LINUX, LINUX_SPIN, THREAD, Setup


def runs(core: str, *rounds: list[int], tasks: int = 1, lead_us: float = 0) -> Runs:
    outputs = [output(latencies, tasks) for latencies in rounds]
    for one in outputs:
        one.result["realtime"] = True
    return Runs(setup(core, tasks=tasks, lead_us=lead_us), outputs)


def test_value_is_the_quickest_rounds_median_and_the_tail_is_that_of_all_rounds() -> None:
    ours = runs(THREAD, [60] * 1500, [80] * 1400 + [9000] * 100)
    peer = runs(LINUX, [16000] * 1500, [15000] * 1500)
    row = wake.make("wake_task", 1, True, ours, peer)
    assert (row.value, row.peer_value) == (60.0, 15000.0)
    assert row.ratio == pytest.approx(250)
    assert row.figures["p99_ns"] == pytest.approx(9000, rel=0.01)
    assert goals.goal_met("wake_task", {"wake_task": row}) is True


@pytest.mark.parametrize(("ours_ns", "met"), [(99, True), (150, True), (170, False)])
def test_a_hundredth_of_linux_is_enough(ours_ns: int, met: bool) -> None:
    row = wake.make("wake_task", 1, True, runs(THREAD, [ours_ns] * 100), runs(LINUX, [16000] * 100))
    assert goals.goal_met("wake_task", {"wake_task": row}) is met


def test_early_starts_count_as_one_nanosecond() -> None:
    row = wake.make("wake_task", 1, True, runs(THREAD, [-5] * 100), runs(LINUX, [16000] * 100))
    assert row.value == wake.FLOOR_NS


def test_ten_tasks_are_judged_task_by_task_too() -> None:
    # The factory gives the samples to the tasks in turn: task 0 gets 400, task 1 gets 2000.
    ours = runs(THREAD, [400, 2000] * 3000, tasks=2)
    peer = runs(LINUX_SPIN, [10, 9000] * 3000, tasks=2, lead_us=28)
    row = wake.make("wake_10_tasks", 1, True, ours, peer)
    assert row.figures["least_p50_ratio_of_a_task"] == pytest.approx(10 / 400, rel=0.02)
    assert row.peer is not None and "28 µs ahead" in row.peer
    rows = {"wake_10_tasks": row}
    per_task = [x for x in goals.of_row("wake_10_tasks") if x.figure.startswith("least_")]
    assert [limit.met(rows) for limit in per_task] == [False, False]


def test_figures_that_cannot_be_told_are_left_out_and_their_goals_not_told() -> None:
    row = wake.make(
        "wake_10_tasks",
        1,
        True,
        runs(THREAD, [100] * 60, tasks=2),
        runs(LINUX, [1000] * 60, tasks=2),
    )
    assert "p99_ns" not in row.figures
    assert goals.goal_met("wake_10_tasks", {"wake_10_tasks": replace(row)}) is None


class Rounds:
    """Replaces the instruments: returns each setup's latencies; notes what ran, and for how
    long."""

    def __init__(self, latencies_ns: dict[str, int]) -> None:
        self.latencies_ns = latencies_ns
        self.ran: list[tuple[str, float]] = []

    def measure(
        self, setup: Setup, _: int, duration_s: float, *_rest: object, **_how: bool
    ) -> Output:
        self.ran.append((setup.describe().partition(",")[0], duration_s))
        return output([self.latencies_ns[setup.core]] * 200, setup.tasks)


class NoLoad:
    def check(self) -> None:
        return None


def test_a_counterpart_that_cannot_be_the_best_has_one_round() -> None:
    made = Rounds({THREAD: 60, LINUX: 15000, LINUX_SPIN: 300})
    setups = [setup(THREAD), setup(LINUX), setup(LINUX_SPIN, lead_us=28)]
    done = wake._run(cast(Any, made), setups, 1, cast(Any, NoLoad()), wake.FULL, busy=False)
    assert [(len(r.outputs), r.setup.core) for r in done] == [
        (3, THREAD),
        (3, LINUX_SPIN),
    ]
    assert len(made.ran) == 7


def test_counterparts_near_the_best_have_all_rounds() -> None:
    made = Rounds({THREAD: 60, LINUX: 500, LINUX_SPIN: 300})
    setups = [setup(THREAD), setup(LINUX), setup(LINUX_SPIN, lead_us=28)]
    done = wake._run(cast(Any, made), setups, 1, cast(Any, NoLoad()), wake.FULL, busy=False)
    assert [len(r.outputs) for r in done] == [3, 3, 3]


def test_quick_has_fewer_and_shorter_rounds() -> None:
    made = Rounds({THREAD: 60, LINUX: 500})
    done = wake._run(
        cast(Any, made), [setup(THREAD)], 1, cast(Any, NoLoad()), wake.QUICK, busy=True
    )
    assert len(done[0].outputs) == wake.QUICK.rounds < wake.FULL.rounds
    assert made.ran == [("thread task", wake.QUICK.round_s)] * wake.QUICK.rounds
