# SPDX-License-Identifier: LGPL-2.1-or-later
"""dev/kernel_builds.py: the kernels that it selects, and its report of one for which the module
does not build. The builds themselves are not tested here."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tactus.project import Project


@pytest.fixture(name="builds")
def _builds() -> ModuleType:
    path = Project.here().root / "dev/kernel_builds.py"
    spec = importlib.util.spec_from_file_location("kernel_builds", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel_builds"] = module
    spec.loader.exec_module(module)
    return module


class Named:
    """Packages of a release, none of which is fetched."""

    codename = "bookworm"

    def refresh(self) -> None:
        pass

    def named(self, _: str) -> list[str]:
        return [
            "linux-headers-6.1.0-9-amd64",
            "linux-headers-6.1.0-56-rt-amd64",
            "linux-headers-6.1.0-56-amd64",
            "linux-headers-6.12.115+deb12-cloud-amd64",
            "linux-headers-6.12-amd64",
        ]


class Fake:
    """A root whose make prints that."""

    packages = Named()

    def __init__(self, status: int, said: str) -> None:
        self.done: Any = subprocess.CompletedProcess([], status, said)
        self.makes = status == 0

    def run(self, _: list[str], work: Path) -> Any:
        if self.makes:
            (work / "kmod/tactus.ko").touch()
        return self.done


def test_kernels_are_full_versions_in_their_order(builds: ModuleType) -> None:
    found = builds.wanted(Named(), "")
    assert found[0] == "6.1.0-9-amd64"
    assert set(found[1:3]) == {"6.1.0-56-amd64", "6.1.0-56-rt-amd64"}
    assert found[3:] == ["6.12.115+deb12-cloud-amd64"]
    assert [builds.version_of(name) for name in found[1:3]] == ["6.1.0-56"] * 2
    assert builds.wanted(Named(), "rt-") == ["6.1.0-56-rt-amd64"]


@pytest.mark.parametrize(
    ("status", "said", "good", "reason"),
    [
        (0, "  CC [M] main.o\n", True, ""),
        (0, "a.c:1:2: warning: unused\n", False, "a.c:1:2: warning: unused"),
        (
            2,
            "exits.c:9:1: error: 'x' undeclared\nmake: *** [1]\n",
            False,
            "exits.c:9:1: error",
        ),
        (
            2,
            'ERROR: modpost: "x" [tactus.ko] undefined!\n',
            False,
            'ERROR: modpost: "x"',
        ),
        (1, "make: not found\n", False, "make: not found"),
    ],
)
def test_row_tells_why_the_module_does_not_build(
    builds: ModuleType, status: int, said: str, good: bool, reason: str
) -> None:
    row = builds.build(Fake(status, said), "6.1.0-56-amd64")
    assert row.builds is good
    assert row.reason.startswith(reason)
    assert str(row).startswith("| bookworm | 6.1.0-56-amd64 | " + ("yes" if good else "no"))
    assert f"{int(good)} build, {int(not good)} do not" in builds.report([row], 7, "x")
