# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables of the error codes that another project's manual documents, by function: documented.toml.

`[codes] call = "CODE CODE:reason"`, with the reason, of `[reasons]`, why a code does not come here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """A code of a call, and the reason why it never occurs; "": it occurs."""

    call: str
    code: str
    reason: str

    def __str__(self) -> str:
        return f"{self.call} {self.code}" + (f":{self.reason}" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Table:
    path: str
    calls: frozenset[str]
    entries: tuple[Entry, ...]
    reasons: frozenset[str]
    helpers: Mapping[str, str]

    def reason_faults(self) -> Iterator[str]:
        """Reasons without a text, and texts of reasons that no entry has."""
        used = {entry.reason for entry in self.entries}
        for entry in self.entries:
            if entry.reason and entry.reason not in self.reasons:
                yield f"{self.path}: {entry}: no such reason"
        for reason in sorted(self.reasons - used):
            yield f"{self.path}: nothing has the reason {reason}"


def table_of(root: Path, path: str) -> Table:
    told = tomllib.loads((root / path).read_text())
    codes: dict[str, str] = told["codes"]
    entries = [
        Entry(call, code, reason)
        for call, words in codes.items()
        for code, _, reason in (word.partition(":") for word in words.split())
    ]
    return Table(
        path,
        frozenset(codes),
        tuple(entries),
        frozenset(told["reasons"]),
        told.get("helpers", {}),
    )
