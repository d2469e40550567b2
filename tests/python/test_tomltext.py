# SPDX-License-Identifier: LGPL-2.1-or-later
"""Mistakes in files that users write: one line with the place, the text and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tactus import tomltext
from tactus.explore import plants
from tactus.lab import plan
from tactus.lab.report import published
from tactus.lab.targets import describe
from tactus.lab.vm import kernels
from tactus.project import UserError
from tactus.suite import longparts
from tactus.suites import catalog

BROKEN = "good = 1\nkernels [generic]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BROKEN, "f:2:9: 'kernels [generic]' is no TOML (Expected '=' after a key"),
        (
            'a = "x',
            "f:1: 'a = \"x' is no TOML (Unterminated string): write KEY = VALUE or [TABLE]",
        ),
        ("a = 1\na = 2\n", "f:2:6: 'a = 2' is no TOML (Cannot overwrite a value)"),
        ("a = " + "x" * 200, "…' is no TOML (Invalid value)"),
    ],
)
def test_mistake_names_its_line(text: str, said: str) -> None:
    with pytest.raises(UserError) as told:
        tomltext.parse(text, "f")
    assert said in str(told.value)
    assert "\n" not in str(told.value) and len(str(told.value)) < 200


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*absent: No such file"):
        tomltext.read(tmp_path / "absent")
    (tmp_path / "latin").write_bytes(b'a = "\xe4"\n')
    with pytest.raises(UserError, match=r"latin is no UTF-8 text: byte 5 is wrong"):
        tomltext.read(tmp_path / "latin")


READERS: dict[str, Callable[[Path], Any]] = {
    "plan": lambda file: plan.find(str(file)),
    "target": lambda file: describe.find(str(file)),
    "published": published.load,
    "kernels": kernels.table,
    "plants": lambda file: plants.load(file.parent),
    "long": longparts.read_commands,
    "catalog": catalog.load,
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_tells_mistakes_so(name: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    with pytest.raises(UserError) as told:
        READERS[name](file)
    assert f"{file}:2:9: 'kernels [generic]' is no TOML" in str(told.value)
