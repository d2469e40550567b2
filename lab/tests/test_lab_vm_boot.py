# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real kernel in a real QEMU: two boots, the same to the instruction. Skipped where QEMU or the
kernel are not there yet; `./tactus lab vm true` fetches both."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tactus.lab.vm import cache, emulator, image, kernels
from tactus.lab.vm.guest import Guests, Outcome, command_job
from tactus.lab.vm.machine import Machine
from tactus.project import UserError

KERNEL = "generic"
# The clock in nanoseconds shows a difference of one instruction before it.
COMMAND = "cat /proc/uptime; dmesg | tail -n 1; grep cpu0 /proc/stat; printf 'a\\0b'; exit 3"


@pytest.fixture(scope="module")
def machine() -> Machine:
    folder = cache.folder_of(os.environ)
    kept = folder / "kernels" / f"{kernels.table()[KERNEL].package}.json"
    if emulator.installed() is None or not kept.is_file():
        pytest.skip("no QEMU or no kernel in the cache: ./tactus lab vm true")
    try:
        return Machine(kernels.find(KERNEL, os.environ))
    except UserError as error:
        pytest.skip(str(error))


def ran(machine: Machine, folder: Path) -> Outcome:
    content = image.Content({"usr/bin/env": Path(shutil.which("env") or "/usr/bin/env")})
    guests = Guests.of(content, os.environ)
    return guests.run(machine, command_job(folder / "job", [COMMAND]), folder)


@pytest.mark.guest
def test_guest_runs_a_command_twice_the_same(machine: Machine, tmp_path: Path) -> None:
    first, second = ran(machine, tmp_path / "1"), ran(machine, tmp_path / "2")
    assert first.status == 3
    assert first.text("stdout").endswith("a\0b")
    assert machine.kernel.release in first.text("uname")
    assert "Linux version" in (tmp_path / "1/console").read_text()
    for name in ("stdout", "kernel.log"):
        assert first.text(name) == second.text(name), name
