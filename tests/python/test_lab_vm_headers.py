# SPDX-License-Identifier: LGPL-2.1-or-later
"""The packages with which a module is built."""

from __future__ import annotations

from tactus.lab.vm.headers import parts
from tactus.lab.vm.packages import Package

DEPENDS = (
    "linux-headers-6.1.0-56-common (= 6.1.192-2), linux-kbuild-6.1 (>= 6.1.192-2), "
    "linux-compiler-gcc-12-x86 (>= 6.1.20-1)"
)


def test_tools_of_a_series_are_of_any_version_that_does() -> None:
    common = "linux-headers-6.1.0-56-common"
    found = parts(DEPENDS)
    assert found == [
        (common, Package(common, "6.1.192-2", ())),
        ("linux-kbuild-6.1", None),
    ]


def test_part_without_a_version_is_taken_as_it_is() -> None:
    assert parts("linux-kbuild-6.12.117+deb12, libc6") == [("linux-kbuild-6.12.117+deb12", None)]
