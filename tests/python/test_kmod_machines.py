# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module on other kinds of machines, and with other kinds of kernel command lines. Each is a
virtual machine: `./tactus test --backend bare`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from kmod_factory import (
    BIND,
    REMAPPING,
    UNCOUNTED,
    UNHURRIED,
    Boot,
    Poke,
    checked,
    kernel_of,
    run,
    words,
)

from tactus.lab.vm import boot, core

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

KERNELS = ("generic", "preempt-rt", "backports")
REST = ("contain 1", "memory 1", "kill 1 4 1", "fuzz 1 2 1")
USUAL = words("cycle 1 2 100", *REST)
# If instructions are not counted, an emulated processor may need milliseconds for an interrupt.
SLOWLY = UNHURRIED + words("cycle 1 2 20 20000000", *REST)
EDU = BIND + "kmod-test edu 1 $EDU translated\n"
X2APIC = ("-cpu", "max,-la57,-monitor,x2apic=on")
WITH_X2APIC = (
    "-machine",
    "q35",
    "-device",
    "intel-iommu,intremap=on,eim=on",
    "-device",
    "edu",
)
GORGE = """
kmod-test gorge 1 4096
mkdir -p /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/small; echo 40M >/sys/fs/cgroup/small/memory.max
sh -c 'echo $$ >/sys/fs/cgroup/small/cgroup.procs; exec kmod-test gorge 1 400'
"""
UNLOADS = """
while :; do rmmod tactus; sleep 0.02; insmod /tactus.ko; sleep 0.02; done 2>/dev/null & unloads=$!
went=0
for turn in $(seq 60); do
    kmod-test cycle 1 1 5 20000000 >/dev/null 2>&1 && went=$((went+1))
done
kill $unloads; wait $unloads 2>/dev/null; sleep 1
grep -q '^tactus ' /proc/modules || insmod /tactus.ko
[ $went -gt 0 ] && echo ok $went programs had it while it came and went || echo not ok none had it
kmod-test cycle 1 1 5 20000000
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """says: text that the kernel's log must contain; shows: a command that must succeed in the
    guest."""

    boot: Boot
    says: str = ""
    least: int = 60


KINDS = {
    "kernel page-table isolation": Kind(
        Boot(USUAL, arguments="pti=on"), "page tables isolation: enabled"
    ),
    "5-level page tables": Kind(
        Boot(
            "grep -q la57 /proc/cpuinfo || exit 3\n" + USUAL,
            devices=("-cpu", "max,-monitor"),
            unpacks=True,
        )
    ),
    "5-level page tables and isolation": Kind(
        Boot(
            "grep -q la57 /proc/cpuinfo || exit 3\n" + USUAL,
            arguments="pti=on",
            devices=("-cpu", "max,-monitor"),
            unpacks=True,
        ),
        "page tables isolation: enabled",
    ),
    # QEMU cannot count instructions if the APIC is read by RDMSR ("Bad icount read").
    "x2APIC": Kind(
        Boot(
            SLOWLY + EDU,
            arguments=f"intel_iommu=on {UNCOUNTED}",
            devices=(*X2APIC, *WITH_X2APIC),
            counted=False,
        ),
        "Enabled IRQ remapping in x2apic mode",
    ),
    "x2APIC by physical numbers": Kind(
        Boot(
            SLOWLY + EDU,
            arguments=f"intel_iommu=on {UNCOUNTED} x2apic_phys",
            devices=(*X2APIC, *WITH_X2APIC),
            counted=False,
        ),
        "routing to:? physical x2apic",
    ),
    "nox2apic": Kind(
        Boot(
            USUAL + EDU,
            arguments="intel_iommu=on nox2apic",
            devices=(*X2APIC, *REMAPPING),
        ),
        "IRQ remapping in xapic mode",
    ),
    "MSI-X": Kind(
        Boot(
            f"{BIND}bind 0x10d3\nkmod-test msix 1 $BOUND\n",
            arguments="intel_iommu=on",
            devices=(*REMAPPING, "-device", "e1000e"),
        ),
        least=10,
    ),
    # Linux waits for the program that has it.
    "a device that is unplugged": Kind(
        Boot(
            f"{BIND}bind 0x10d3\nkmod-test unplug 1 $BOUND\n",
            arguments=f"intel_iommu=on {UNCOUNTED}",
            devices=(
                *core.REMAPPING,
                "-device",
                "pcie-root-port,id=root,slot=1",
                "-device",
                "e1000e,bus=root,id=leaves",
            ),
            counted=False,
            pokes=(Poke("a device may go", "device_del leaves"),),
        ),
        "a program has it",
        9,
    ),
    "rivals": Kind(
        Boot(
            UNHURRIED + words("attack 1 4", "attack 3 2"),
            cpus=4,
            arguments=UNCOUNTED,
            counted=False,
        ),
        least=10,
    ),
    "a module that comes and goes": Kind(
        Boot(UNLOADS, cpus=4, arguments=UNCOUNTED, counted=False), least=4
    ),
    "memory's end": Kind(Boot(GORGE), "Memory cgroup out of memory", 4),
    "4 CPUs": Kind(Boot(USUAL + words("several"), cpus=4)),
    "8 CPUs": Kind(Boot(USUAL + words("several", "cycle 7 2 100"), cpus=8)),
    "SMT siblings": Kind(
        Boot(
            words("siblings 2 3", "cycle 3 2 100", "several"),
            cpus=4,
            devices=(
                "-smp",
                "4,cores=2,threads=2",
                "-cpu",
                "max,-la57,-monitor,vendor=GenuineIntel",
            ),
        ),
        least=16,
    ),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", KINDS)
def test_module_on_a_machine_with(name: str, kernel: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    outcome = checked(kernel, kind.boot, tmp_path, kind.least)
    assert re.search(kind.says, outcome.text("kernel.log"))


# Each setting of it makes Linux change its code, which all of its processors must see.
BROADCASTS = """
kmod-test hold 1 1000 >/tmp/held & holder=$!
sleep 0.4
for turn in 1 2 3 4 5 6 7 8 9 10; do
    echo 1 >/proc/sys/kernel/sched_schedstats; echo 0 >/proc/sys/kernel/sched_schedstats
