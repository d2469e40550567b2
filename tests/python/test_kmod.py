# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module in virtual machines. One boot is a part of the suite; the tests that take minutes,
also the other kernels, are in `./tactus test --backend bare`. Skipped if QEMU, a kernel or its
headers are missing."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from kmod_factory import (
    BAD_LOG,
    BIND,
    CHECKED,
    FIRST,
    REMAPPING,
    WITH_FIRST,
    Boot,
    checked,
    ends,
    judge,
    kernel_of,
    run,
    while_held,
    words,
)

from tactus.lab.vm import headers
from tactus.project import Project

pytestmark = pytest.mark.guest
long = pytest.mark.on_request

# The number of repetitions; a kernel that checks everything is slow.
SCALES = {
    **{"generic": 100, "preempt-rt": 100, "backports": 100, CHECKED: 10},
    # The newest kernels of other flavours and of Debian 13, whichever release this machine has.
    **{"cloud": 2, "trixie": 2, "trixie-rt": 2, "trixie-cloud": 2},
    **{"trixie-backports": 2, "trixie-backports-rt": 2, "trixie-backports-cloud": 2},
}
ACTIONS = """
rmmod tactus 2>/dev/null && echo not ok unloaded while held || echo ok rmmod is refused while held
echo 1 2>/dev/null >/sys/devices/system/cpu/cpu1/online && echo not ok || echo ok online is refused
kill -STOP $holder; sleep 0.2; kill -CONT $holder; echo ok stopped and continued
if [ -w /sys/power/pm_test ]; then
    echo 0 >/sys/module/suspend/parameters/pm_test_delay
    echo freezer >/sys/power/pm_test
    echo freeze >/sys/power/state && echo ok frozen and thawed || echo not ok freezer
    echo devices >/sys/power/pm_test
    echo freeze >/sys/power/state && echo ok devices slept || echo not ok devices
    echo core >/sys/power/pm_test
    if grep -q mem /sys/power/state; then
        echo mem 2>/dev/null >/sys/power/state && echo not ok slept || echo ok suspend is refused
    fi
    grep -q disk /sys/power/state && echo disk 2>/dev/null >/sys/power/state && echo not ok slept
    dmesg | grep -q 'tactus: .* hibernating' && echo ok hibernation || echo not ok hibernation
    echo none >/sys/power/pm_test
fi
"""
# Also allocations that may sleep, and single pages
# (Documentation/fault-injection/fault-injection.rst).
STARVED = """
mount -t debugfs none /sys/kernel/debug
for kind in failslab fail_page_alloc; do
    echo N >/sys/kernel/debug/$kind/ignore-gfp-wait
    echo 0 >/sys/kernel/debug/$kind/verbose
done
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
# Enabled for as long as it is there: ACPI's interpreter, which finds a wire for it, is not robust.
for folder in /sys/bus/pci/devices/*; do
    [ "$(cat $folder/device)" = 0x11e8 ] && echo 1 >$folder/enable
done
"""
MAY_BE_LOST = re.compile(r"tactus: (CPU 1 does not start|page tables are lost)")
LINES_MAX = 1500
KERNELS = ("generic", "preempt-rt", "backports")
on_each_kernel = pytest.mark.parametrize("kernel", KERNELS)


def everything(scale: int) -> Boot:
    """Each case once; scale: the number of repetitions."""
    cases = words(
        f"cycle 1 {scale} 100",
        "contain 1",
        "memory 1",
        "refuse 1",
        "attack 1 0",
        f"kill 1 {2 * scale} 1",
        "ends 1",
        "clock 1",
        f"fuzz 1 {1 + scale // 10} 1",
    )
    return Boot(
        cases
        + BIND
        + "kmod-test edu 1 $EDU translated\nkmod-test lines $EDU\n"
        + while_held(ACTIONS),
        arguments="intel_iommu=on",
        devices=REMAPPING,
    )


def test_module_takes_runs_contains_drives_and_gives_back(tmp_path: Path) -> None:
    """Linux's first CPU, which also comes back in its own way."""
    both = everything(2)
    wanted = replace(
        both,
        cases=words("cycle 0 2 100", "kill 0 1 1") + both.cases,
        arguments=f"{both.arguments} {FIRST}",
        devices=(*WITH_FIRST, *both.devices),
    )
    outcome = checked("generic", wanted, tmp_path, 130)
    assert "Booting Node 0 Processor 0 APIC" in outcome.text("kernel.log")


@long
@pytest.mark.parametrize("name", SCALES)
def test_module_on_each_kernel(name: str, tmp_path: Path) -> None:
    scale = SCALES[name]
    outcome = checked(name, replace(everything(scale), patient=True), tmp_path, 130)
    assert f"kill: {2 * scale} times" in outcome.text("stdout")


@long
def test_programs_by_chance_for_a_minute(tmp_path: Path) -> None:
    wanted = Boot(
        f"{BIND}kmod-test fuzz 1 60 2 $EDU\n",
        arguments="intel_iommu=on",
        devices=REMAPPING,
        patient=True,
    )
    checked("generic", wanted, tmp_path, 1)


@long
def test_each_allocation_fails_once(tmp_path: Path) -> None:
    """If Linux has no memory to start a CPU, the start is tried again, and the memory that it could
    reach stays."""
    wanted = Boot(
        f"{STARVED}{BIND}kmod-test starve 1 $EDU\n",
        arguments="intel_iommu=on",
        devices=REMAPPING,
        patient=True,
    )
    outcome, _ = run(kernel_of(CHECKED), wanted, tmp_path)
    judge(outcome, 18, None)
    lines = outcome.text("kernel.log").splitlines()
    bad = [line for line in lines if BAD_LOG.search(line) and not MAY_BE_LOST.search(line)]
    assert bad == []


