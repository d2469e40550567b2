# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module checks its assumptions about a kernel when it is loaded. A test build makes each of
them fail: then the module refuses with one line and leaves nothing behind. In a virtual machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kmod_factory import Boot, checked

from tactus.project import Project

pytestmark = pytest.mark.guest

SOURCE = Project.here().root / "kmod/assume.c"
REFUSED = """
rmmod tactus
for name in {names}; do
    insmod /tactus.ko plant=$name 2>/dev/null && echo not ok $name loads || echo ok $name refuses
    [ -e /dev/tactus ] && echo not ok $name leaves a device
    grep -q tactus /proc/interrupts && echo not ok $name leaves an interrupt
done
insmod /tactus.ko plant=none && echo ok it loads
kmod-test cycle 1 1 20
"""


def test_assumption_that_does_not_hold_refuses_the_module(tmp_path: Path) -> None:
    names = re.findall(r'^\t\{"(\w+)", ', SOURCE.read_text(), re.M)
    assert len(names) > 6
    cases = REFUSED.format(names=" ".join(names))
    wanted = Boot(cases, options=("TACTUS_TEST_SEAM=y",))
    outcome = checked("generic", wanted, tmp_path, len(names) + 3)
    log = outcome.text("kernel.log").splitlines()
    lines = {line.partition("tactus: ")[2] for line in log if "tactus: " in line}
    for name in names:
        said = [line for line in lines if f"differs from what the module assumes ({name})" in line]
        assert len(said) == 1, lines
        # busybox tries twice to load a refused module.
        assert sum(line.endswith(said[0]) for line in log) <= 2
    others = [line for line in lines if "cannot be set up" in line]
    assert others == []
