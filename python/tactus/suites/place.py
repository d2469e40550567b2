# SPDX-License-Identifier: LGPL-2.1-or-later
"""The known suites, and the folder of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache
from tactus.project import UserError

VARIABLE = "TACTUS_SUITES"


@dataclass(frozen=True, slots=True)
class Suite:
    """A commit of a public repository; `proof` is a file that every copy has; `contents` are git's
    names for the contents of some files (`git ls-tree COMMIT FILE`), which identify a copy without
    git."""

    name: str
    release: str
    commit: str
    url: str
    proof: str
    contents: Mapping[str, str]

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.release}"


XENOMAI = Suite(
    name="xenomai",
    release="3.3",
    commit="8e20f677",
    url="https://gitlab.com/Xenomai/xenomai3/xenomai.git",
    proof="testsuite/smokey/main.c",
    contents={
        "testsuite/smokey/main.c": "7a50e627ba8e4893b8f6dea9fea5bbf08e41461f",
        "testsuite/smokey/y2038/syscall-tests.c": "4318712cc45d2c04d8d6ac6482a210d12689345b",
        "testsuite/smokey/x86io/x86io.c": "9cfc092d007a42107c438df052115c0d540d12cc",
        "testsuite/smokey/posix-clock/posix-clock.c": "fd90e8ef3d4441a1149cd9d6cddbf10da3ff6d70",
        "testsuite/smokey/posix-mutex/posix-mutex.c": "50f894062a2805ede6165e526b46934e2d46d36c",
        "testsuite/smokey/sched-tp/sched-tp.c": "c2c3e41edff266ff9aec9a09f884ffaf3e2a9308",
        "testsuite/smokey/alchemytests/alchemytests.c": "edbafe6e71796bac9ab6c0f3fa9088071a7ab1d3",
        "testsuite/latency/latency.c": "0b6964bb97bd79d140a96458a8bb48ee4d6f8737",
        "testsuite/switchtest/switchtest.c": "434004450a1fbd3d3e1dcc40b59e5fe4eab0569f",
        "testsuite/clocktest/clocktest.c": "283d33ccda77285483e06b781ad1feda53b52556",
        "testsuite/xeno-test/xeno-test-run.c": "6d1bb96c0c4bb90a4d2fbc47b9c58a71db2e494c",
        "lib/smokey/init.c": "19e47f1fbde9d7ed5cc8397453219493ad55528d",
    },
)
SUITES = {suite.name: suite for suite in (XENOMAI,)}


def by_name(name: str) -> Suite:
    if name not in SUITES:
        raise UserError(f"no suite {name!r}: choose one of {', '.join(SUITES)}")
    return SUITES[name]


def root(environ: Mapping[str, str]) -> Path:
    """The folder of all suites: that of the variable, otherwise one in the user's cache."""
    named = environ.get(VARIABLE, "")
    return Path(named).absolute() if named else cache.folder_of(environ) / "suites"


def find(suite: Suite, environ: Mapping[str, str]) -> Path | None:
    """The folder of the suite, or None."""
    folder = root(environ) / suite.folder
    return folder if (folder / suite.proof).is_file() else None
