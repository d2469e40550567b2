# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which suites there are, and in which folder each lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache
from tactus.project import UserError

VARIABLE = "TACTUS_SUITES"


@dataclass(frozen=True, slots=True)
class Suite:
    """A commit of a public repository; `proof` is a file that every copy of it has."""

    name: str
    release: str
    commit: str
    url: str
    proof: str

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.release}"


XENOMAI = Suite(
    name="xenomai",
    release="3.3",
    commit="8e20f677",
    url="https://gitlab.com/Xenomai/xenomai3/xenomai.git",
    proof="testsuite/smokey/main.c",
)
SUITES = {suite.name: suite for suite in (XENOMAI,)}


def by_name(name: str) -> Suite:
    if name not in SUITES:
        raise UserError(f"no suite {name!r}: choose one of {', '.join(SUITES)}")
    return SUITES[name]


def root(environ: Mapping[str, str]) -> Path:
    """The folder of all suites: what the variable names, else one in the user's cache."""
    named = environ.get(VARIABLE, "")
    return Path(named).absolute() if named else cache.folder_of(environ) / "suites"


def find(suite: Suite, environ: Mapping[str, str]) -> Path | None:
    """Where the suite lies, or None."""
    folder = root(environ) / suite.folder
    return folder if (folder / suite.proof).is_file() else None
