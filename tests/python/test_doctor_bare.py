# SPDX-License-Identifier: LGPL-2.1-or-later
"""Can the module take a CPU? On made-up machines; CPU 1 is examined."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from tactus.doctor import bare
from tactus.doctor.finding import Level
from tactus.doctor.machine import Machine
from tactus.doctor.probes import Probes

ABLE = Probes("x86_64", True, -1, True, True, True)
CPU = "sys/devices/system/cpu"
FLAGS = "flags : apic fsgsbase nx xsave constant_tsc nonstop_tsc tsc_deadline_timer"
DKMS = "lib/modules/6.1.0-56-amd64/updates/dkms/tactus.ko"
LINUX = {
    "proc/sys/kernel/osrelease": "6.1.0-56-amd64",
    "proc/sys/kernel/modules_disabled": "0",
    "proc/modules": "",
}
VARIABLE = f"{bare.EFI_VARIABLES}/{bare.SECURE_BOOT}"

Tree = dict[str, str]


def machine(root: Path, tree: Tree, cpu: int = 1) -> Machine:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Machine(root, cpu, ABLE)


@pytest.mark.parametrize(
    ("tree", "said", "fix"),
    [
        (
            LINUX,
            "not loaded.",
            "apt install linux-headers-6.1.0-56-amd64; make -C kmod",
        ),
        (
            {**LINUX, "lib/modules/6.1.0-56-amd64/build/x": ""},
            "not loaded.",
            "make -C kmod && ins",
        ),
        ({**LINUX, DKMS: ""}, "not loaded.", "modprobe tactus"),
        (
            {**LINUX, "proc/sys/kernel/osrelease": "5.10.1"},
            "never tested",
            "6.1 or newer",
        ),
        (
            {**LINUX, "proc/sys/kernel/modules_disabled": "1"},
            "switched off",
            "modules_disabled",
        ),
        ({"proc/sys/kernel/osrelease": "6.1.0"}, "loads no modules", "distribution"),
        ({"sys/module/tactus/x": ""}, "no /dev/tactus", "udevadm"),
    ],
)
def test_module_that_is_not_there_has_its_own_remedy(
    tmp_path: Path, tree: Tree, said: str, fix: str
) -> None:
    finding = bare.module(machine(tmp_path, tree))
    assert finding.level is Level.WARN
    assert said in finding.text
    assert finding.fix.startswith(fix) or fix in finding.fix


def test_device_of_the_module_is_for_those_who_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = machine(tmp_path, {"dev/tactus": ""})
    assert bare.module(seen).level is Level.OK
    monkeypatch.setattr(os, "access", lambda *_: False)
    finding = bare.module(seen)
    assert finding.level is Level.WARN
    assert "adduser USER tactus" in finding.fix


@pytest.mark.parametrize(
    ("tree", "level"),
    [
        ({}, Level.OK),
        ({VARIABLE: "\6\0\0\0\1"}, Level.WARN),
        ({VARIABLE: "\6\0\0\0\0"}, Level.OK),
        ({f"{bare.EFI_VARIABLES}/Boot": "x"}, Level.OK),
        ({"sys/firmware/efi/fw": "x"}, Level.UNKNOWN),
        ({"sys/module/module/parameters/sig_enforce": "Y"}, Level.WARN),
        ({"sys/module/module/parameters/sig_enforce": "N"}, Level.OK),
        (
            {"sys/kernel/security/lockdown": "none [integrity] confidentiality"},
            Level.WARN,
        ),
        (
            {"sys/kernel/security/lockdown": "[none] integrity confidentiality"},
            Level.OK,
        ),
    ],
)
def test_signature(tmp_path: Path, tree: Tree, level: Level) -> None:
    assert bare.signatures(machine(tmp_path, tree)).level is level


@pytest.mark.parametrize(
    ("cpu", "online", "siblings", "level", "said"),
    [
        (1, "0-3", "1", Level.OK, "give up CPU 1"),
        (1, "0-3", "1,3", Level.WARN, "CPU 3 shares its core"),
        (1, "0-2", "1,3", Level.OK, "give up CPU 1"),
        (0, "0-2", "0", Level.OK, "give up CPU 0"),
        (0, "0", "0", Level.WARN, "only CPU"),
    ],
)
def test_free_cpu(
    tmp_path: Path, cpu: int, online: str, siblings: str, level: Level, said: str
) -> None:
    tree = {
        f"{CPU}/online": online,
        f"{CPU}/cpu{cpu}/topology/thread_siblings_list": siblings,
    }
    for other in range(4):
        tree[f"{CPU}/cpu{other}/online"] = "1"
    finding = bare.free_cpu(machine(tmp_path, tree, cpu))
    assert (finding.level, said in finding.text) == (level, True)


def test_first_cpu_goes_where_linux_was_told_so(tmp_path: Path) -> None:
    tree = {f"{CPU}/online": "0-1", f"{CPU}/cpu1/online": "1"}
    finding = bare.free_cpu(machine(tmp_path, tree, 0))
    assert (finding.level, finding.text) == (
        Level.WARN,
        "Linux does not give up CPU 0.",
    )
    assert "choose one of 1;" in finding.fix and "cpu0_hotplug" in finding.fix


def test_cpus_that_cannot_go_are_told(tmp_path: Path) -> None:
    finding = bare.free_cpu(machine(tmp_path, {f"{CPU}/online": "0-1"}))
    assert "none of its CPUs" in finding.text


@pytest.mark.parametrize(
    ("tree", "level", "said"),
    [
        ({"proc/cpuinfo": FLAGS}, Level.OK, "TSC deadline"),
        (
            {"proc/cpuinfo": FLAGS.replace("tsc_deadline_timer", "")},
            Level.OK,
            "one-shot APIC",
        ),
        ({"proc/cpuinfo": FLAGS.replace("fsgsbase", "")}, Level.WARN, "fsgsbase"),
        ({"proc/cpuinfo": FLAGS.replace("nonstop_tsc", "")}, Level.WARN, "may stop"),
        ({"proc/cpuinfo": FLAGS, "sys/hypervisor/guest_type": "PV"}, Level.WARN, "Xen"),
        (
            {"proc/cpuinfo": FLAGS, "sys/hypervisor/guest_type": "HVM"},
            Level.OK,
            "has what",
        ),
        ({"proc/cpuinfo": FLAGS, bare.CLOCK: "hpet"}, Level.WARN, "clock is hpet"),
        (
            {"proc/cpuinfo": f"{FLAGS} hypervisor", bare.CLOCK: "kvm-clock"},
            Level.OK,
            "follows",
        ),
    ],
)
def test_processor(tmp_path: Path, tree: Tree, level: Level, said: str) -> None:
    finding = bare.processor(machine(tmp_path, {bare.CLOCK: "tsc", **tree}))
    assert (finding.level, said in finding.text) == (level, True)


@pytest.mark.parametrize("vendor", ["AuthenticAMD", "HygonGenuine", "GenuineIntel"])
def test_iommu_is_switched_on_as_its_vendor_has_it(vendor: str, tmp_path: Path) -> None:
    cpuinfo = {"proc/cpuinfo": f"processor\t: 0\nvendor_id\t: {vendor}\n"}
    none = bare.iommu(machine(tmp_path / "none", cpuinfo))
    idle = machine(tmp_path / "idle", {**cpuinfo, "sys/class/iommu/unit0": ""})
    (idle.root / "sys/kernel/iommu_groups").mkdir(parents=True)
    said = none.fix + bare.iommu(idle).fix
    assert ("intel_iommu=on" in said) == ("VT-d" in said) == (vendor == "GenuineIntel")
    assert ("amd_iommu" in said) == ("AMD-Vi" in said) == (vendor != "GenuineIntel")


def test_iommu_is_named(tmp_path: Path) -> None:
    assert bare.iommu(machine(tmp_path, {})).level is Level.WARN
    unit = {"sys/class/iommu/dmar0": ""}
    finding = bare.iommu(machine(tmp_path / "used", {**unit, "sys/kernel/iommu_groups/0/x": ""}))
    assert (finding.level, "dmar0" in finding.text) == (Level.OK, True)
    idle = machine(tmp_path / "idle", unit)
    (idle.root / "sys/kernel/iommu_groups").mkdir(parents=True)
    finding = bare.iommu(idle)
    assert (finding.level, "intel_iommu=on" in finding.fix) == (Level.WARN, True)


@pytest.mark.parametrize(
    ("online", "options", "level"),
    [
        ("0-1", "quiet", Level.OK),
        ("0-3", "quiet", Level.WARN),
        ("0-3", "quiet no_ipi_broadcast=1", Level.OK),
        ("0-3", "no_ipi_broadcast=0", Level.WARN),
    ],
)
def test_broadcasts_of_linux_are_told(
    tmp_path: Path, online: str, options: str, level: Level
) -> None:
    tree = {f"{CPU}/online": online, "proc/cmdline": options}
    finding = bare.broadcasts(machine(tmp_path, tree))
    assert finding.level is level
    assert level is Level.OK or "no_ipi_broadcast=1" in finding.fix


def test_other_processors_are_not_looked_at(tmp_path: Path) -> None:
    seen = dataclasses.replace(
        machine(tmp_path, {}), probes=dataclasses.replace(ABLE, architecture="aarch64")
    )
    assert bare.module(seen).level is Level.UNKNOWN
    assert bare.processor(seen).level is Level.UNKNOWN


@pytest.mark.parametrize(
    ("vendor", "registers", "level", "said"),
    [
        ("AuthenticAMD", None, Level.OK, "only the CPU"),
        ("GenuineIntel", None, Level.UNKNOWN, "cannot see"),
        ("GenuineIntel", (1 << 27, 1 << 20 | 1, 1), Level.OK, "LMCE"),
        ("GenuineIntel", (0, 1 << 20 | 1, 1), Level.WARN, "end Linux"),
        ("GenuineIntel", (1 << 27, 1 << 20, 1), Level.WARN, "end Linux"),
        ("GenuineIntel", (1 << 27, 1, 1), Level.WARN, "end Linux"),
        ("GenuineIntel", (1 << 27, 1 << 20 | 1, 0), Level.WARN, "end Linux"),
    ],
)
def test_machine_check_of_a_taken_cpu_ends_linux_or_not(
    tmp_path: Path,
    vendor: str,
    registers: tuple[int, ...] | None,
    level: Level,
    said: str,
) -> None:
    seen = machine(tmp_path, {"proc/cpuinfo": f"vendor_id\t: {vendor}\n"})
    if registers is not None:
        path = tmp_path / "dev/cpu/1/msr"
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            for number, value in zip(bare.MCE_REGISTERS, registers, strict=True):
                file.seek(number)
                file.write(value.to_bytes(8, "little"))
    finding = bare.machine_checks(seen)
    assert finding.level is level
    assert said in finding.text
