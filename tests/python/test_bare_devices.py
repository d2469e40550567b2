# SPDX-License-Identifier: LGPL-2.1-or-later
"""Drivers on bare cores, in a virtual machine: a program with the emulator's educational device,
whose interrupts, memory and DMA it uses through the public API. Skipped if QEMU, the kernel or its
headers are missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kmod_factory import BIND, REMAPPING, kernel_of, module_of

from tactus.lab.vm import core, image
from tactus.lab.vm.guest import Guests, command_job
from tactus.lab.vm.machine import QUICK_ARGUMENTS, QUICK_CPU, Machine
from tactus.project import Project

pytestmark = pytest.mark.guest

EXAMPLE = "examples/example_edu"
# Each has 20 s of virtual time.
COMMAND = """
{start}{bind}cd $2
run() {{
	timeout 20 /usr/bin/edu "$2" >"$1" 2>"$1.err"
	echo $? >"$1.end"
}}
run first $EDU
run again $EDU
run absent 0000:00:1f.7
rmmod tactus
"""


def test_driver_gets_interrupts_registers_and_memory_of_a_device(
    tmp_path: Path,
) -> None:
    project = Project.here()
    kernel = kernel_of("generic")
    program = project.build / EXAMPLE
    if not program.is_file():
        pytest.skip(f"{program} is not built")
    files = module_of(project, kernel)
    guests = Guests.of(image.Content({"usr/bin/edu": program}, files), os.environ)
    machine = Machine(
        kernel,
        2,
        arguments=f"{QUICK_ARGUMENTS} {core.REMAPPING_ARGUMENTS}",
        devices=("-cpu", QUICK_CPU, *REMAPPING),
        slice_us=200,
    )
    command = COMMAND.format(start=core.START.format(folder=f"/{core.FOLDER}"), bind=BIND)
    outcome = guests.run(machine, command_job(tmp_path / "job", [command]), tmp_path)
    expected = (project.root / "examples/expected/edu.bare.txt").read_text()
    for name in ("first", "again"):
        assert outcome.text(name) == expected, outcome.text(f"{name}.err")
        assert outcome.text(f"{name}.end").strip() == "0"
    assert "0000:00:1f.7 is not bound to the module" in outcome.text("absent"), outcome.text(
        "absent"
    )
    log = outcome.text("kernel.log").splitlines()
    assert [line for line in log if core.BAD_LOG.search(line)] == []
    assert outcome.status == 0, outcome.text("stderr")
