# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the readers of instruments' outputs share: a value exists and has its type, or the output is
refused with the value's name. No reader guesses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactus.lab.model import Row, Series
from tactus.measure import samples

Measurements = list[tuple[Row, Series | None]]
RESULT = "instrument.json"
SAMPLES = "samples"


class OutputError(Exception):
    """The output is not that of an instrument that ended well."""


class Fields:
    """A JSON object with typed access to its keys."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, Mapping):
            raise OutputError(f"{where} is no JSON object")
        self._value, self._where = value, where

    def _get(self, key: str) -> object:
        if key not in self._value:
            raise OutputError(f"{self._where} has no {key}")
        return self._value[key]

    def whole(self, key: str) -> int:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise OutputError(f"{self._where}: {key} is {value!r}, not a whole number")
        return value

    def whole_or_none(self, key: str) -> int | None:
        """None: the instrument does not know it."""
        return None if self._get(key) is None else self.whole(key)

    def number(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise OutputError(f"{self._where}: {key} is {value!r}, not a number")
        return float(value)

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise OutputError(f"{self._where}: {key} is {value!r}, not a text")
        return value

    def flag(self, key: str) -> bool:
        value = self._get(key)
        if not isinstance(value, bool):
            raise OutputError(f"{self._where}: {key} is {value!r}, not true or false")
        return value

    def array(self, key: str) -> list[Any]:
        value = self._get(key)
        if not isinstance(value, list):
            raise OutputError(f"{self._where}: {key} is no list")
        return value

    def objects(self, key: str) -> list[Fields]:
        return [
            Fields(each, f"{self._where}: {key}[{index}]")
            for index, each in enumerate(self.array(key))
        ]

    def table(self, key: str) -> Fields:
        return Fields(self._get(key), f"{self._where}: {key}")

    def has(self, key: str) -> bool:
        return key in self._value

    def items(self) -> list[tuple[str, Any]]:
        return list(self._value.items())

    def expect(self, key: str, wanted: object) -> None:
        """Checks that the output belongs to the requested run."""
        value = self._get(key)
        if value != wanted:
            raise OutputError(f"{self._where}: {key} is {value!r}, but {wanted!r} was requested")


def document(out: Path, name: str = RESULT) -> Fields:
    """The JSON that the instrument wrote."""
    try:
        return Fields(json.loads((out / name).read_text(encoding="utf-8")), name)
    except FileNotFoundError:
        raise OutputError(f"the instrument wrote no {name}") from None
    except ValueError as error:
        raise OutputError(f"{name} is cut off or damaged ({error})") from None


def records(out: Path, counted: int) -> NDArray[np.void]:
    """All records of the sample file; `counted` is the number that the instrument wrote."""
    try:
        found = samples.parse((out / SAMPLES).read_bytes())
    except FileNotFoundError:
        raise OutputError("the instrument wrote no sample file") from None
    except samples.SampleFileError as error:
        raise OutputError(f"the sample file: {error}") from None
    if len(found) != counted:
        raise OutputError(
            f"{len(found)} of {counted} samples are in the sample file: the disk was full, or the "
            "program was ended"
        )
    return found


def check_extremes(values: NDArray[np.int64], result: Fields) -> None:
    """Checks that the samples agree with the instrument's own summary."""
    if not len(values):
        raise OutputError("the run has no samples")
    for key, own in (("min_ns", int(values.min())), ("max_ns", int(values.max()))):
        if result.whole(key) != own:
            raise OutputError(f"{key} is {result.whole(key)} in the result, {own} in the samples")
