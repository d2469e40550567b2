# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real kernel in a real QEMU: boots of one job, equal to the instruction. Skipped if QEMU or the
kernel is missing."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from kmod_factory import kernel_of
from vm_factory import bzimage, slept

from tactus.lab import jobfolder
from tactus.lab.model import Clock, Job, RunStatus
from tactus.lab.targets import find, opened
from tactus.lab.targets.guests import Virtual
from tactus.lab.vm import boot, emulator, image
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests, Outcome, command_job, launcher
from tactus.lab.vm.machine import QUICK_ARGUMENTS, QUICK_CPU, Machine
from tactus.project import Project, UserError

KERNEL = "generic"
PROGRAMS = ("env", "cyclictest", "hackbench")
# Latencies beside a load, equal to those of a task, then clocks that show a difference of a few
# instructions before them.
COMMAND = """
{ while :; do hackbench -g 1 -l 200 >/dev/null; done; } &
sleep 0.5
cyclictest -m -t 1 -a 0 -p 80 -i 500 -l 200 -v -N
tactus-run --summary -- cyclictest -q -m -t 1 -p 80 -i 500 -l 100
cat /proc/uptime; dmesg | tail -n 1; grep cpu0 /proc/stat; printf 'a\\0b'; exit 3
"""


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine(kernel_of(KERNEL), arguments=QUICK_ARGUMENTS, devices=("-cpu", QUICK_CPU))


def ran(machine: Machine, folder: Path) -> Outcome:
    found = {name: shutil.which(name) for name in PROGRAMS}
    for name, path in found.items():
        if path is None:
            pytest.skip(f"no {name}")
    programs = {f"usr/bin/{name}": Path(str(path)) for name, path in found.items()}
    content = image.Content({**programs, **launcher(Project.here())})
    guests = Guests.of(content, os.environ)
    return guests.run(machine, command_job(folder / "job", [COMMAND]), folder)


@pytest.mark.guest
@pytest.mark.parametrize("cpus", [1, 2])
def test_guest_runs_a_job_twice_the_same(machine: Machine, cpus: int, tmp_path: Path) -> None:
    machine = replace(machine, cpus=cpus)
    first, second = ran(machine, tmp_path / "1"), ran(machine, tmp_path / "2")
    assert first.status == 3
    values = re.findall(r"^ *0: *\d+: *\d+$", first.text("stdout"), re.M)
    assert len(values) == 200
    assert first.text("stdout").endswith("a\0b")
    assert slept(first.text("stderr"), 80, 100)
    assert machine.kernel.release in first.text("uname")
    assert f"smp: Brought up 1 node, {cpus} CPU" in first.text("kernel.log")
    assert "Linux version" in (tmp_path / "1/console").read_text()
    for name in ("stdout", "kernel.log"):
        assert first.text(name) == second.text(name), name


@pytest.mark.guest
@pytest.mark.parametrize("kernel", ["generic", "preempt-rt"])
def test_interrupt_in_a_guest_is_a_devices(kernel: str, tmp_path: Path) -> None:
    kernel_of(kernel)
    job = Job("p", "vm", kernel, 1, "irq", samples=200, clock=Clock.VIRTUAL)
    target = opened(find("vm"), Project.here(), os.environ)
    try:
        target.prepare([job])
    except UserError as error:
        pytest.skip(str(error))
    result = jobfolder.result(job, target.run(job, tmp_path))
    assert result.valid, (result.reason, result.log)
    found = {row.context: row for row in result.rows}
    assert {row.variant for row in result.rows} == {"edu"}
    assert found["task"].samples == found["handler"].samples == 200
    assert 0 < (found["handler"].min_ns or 0) < (found["task"].min_ns or 0)


def test_result_of_a_failed_boot_keeps_the_whole_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"[    0.{number:06}] said" for number in range(200)]

    def fail(_guests: Guests, _machine: Machine, _job: Path, folder: Path) -> None:
        (folder / "console").write_text("\n".join(lines) + "\n")
        raise boot.GuestFailure("hang", State.KERNEL, "no end after 240 s", lines[-12:])

    monkeypatch.setattr(Guests, "run", fail)
    target = Virtual(find("vm"), Project.here(), {"TACTUS_CACHE": str(tmp_path / "cache")})
    target._guests = Guests(emulator.Emulator(Path("/q"), "10.0"), tmp_path / "i/image", {})
    kernel = str(bzimage(tmp_path / "vmlinuz"))
    report = target.run(Job("p", "vm", kernel, 1, "jitter"), tmp_path)
    assert report.status is RunStatus.NO_BOOT
    assert report.log.splitlines() == lines
    assert "limit_s" not in report.reason, "which is not the limit of a boot"
