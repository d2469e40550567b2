# SPDX-License-Identifier: LGPL-2.1-or-later
"""The native API as its headers declare it: what a call takes, and what a structure holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tactus.convert.declared import Declarations, Function, Kind
from tactus.convert.tokens import Source

HEADERS = "nucleus/include/tactus"
ANY = "tact_object_t"
# Results of macros.
MACROS = {
    "TACT_SELF": Kind("tact_task_t"),
    "TACT_NONE": Kind(ANY),
}


@dataclass(frozen=True)
class Api:
    """Functions, handle types and structures."""

    functions: dict[str, Function]
    handles: frozenset[str]
    members: dict[str, dict[str, Kind]] = field(repr=False)

    @property
    def sized(self) -> frozenset[str]:
        return frozenset(
            name for name, members in self.members.items() if next(iter(members), "") == "size"
        )


def read(root: Path) -> Api:
    functions: dict[str, Function] = {}
    members: dict[str, dict[str, Kind]] = {}
    handles: set[str] = set()
    for header in sorted((root / HEADERS).glob("*.h")):
        found = Declarations(Source(header.read_text(), cplusplus=False))
        functions |= found.functions
        members |= found.members
        handles |= {name for name in found.handles if name.startswith("tact_")}
    return Api(functions, frozenset(handles), members)