def test_ring_0_of_a_core_is_small_and_branches_nowhere_else() -> None:
    root = Project.here().root
    files = [*root.glob("kmod/core/*.[chS]"), root / "kmod/core/core.lds"]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    assert lines <= LINES_MAX
    module, _ = headers.module(root, kernel_of("generic"), os.environ)
    command = ["objdump", "-d", str(module.parent / "core/core.elf")]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "<core_trap>:" in code
    assert re.findall(r"\t(?:call|jmp) +\*.*|.*%[xyz]mm.*", code) == []


@long
@on_each_kernel
def test_cores_kick_each_other_and_ring_linux(kernel: str, tmp_path: Path) -> None:
    checked(kernel, Boot("kmod-test several", cpus=4), tmp_path, 10)


@long
def test_devices_without_remapping_are_for_those_who_ask(tmp_path: Path) -> None:
    cases = BIND + "kmod-test edu 1 $EDU refused\nrmmod tactus; insmod /tactus.ko unsafe_dma=1\n"
    cases += BIND + "kmod-test edu 1 $EDU physical\n"
    wanted = Boot(cases, devices=("-device", "edu,dma_mask=0xffffffffffff"))
    checked("generic", wanted, tmp_path, 20)


@long
@on_each_kernel
def test_core_that_does_not_answer_is_recovered(kernel: str, tmp_path: Path) -> None:
    cases = "echo 20 >/sys/module/tactus/parameters/answer_ms\n"
    cases += "\n".join(f"kmod-test hang 1 {how}" for how in (0, 1, 2))
    hang = Boot(cases, options=("TACTUS_TEST_HANG=1",))
    outcome, _ = run(kernel_of(kernel), hang, tmp_path)
    judge(outcome, 9, None)
    log = outcome.text("kernel.log")
    assert "an NMI halted it" in log
    assert "it got an INIT" in log
    assert re.search(r"CPU 1 broke: vector 6 ", log)


@long
@pytest.mark.parametrize("cpu", [0, 1])
def test_core_comes_back_when_it_is_given_up(cpu: int, tmp_path: Path) -> None:
    """At the moment of the INIT, which CPU 0 does not get."""
    cases = f"echo 1 >/sys/module/tactus/parameters/answer_ms\nkmod-test race {cpu} 1800 2600 40\n"
    wanted = Boot(cases, options=("TACTUS_TEST_HANG=1",), arguments=FIRST, devices=WITH_FIRST)
    outcome, _ = run(kernel_of("generic"), wanted, tmp_path)
    judge(outcome, 3, None)
    log = outcome.text("kernel.log")
    assert log.count("answered no NMI either") >= 1
    assert ("it got an INIT" in log) is (cpu != 0)
    assert not re.search(r"BUG|Oops|WARNING|for vector|Stale IRR", log)


@long
def test_machine_with_kernel_page_table_isolation(tmp_path: Path) -> None:
    wanted = Boot(words("cycle 1 2 100", "contain 1"), arguments="pti=on")
    outcome = checked("generic", wanted, tmp_path, 60)
    assert "page tables isolation: enabled" in outcome.text("kernel.log")


@long
@on_each_kernel
def test_held_processors_leave_with_a_reboot(kernel: str, tmp_path: Path) -> None:
    actions = "dmesg -n 7; reboot -f; sleep 9"
    text = ends("died", kernel, Boot(while_held(actions)), tmp_path)
    # For QEMU, the restart is the end.
    assert "CPU 1 is now offline" not in text.partition("reboot:")[2]
    assert "reboot: Restarting system" in text
    assert "Processor 1 APIC" in text.partition("reboot: Restarting system")[0]


@long
@on_each_kernel
def test_machine_panics_with_a_processor_held(kernel: str, tmp_path: Path) -> None:
    wanted = Boot(while_held("echo c >/proc/sysrq-trigger"))
    text = ends("panic", kernel, wanted, tmp_path)
    assert "sysrq triggered crash" in text
    assert "CPU 1, which was held, is halted" in text


@long
@on_each_kernel
def test_held_processors_go_to_the_next_kernel(kernel: str, tmp_path: Path) -> None:
    """It finds all CPUs, and ends without a root file system."""
    actions = "dmesg -n 7; kmod-test kexec /vmlinuz 'console=ttyS0 panic=-1 nokaslr tsc=reliable'"
    files = {"vmlinuz": kernel_of(kernel).image}
    text = ends("panic", kernel, Boot(while_held(actions), files=files), tmp_path)
    first, _, second = text.partition("kexec_core: Starting new kernel")
    assert "Processor 1 APIC" in first
    assert "Linux version" in second
    assert "smp: Brought up 1 node, 2 CPUs" in second


@long
@on_each_kernel
def test_other_processors_come_and_go(kernel: str, tmp_path: Path) -> None:
    storm = """
for turn in 1 2 3 4 5 6 7 8 9 10; do
    for cpu in 2 3; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
    for cpu in 3 2; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
done
grep -q '0,2-3' /sys/devices/system/cpu/online && echo ok storm || echo not ok storm
"""
    cases = while_held(storm).replace("hold 1 2000", "hold 1 4000")
    checked(kernel, Boot(cases, cpus=4), tmp_path, 2)