done
wait $holder; cat /tmp/held
"""


@pytest.mark.parametrize(("arguments", "comes"), [("", True), ("no_ipi_broadcast=1", False)])
def test_broadcasts_of_linux_come_unless_it_makes_none(
    arguments: str, comes: bool, tmp_path: Path
) -> None:
    wanted = Boot(BROADCASTS, cpus=4, arguments=arguments)
    text = checked("generic", wanted, tmp_path, 2).text("stdout")
    found = re.search(r"# (\d+) interrupts of Linux's", text)
    assert found is not None
    assert (int(found[1]) > 10) is comes


# There, Linux boots without the interrupts of the serial port: the end of the guest shows the
# result.
AMD = (
    BIND
    + """
kmod-test edu 1 $EDU translated >/tmp/said 2>&1
grep -q '^not ok' /tmp/said && echo c >/proc/sysrq-trigger
grep -q '^ok edu: which it did not reach' /tmp/said && poweroff -f
"""
)


def test_device_behind_an_iommu_of_amds(tmp_path: Path) -> None:
    """pt=off: by itself, the emulated one translates nothing."""
    wanted = Boot(
        AMD,
        arguments="amd_iommu=on no_timer_check",
        devices=(
            "-machine",
            "q35",
            "-device",
            "amd-iommu,intremap=on,pt=off",
            "-device",
            "edu",
        ),
    )
    with pytest.raises(boot.GuestFailure) as failure:
        run(kernel_of("backports"), wanted, tmp_path)
    assert failure.value.name == "died"
    assert "reboot: Power down" in (tmp_path / "console").read_text(errors="replace")
