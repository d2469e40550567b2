# SPDX-License-Identifier: LGPL-2.1-or-later
"""Structures by their layout: a record is cut out of bytes by offset, width and kind."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Buffer = bytes | bytearray | mmap.mmap


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a structure."""

    is_text: bool
    offset_bytes: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Record:
    """The members of one structure in memory, by name."""

    numbers: Mapping[str, int]
    texts: Mapping[str, str]

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]


@dataclass(frozen=True, slots=True)
class Structure:
    """The layout of a C structure in memory; numbers are unsigned and little-endian."""

    size_bytes: int
    fields: Mapping[str, Field]

    def read(self, data: Buffer, offset_bytes: int = 0) -> Record:
        numbers: dict[str, int] = {}
        texts: dict[str, str] = {}
        for name, field in self.fields.items():
            start = offset_bytes + field.offset_bytes
            raw = bytes(data[start : start + field.size_bytes])
            if len(raw) != field.size_bytes:
                raise ValueError(f"{name} at {start} lies behind the end of the data")
            if field.is_text:
                texts[name] = raw.split(b"\0", 1)[0].decode("utf-8", "replace")
            else:
                numbers[name] = int.from_bytes(raw, "little")
        return Record(numbers, texts)

    def write(self, data: bytearray, offset_bytes: int, values: Mapping[str, int | str]) -> None:
        """The reverse of `read`, for the given members: tests make segments with it."""
        for name, value in values.items():
            field = self.fields[name]
            if isinstance(value, str):
                raw = value.encode("utf-8").ljust(field.size_bytes, b"\0")
            else:
                raw = value.to_bytes(field.size_bytes, "little")
            start = offset_bytes + field.offset_bytes
            data[start : start + field.size_bytes] = raw


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole interface."""

    structures: Mapping[str, Structure]
    constants: Mapping[str, int]

    def names(self, prefix: str) -> dict[int, str]:
        """Constants of a family by value: prefix `TACT_SCHED_` gives {0: "fifo", …}."""
        return {
            value: name.removeprefix(prefix).lower()
            for name, value in self.constants.items()
            if name.startswith(prefix)
        }


def load(file: Path) -> Layout:
    """Reads the output of the build's generator."""
    data: dict[str, Any] = json.loads(file.read_text(encoding="ascii"))
    structures = {
        name: Structure(
            int(data["sizes"][name]),
            {
                field: Field(said["kind"] == "text", int(said["offset"]), int(said["bytes"]))
                for field, said in fields.items()
            },
        )
        for name, fields in data["structures"].items()
    }
    return Layout(structures, {name: int(value) for name, value in data["constants"].items()})
