# SPDX-License-Identifier: LGPL-2.1-or-later
"""The output of measure: units, the table, the sentence."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import measure_factory as factory
import pytest

from tactus.measure import results, table, verdict
from tactus.measure.plan import BUILT_IN, LINUX, LINUX_SPIN, THREAD
from tactus.measure.results import best_leads
from tactus.measure.units import count_text, prose_time, share_text, tied, time_text


@pytest.mark.parametrize(
    ("value_ns", "text"),
    [
        (0, "0ns"),
        (-45, "-45ns"),
        (999, "999ns"),
        (999.7, "1.00µs"),
        (1000, "1.00µs"),
        (9_999, "10.0µs"),
        (12_345, "12.3µs"),
        (999_400, "999µs"),
        (999_600, "1.00ms"),
        (8_204_000, "8.20ms"),
        (61e9, "61.0 s"),
        (None, "–"),
    ],
)
def test_time_has_three_digits_and_its_unit(value_ns: float | None, text: str) -> None:
    assert time_text(value_ns) == text
    assert len(text) <= 6


def test_times_in_prose_have_a_space_before_the_unit() -> None:
    assert [prose_time(v) for v in (45, 12_345, 8_204_000, 61e9, -45)] == [
        "45 ns",
        "12.3 µs",
        "8.20 ms",
        "61.0 s",
        "-45 ns",
    ]


def test_number_and_unit_stay_on_one_line() -> None:
    space = "\N{NO-BREAK SPACE}"
    assert tied("45 ns late, 1.00 µs (2 tasks)") == f"45{space}ns late, 1.00{space}µs (2 tasks)"


def test_counts_and_shares_are_short() -> None:
    assert [count_text(c) for c in (0, 999_999, 1_234_567, 86_400_000)] == [
        "0",
        "999999",
        "1.23M",
        "86.4M",
    ]
    assert [share_text(s) for s in (0, 0.0004, 0.021, 0.0996, 1)] == [
        "0%",
        "0%",
        "2.1%",
        "10%",
        "100%",
    ]


def test_table_fits_eighty_columns_and_has_every_block() -> None:
    measured = factory.usual()
    lines = table.render(measured.results, measured.noise).splitlines()
    assert max(map(len, lines)) <= table.WIDTH
    assert sum(line.startswith("load ") for line in lines) == 4
    assert sum(line.startswith("core ") for line in lines) == 4


def test_wide_values_still_fit() -> None:
    wide = factory.run(LINUX_SPIN, 123_456_789, 59_999_999_999, lead_us=123.456, failure="x" * 20)
    rendered = table.render([wide], factory.measurement(wide, max_gap_ns=10**9).noise)
    assert max(map(len, rendered.splitlines())) <= table.WIDTH


def leads(tail_ns: int) -> list[results.Result]:
    """Three of them, that of Tactus in the middle."""
    return [
        factory.run(LINUX_SPIN, 20_000, 90_000, lead_us=25),
        factory.run(LINUX_SPIN, 30, tail_ns, lead_us=50),
        factory.run(LINUX_SPIN, 30, 70_000, lead_us=100),
        factory.run(THREAD, 45, 2_100),
    ]


def test_spinning_thread_stands_with_the_lead_that_tactus_has() -> None:
    runs = leads(60_000)
    assert best_leads(runs) == [runs[1], runs[3]]
    rendered = table.render(runs, {})
    assert "  linux-spin: wakes 50.0µs ahead, as Tactus; the best of its leads, too" in rendered
    assert rendered.count("linux-spin task") == 1
    assert "linux-best" not in rendered


def test_best_lead_is_a_row_beside_the_one_that_tactus_has() -> None:
    rendered = table.render(leads(80_000), {}).splitlines()
    assert [line.split()[0] for line in rendered[3:6]] == [
        "linux-spin",
        "linux-best",
        "thread",
    ]
    assert rendered[6:] == [
        "  linux-spin: wakes 50.0µs ahead, as Tactus",
        "  linux-best: wakes 100µs ahead, the best of its leads",
    ]
    assert max(map(len, rendered)) <= table.WIDTH


def test_sentence_compares_with_the_same_lead_and_names_a_better_one() -> None:
    runs = [
        factory.run(LINUX_SPIN, 900, 9_000, lead_us=50),
        factory.run(LINUX_SPIN, 11, 8_000, lead_us=100),
        factory.run(THREAD, 90, 3_000),
    ]
    assert verdict.medians(runs) == (
        "Medians: idle a Tactus task starts 90 ns late, a spinning one with the same lead 900 ns "
        "(10×), with the best lead 11 ns, which is better."
    )
    # Its maximum is not the compared one.
    longest = [*runs[::2], factory.run(LINUX_SPIN, 11, 8_000_000, lead_us=100)]
    assert "Linux 9.00 µs (0)" in verdict.maxima(longest, {})


def test_run_whose_load_died_is_marked_and_left_out_of_the_sentence() -> None:
    dead = factory.run(THREAD, 45, 2100, load="cpu", failure="the load cpu ended")
    good = factory.run(LINUX, 40_000, 90_000, load="cpu")
    measured = factory.measurement(good, dead)
    rendered = table.render(measured.results, measured.noise)
    assert "thread    !task" in rendered
    assert "! thread task: the load cpu ended; the run is not counted" in rendered
    said = verdict.sentence(measured.results, measured.noise)
    assert "Tactus" not in said
    assert "1 setup whose load died left out" in said


def test_sentence_says_when_the_peer_is_better() -> None:
    measured = factory.measurement(
        factory.run(LINUX_SPIN, 20, 1000, lead_us=50), factory.run(THREAD, 90, 3000)
    )
    said = verdict.sentence(measured.results, measured.noise)
    assert "which is better" in said


def test_sentence_gives_the_ratio_to_the_sleeping_thread() -> None:
    measured = factory.measurement(
        factory.run(LINUX, 40_000, 90_000), factory.run(THREAD, 40, 3000)
    )
    said = verdict.sentence(measured.results, measured.noise)
    assert "40 ns" in said
    assert "1000×" in said


@pytest.mark.parametrize(
    ("max_gap_ns", "claim"),
    [
        (2_000_000, "idle 1.50 ms (0), caused by the machine (gaps to 2.00 ms)"),
        # Gaps half as long as the latency excuse nothing.
        (1_400_000, "idle 1.50 ms (0), beyond the machine's gaps (1.40 ms)"),
    ],
)
def test_sentence_blames_the_machine_only_with_evidence(max_gap_ns: int, claim: str) -> None:
    ours = factory.run(THREAD, 40, 1_500_000)
    measured = factory.measurement(ours, max_gap_ns=max_gap_ns)
    assert claim in verdict.sentence(measured.results, measured.noise)


def test_maxima_are_compared_within_one_load_and_task_set() -> None:
    """Gaps on an idle machine with ten tasks excuse nothing for one task under load."""
    runs = (
        factory.run(LINUX, 40_000, 4_410_000, tasks=10),
        factory.run(THREAD, 40, 900_000, tasks=10),
        factory.run(LINUX, 40_000, 150_000, load="cpu"),
        factory.run(THREAD, 40, 8_730_000, load="cpu"),
    )
    said = verdict.maxima(runs, factory.measurement(*runs, max_gap_ns=5000).noise)
    assert said == (
        "Maxima, with overruns: idle with 10 tasks 900 µs (0), Linux 4.41 ms (0); "
        "under cpu load 8.73 ms (0), Linux 150 µs (0), beyond the machine's gaps (5.00 µs)."
    )


def test_overruns_and_context_of_the_longest_are_named() -> None:
    ours = results.combine(
        replace(factory.setup(THREAD), context="handler"),
        [factory.output([40] * 99 + [70_000], overruns=3)],
        None,
    )
    peer = results.combine(
        factory.setup(LINUX), [factory.output([40] * 99 + [90_000], overruns=41)], None
    )
    said = verdict.maxima([ours, factory.run(THREAD, 40, 60_000), peer], {})
    assert said == "Maxima, with overruns: idle 70.0 µs (3) of a handler, Linux 90.0 µs (41)."


def test_built_in_gravity_is_a_row_and_not_the_verdict() -> None:
    built_in = results.combine(
        replace(factory.setup(THREAD), gravity=BUILT_IN),
        [factory.output([90_000] * 100)],
        None,
    )
    ours = factory.run(THREAD, 40, 900)
    rendered = table.render([ours, built_in], {})
    assert "built-in   task" in rendered
    assert "built-in: thread with the built-in gravity, not the one of ./tactus tune" in rendered
    assert "90.0 µs" not in verdict.sentence([built_in, ours], {})


def test_nothing_valid_gives_no_claim() -> None:
    dead = factory.run(THREAD, 45, 2100, failure="the load cpu ended")
    assert verdict.sentence([dead], {}).startswith("No run is valid")


def test_sentence_of_a_default_run_is_four_lines() -> None:
    runs = [
        run
        for load in ("idle", "cpu")
        for tasks in (1, 10)
        for run in (
            factory.run(LINUX, 17_100, 90_000, load=load, tasks=tasks),
            factory.run(LINUX_SPIN, 11_300, 90_000, load=load, tasks=tasks, lead_us=50),
            factory.run(THREAD, 4_080, 3000, load=load, tasks=tasks),
        )
    ]
    measured = factory.measurement(*runs, max_gap_ns=2_000_000)
    said = verdict.medians(measured.results)
    assert len(textwrap.wrap(said, table.WIDTH)) <= 4
    assert said.count("Tactus") == 1
    maxima = verdict.maxima(measured.results, measured.noise)
    assert len(textwrap.wrap(maxima, table.WIDTH)) <= 5
    assert verdict.sentence(measured.results, measured.noise) == f"{said} {maxima}"
