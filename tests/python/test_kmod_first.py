# SPDX-License-Identifier: LGPL-2.1-or-later
"""CPU 0, which started the machine, as a core. Linux wakes it by an NMI, and an INIT would end the
machine: `./tactus test --backend bare`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from kmod_factory import (
    BIND,
    CHECKED,
    FIRST,
    REMAPPING,
    UNCOUNTED,
    UNHURRIED,
    WITH_FIRST,
    Boot,
    Poke,
    checked,
    ends,
    judge,
    kernel_of,
    run,
    while_held,
    words,
)

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

# The kernels that can give it up, and the number of repetitions.
SCALES = {"generic": 100, "preempt-rt": 100, CHECKED: 10}
KERNELS = ("generic", "preempt-rt")
on_each_kernel = pytest.mark.parametrize("kernel", KERNELS)
# Without its first CPU, Linux enters no sleep state.
ACTIONS = """
rmmod tactus 2>/dev/null && echo not ok unloaded while held || echo ok rmmod is refused while held
echo 1 2>/dev/null >/sys/devices/system/cpu/cpu0/online && echo not ok || echo ok online is refused
kill -STOP $holder; sleep 0.2; kill -CONT $holder; echo ok stopped and continued
if [ -w /sys/power/state ]; then
    echo freeze 2>/dev/null >/sys/power/state && echo not ok slept || echo ok no sleep
    grep -q mem /sys/power/state && echo mem 2>/dev/null >/sys/power/state && echo not ok slept
    grep -q disk /sys/power/state && echo disk 2>/dev/null >/sys/power/state && echo not ok slept
fi
sleep 0.3; ls -lR /usr >/dev/null; echo ok Linux works without it
"""
# If instructions are not counted.
SLOWLY = UNHURRIED + words("cycle 0 2 20 20000000", "contain 0", "memory 0", "kill 0 4 1")
X2APIC = ("-cpu", "max,-la57,-monitor,x2apic=on,vendor=GenuineIntel")
WITH_X2APIC = ("-machine", "q35", "-device", "intel-iommu,intremap=on,eim=on")


def first(cases: str, cpus: int = 2, arguments: str = "") -> Boot:
    return Boot(cases, cpus=cpus, arguments=f"{FIRST} {arguments}", devices=WITH_FIRST)


@pytest.mark.parametrize("name", SCALES)
def test_first_processor_is_held_and_given_back(name: str, tmp_path: Path) -> None:
    scale = SCALES[name]
    cases = words(
        f"cycle 0 {scale} 100",
        "contain 0",
        "memory 0",
        "refuse 1",
        "attack 0 0",
        f"kill 0 {2 * scale} 1",
        "clock 0",
        f"fuzz 0 {1 + scale // 10} 1",
    )
    cases += f"{BIND}kmod-test edu 0 $EDU translated\n{while_held(ACTIONS, 0)}"
    wanted = first(cases, arguments="intel_iommu=on")
    wanted = replace(wanted, devices=(*wanted.devices, *REMAPPING), patient=True)
    outcome = checked(name, wanted, tmp_path, 130)
    assert f"kill: {2 * scale} times" in outcome.text("stdout")


@on_each_kernel
def test_first_processor_gets_no_init(kernel: str, tmp_path: Path) -> None:
    """A core that does not answer even an NMI is lost until it does."""
    cases = "echo 20 >/sys/module/tactus/parameters/answer_ms\n"
    cases += "\n".join(f"kmod-test hang 0 {how}" for how in (0, 2, 1000000))
    wanted = replace(first(cases), options=("TACTUS_TEST_HANG=1",))
    outcome, _ = run(kernel_of(kernel), wanted, tmp_path)
    judge(outcome, 12, None)
    log = outcome.text("kernel.log")
    assert "CPU 0 did not answer; an NMI halted it" in log
    assert re.search(r"CPU 0 broke: vector 6 ", log)
    assert "the CPU and its memory are lost until it answers" in log
    assert "only a reset of the machine would stop it" in log
    assert "CPU 0 has started again" in log
    # To Linux, what a core leaves in its APIC would be an interrupt of a device.
    assert [line for line in log.splitlines() if re.search("for vector|Stale IRR", line)] == []


@on_each_kernel
def test_first_processor_leaves_with_a_reboot(kernel: str, tmp_path: Path) -> None:
    text = ends("died", kernel, first(while_held("dmesg -n 7; reboot -f; sleep 9", 0)), tmp_path)
    assert "Processor 0 APIC" in text.partition("reboot: Restarting system")[0]
    assert "reboot: Restarting system" in text


@on_each_kernel
def test_machine_panics_with_its_first_processor_held(kernel: str, tmp_path: Path) -> None:
    text = ends("panic", kernel, first(while_held("echo c >/proc/sysrq-trigger", 0)), tmp_path)
    assert "CPU 0, which was held, is halted" in text


@on_each_kernel
def test_first_processor_goes_to_the_next_kernel(kernel: str, tmp_path: Path) -> None:
    actions = "dmesg -n 7; kmod-test kexec /vmlinuz 'console=ttyS0 panic=-1 nokaslr tsc=reliable'"
    wanted = first(while_held(actions, 0))
    wanted = replace(wanted, files={"vmlinuz": kernel_of(kernel).image})
    text = ends("panic", kernel, wanted, tmp_path)
    before, _, after = text.partition("kexec_core: Starting new kernel")
    assert "Processor 0 APIC" in before
    assert "smp: Brought up 1 node, 2 CPUs" in after


@on_each_kernel
def test_other_processors_come_and_go_without_the_first(kernel: str, tmp_path: Path) -> None:
    storm = """
