# SPDX-License-Identifier: LGPL-2.1-or-later
"""Several repetitions: the spread of each figure, and how often a goal was met."""

from __future__ import annotations

import measure_factory as factory

from tactus.measure import repeats
from tactus.measure.instruments import Output
from tactus.measure.plan import LINUX, LINUX_SPIN, THREAD
from tactus.measure.results import Result
from tactus.measure.session import _part


def one(p50_ns: int, tail_ns: int = 3000, tasks: int = 1) -> list[Result]:
    return [
        factory.run(LINUX, 20_000, 90_000, tasks=tasks),
        factory.run(LINUX_SPIN, 11, 9_000, tasks=tasks, lead_us=25),
        factory.run(LINUX_SPIN, 11, 9_999, tasks=tasks, lead_us=50),
        factory.run(THREAD, p50_ns, tail_ns, tasks=tasks),
    ]


def test_table_has_lowest_median_and_highest_within_eighty_columns() -> None:
    rendered = repeats.render([one(92), one(150), one(517)])
    lines = rendered.splitlines()
    assert max(map(len, lines)) <= repeats.WIDTH
    assert lines[0] == "3 repetitions, load idle, 1 task"
    (thread,) = [line for line in lines if line.startswith("thread")]
    assert thread.split()[:5] == ["thread", "task", "92ns", "150ns", "517ns"]
    # Of the leads, the one of Tactus, and the one that is best over all repetitions.
    assert [line.split()[5] for line in lines if line.startswith("linux-spin")] == ["10.0µs"]
    assert [line.split()[5] for line in lines if line.startswith("linux-best")] == ["9.00µs"]
    assert "  linux-spin: wakes 50.0µs ahead, as Tactus" in lines
    assert "  linux-best: wakes 25.0µs ahead, the best of its leads" in lines


def test_goal_at_the_median_is_against_the_sleeping_thread() -> None:
    (line,) = repeats.goals([one(92), one(200), one(201)])
    assert line.endswith("p50 of a task <= 1/100 of the sleeping thread's: 2 of 3 times")


def test_goal_at_the_tail_is_against_the_best_linux_variant() -> None:
    (line,) = repeats.goals([one(92, 3000, 10), one(92, 3001, 10)])
    assert line.endswith("1/3 of the best Linux variant's: 1 of 2 times")


def test_goal_is_not_told_without_a_peer_or_of_a_run_that_does_not_count() -> None:
    assert repeats.goals([[factory.run(THREAD, 92, 3000)]]) == []
    died = [
        factory.run(LINUX, 20_000, 90_000, failure="ended"),
        factory.run(THREAD, 92, 3000),
    ]
    assert repeats.goals([died]) == []


def test_each_repetition_has_its_own_rounds() -> None:
    rounds: list[Output] = [factory.output([number]) for number in range(6)]
    assert [_part(rounds, number, 3) for number in range(3)] == [
        rounds[0:2],
        rounds[2:4],
        rounds[4:6],
    ]


def test_json_has_the_figures_of_each() -> None:
    (first, second) = repeats.as_json([one(92), one(150)])
    assert [entry["p50_ns"] for entry in (first[-1], second[-1])] == [92, 150]
    assert first[1]["lead_ns"] == 25_000 and first[0]["lead_ns"] is None
