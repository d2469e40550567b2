# SPDX-License-Identifier: LGPL-2.1-or-later
"""What Linux does by itself while a program has a core or a device: it moves the doorbell, gives up
a clock, counts an interrupt without an answer, moves and takes memory and processes: `./tactus test
--backend bare`."""

from __future__ import annotations

from pathlib import Path

import pytest
from kmod_factory import BIND, REMAPPING, Boot, checked, judge, kernel_of, run, words

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

on_each_kernel = pytest.mark.parametrize("kernel", ("generic", "preempt-rt", "backports"))
# The serial port of a PCI card: Linux has a built-in driver for it.
LISTENER = "pci-serial"


@on_each_kernel
def test_doorbell_is_moved_under_a_program(kernel: str, tmp_path: Path) -> None:
    outcome = checked(kernel, Boot(words("doorbell 2 3"), cpus=4), tmp_path, 8)
    assert "No irq handler" not in outcome.text("kernel.log")


@on_each_kernel
def test_clock_is_lost_under_a_program(kernel: str, tmp_path: Path) -> None:
    """On a physical machine; in a virtual one, the counter is followed anyway."""
    wanted = Boot(
        "kmod-test lost 1 /tsc_unstable.ko\nrmmod tsc_unstable\n",
        options=("TACTUS_TEST_TSC_UNSTABLE=m",),
        devices=("-cpu", "max,-la57,-monitor,-hypervisor"),
    )
    outcome, warnings = run(kernel_of(kernel), wanted, tmp_path)
    assert warnings == ""
    # A module that is loaded again finds no clock that it could show.
    judge(outcome, 9)
    log = outcome.text("kernel.log")
    assert log.count("continue with the last known rate") >= 1


@on_each_kernel
def test_wire_that_others_share_is_not_stormed(kernel: str, tmp_path: Path) -> None:
    """Slots 4 and 8 of a bus have the same wires (PCI Local Bus Specification 3.0, 2.2.6)."""
    cases = "echo N >/sys/module/spurious/parameters/noirqdebug\n"
    cases += f"rmmod tactus; insmod /tactus.ko unsafe_dma=1\n{BIND}"
    cases += "kmod-test wire $EDU /dev/ttyS2\n"
    devices = ("-device", "edu,addr=4", "-chardev", "null,id=none")
    wanted = Boot(cases, devices=(*devices, "-device", f"{LISTENER},addr=8,chardev=none"))
    outcome, _ = run(kernel_of(kernel), wanted, tmp_path)
    judge(outcome, 8)
    log = outcome.text("kernel.log")
    assert log.count("nobody cared") == 1


@on_each_kernel
def test_programs_live_through_a_storm(kernel: str, tmp_path: Path) -> None:
    wanted = Boot(
        f"{BIND}kmod-test storm 1 20 1 $EDU\n",
        cpus=3,
        arguments="intel_iommu=on",
        devices=REMAPPING,
        patient=True,
    )
    checked(kernel, wanted, tmp_path, 2)