for turn in 1 2 3 4 5; do
    for cpu in 2 3; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
    for cpu in 3 2; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
done
grep -q '^1-3' /sys/devices/system/cpu/online && echo ok storm || echo not ok storm
"""
    cases = while_held(storm, 0).replace("hold 0 2000", "hold 0 4000")
    checked(kernel, first(cases, cpus=4), tmp_path, 2)


@pytest.mark.parametrize("arguments", ["pti=on", "nopcid pti=on", "mitigations=off", "nox2apic"])
def test_first_processor_with(arguments: str, tmp_path: Path) -> None:
    cases = words("cycle 0 4 100", "contain 0", "kill 0 4 1")
    checked("generic", first(cases, arguments=arguments), tmp_path, 60)


@pytest.mark.parametrize("arguments", ["", "x2apic_phys"])
def test_first_processor_of_a_machine_with_x2apic(arguments: str, tmp_path: Path) -> None:
    wanted = Boot(
        SLOWLY,
        arguments=f"{FIRST} intel_iommu=on {UNCOUNTED} {arguments}",
        devices=(*X2APIC, *WITH_X2APIC),
        counted=False,
    )
    outcome = checked("generic", wanted, tmp_path, 60)
    assert "Enabled IRQ remapping in x2apic mode" in outcome.text("kernel.log")


def test_machine_check_of_the_first_processor_ends_the_core(tmp_path: Path) -> None:
    pokes = tuple(
        Poke(f"a {name} check may come", "mce 0 4 0xb200000000000000 0x7 0 0")
        for name in ("machine", "second")
    )
    wanted = Boot(words("mcheck 0 own"), arguments=FIRST, pokes=pokes)
    wanted = replace(wanted, devices=("-cpu", "Skylake-Client"))
    outcome, _ = run(kernel_of("generic"), wanted, tmp_path)
    judge(outcome, 6, None)
    assert "CPU 0 had a machine check of its own" in outcome.text("kernel.log")


REFUSED = {
    "no cpu0_hotplug": ("generic", Boot("", devices=WITH_FIRST)),
    "a processor of AMD's": (
        "generic",
        Boot(
            "",
            arguments=FIRST,
            devices=("-cpu", "max,-la57,-monitor,vendor=AuthenticAMD"),
        ),
    ),
    "a kernel that keeps it": (
        "backports",
        Boot("", arguments=FIRST, devices=WITH_FIRST),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_first_processor_is_refused_with(name: str, tmp_path: Path) -> None:
    kernel, wanted = REFUSED[name]
    outcome = checked(kernel, replace(wanted, cases=words("refuse 1")), tmp_path, 20)
    assert re.search(r"CPU 0, which Linux keeps.*with cpu0_hotplug", outcome.text("stdout"))
