# SPDX-License-Identifier: LGPL-2.1-or-later
"""The slowest tests, named with their reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactus.project import Project, UserError
from tactus.suite import slow
from tactus.suite.case import Case, Outcome
from tactus.suite.mesontests import Test as Declared
from tactus.suite.mesontests import _cases
from tactus.suite.plan import GCC


def case(name: str, seconds: float) -> Case:
    return Case(name, Outcome.PASSED, seconds=seconds)


def test_slowest_come_first_each_with_its_reason() -> None:
    cases = [
        case("a t [sim]: one", 1),
        case("a u [thread]: one", 9),
        case("a t [sim]: two", 0),
    ]
    cases.append(case("tests/test_x.py::test_y[a: b]", 5))
    assert slow.lines(cases, {r"a \w \[thread\]": "waits", "test_x": "boots"}, 2) == [
        "   9.0 s  a u [thread]: waits",
        "   5.0 s  tests/test_x.py::test_y[a: b]: boots",
    ]
    assert slow.lines(cases, {})[-1] == f"   1.0 s  a t [sim]: {slow.NONE_GIVEN}"


def test_program_is_counted_once_for_all_of_its_points() -> None:
    test = Declared("t", frozenset({"nucleus", "sim"}), True)
    record = {
        "name": "tactus:nucleus+sim / t",
        "result": "OK",
        "duration": 2.5,
        "stdout": "1..2\nok 1 - a\nok 2 - b\n",
    }
    found = _cases(GCC, "sim", [test], [record])
    assert [c.seconds for c in found] == [2.5, 0.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("'a(' = 'b'", "'a(' is no pattern"),
        ("a = 1", "'a' has no text"),
        ("a = ' '", "no text"),
    ],
)
def test_mistake_in_the_reasons_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "slow.toml"
    file.write_text(text)
    with pytest.raises(UserError) as told:
        slow.reasons(file)
    assert said in str(told.value) and "\n" not in str(told.value)


OWN = slow.reasons(Project.here().root / slow.REASONS)


def test_reasons_of_this_tree_can_be_read() -> None:
    assert len(OWN) > 20


@pytest.mark.parametrize(
    "name",
    [
        "tests/test_new.py::test_what_is_new",
        *(f"{layer} news [{on}]" for layer in ("nucleus", "posix", "alchemy", "cobalt")
          for on in ("sim", "thread", "bare")),
        "base news",
        "examples news [thread]",
        "tools news [thread]",
    ],
)  # fmt: skip
def test_no_reason_is_for_whatever_is_left(name: str) -> None:
    (line,) = slow.lines([case(name, 1)], OWN)
    assert line.endswith(slow.NONE_GIVEN)


def test_no_two_patterns_have_one_reason() -> None:
    assert len(set(OWN.values())) == len(OWN)
