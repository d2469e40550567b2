# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the output of the C tests without a loss."""

from __future__ import annotations

from tactus.suite.case import Outcome, count
from tactus.suite.mesontests import of_record
from tactus.suite.tap import parse


def test_points_are_counted_one_by_one() -> None:
    report = parse("1..3\nok 1 - one\nok 2 - two # SKIP no rt\nnot ok 3 - three\n", "t")
    assert str(count(report.cases)) == "1 passed, 1 failed, 1 skipped"
    assert report.fault == ""
    assert report.cases[1].detail == "no rt"


def test_failed_point_keeps_the_lines_after_it() -> None:
    report = parse("not ok 1 - a\n# expected 1\n# actual 2\nok 2 - b\n# note\n1..2\n", "t")
    assert report.cases[0].detail == "# expected 1\n# actual 2"
    assert report.cases[1].detail == ""


def test_whole_program_may_be_skipped() -> None:
    report = parse("1..0 # SKIP needs root\n", "t")
    assert [(c.outcome, c.detail) for c in report.cases] == [(Outcome.SKIPPED, "needs root")]


def test_missing_points_missing_plan_and_bail_out_are_faults() -> None:
    assert parse("1..2\nok 1\n", "t").fault == "planned 2 points, printed 1"
    assert parse("ok 1\n", "t").fault == "printed no plan (1..N)"
    assert parse("1..2\nok 1\nBail out! no CPU\n", "t").fault == "bailed out: no CPU"


def test_known_failure_is_no_pass() -> None:
    report = parse("1..2\nnot ok 1 - a # TODO later\nok 2 - b # TODO later\n", "t")
    assert [c.outcome for c in report.cases] == [Outcome.SKIPPED, Outcome.FAILED]


def test_crash_after_good_points_is_a_failure() -> None:
    record = {
        "result": "FAIL",
        "stdout": "1..1\nok 1\n",
        "returncode": -11,
        "duration": 0.1,
    }
    cases = of_record("t", True, record)
    assert [c.outcome for c in cases] == [Outcome.PASSED, Outcome.FAILED]
    assert "killed by signal 11" in cases[-1].detail


def test_plain_program_fails_with_the_end_of_its_output() -> None:
    record = {
        "result": "FAIL",
        "stdout": "",
        "stderr": "expected 1, actual 2\n",
        "returncode": 1,
    }
    (case,) = of_record("t", False, record)
    assert case.outcome is Outcome.FAILED
    assert "expected 1, actual 2" in case.detail


def test_silent_program_that_promised_points_fails() -> None:
    cases = of_record("t", True, {"result": "ERROR", "stdout": "", "returncode": 0})
    assert [c.outcome for c in cases] == [Outcome.FAILED]
