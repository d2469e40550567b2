# SPDX-License-Identifier: LGPL-2.1-or-later
"""Can the module take the CPU from Linux? Nothing here is worse than a warning, because the thread
back end does not need it."""

from __future__ import annotations

import os
import re

from tactus.doctor.finding import Finding, ok, unknown, warn
from tactus.doctor.machine import Machine, UnreadableError, cpu_list

# The kernels with which kmod/ was tested. A newer kernel is accepted, and the module tests it when
# it is loaded.
OLDEST = (6, 1)
EFI_VARIABLES = "sys/firmware/efi/efivars"
SECURE_BOOT = "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
# IA32_MCG_CAP, IA32_FEATURE_CONTROL, IA32_MCG_EXT_CTL.
MCE_REGISTERS = (0x179, 0x3A, 0x4D0)
CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
FIRST = "before Linux 6.5, CPU 0 can be taken only on Intel, after a boot with cpu0_hotplug"
SIGN = "sign tactus.ko with a key that the firmware knows (mokutil --import; DKMS signs by itself)"


def module(machine: Machine) -> Finding:
    if machine.probes.architecture != "x86_64":
        return unknown("The module that takes CPUs from Linux is for x86-64 only.")
    device = machine.root / "dev/tactus"
    if machine.exists("dev/tactus"):
        if os.access(device, os.R_OK | os.W_OK):
            return ok("The module is loaded, and this user may take CPUs from Linux.")
        return warn(
            "The module is loaded, but this user may not open /dev/tactus.",
            "copy kmod/70-tactus.rules to /etc/udev/rules.d, adduser USER tactus, log in again",
        )
    if machine.exists("sys/module/tactus"):
        return warn(
            "The module is loaded, but there is no /dev/tactus here.",
            "in a container: pass the device in; otherwise: udevadm trigger",
        )
    return _how_to_load(machine)


def _how_to_load(machine: Machine) -> Finding:
    release = machine.text("proc/sys/kernel/osrelease")
    lead = "The module that takes CPUs from Linux is not loaded"
    if not machine.exists("proc/modules"):
        return warn(f"{lead}: this kernel loads no modules.", "use a distribution's kernel")
    if machine.number("proc/sys/kernel/modules_disabled"):
        return warn(
            f"{lead}, and the loading of modules is switched off until the next boot.",
            "boot without kernel.modules_disabled=1 in sysctl.d",
        )
    if machine.exists(f"lib/modules/{release}/updates/dkms/tactus.ko") or machine.exists(
        f"lib/modules/{release}/updates/dkms/tactus.ko.xz"
    ):
        return warn(f"{lead}.", "modprobe tactus")
    if machine.kernel_version() < OLDEST:
        return warn(
            f"{lead}, and was never tested with such an old kernel.",
            "use Linux 6.1 or newer, or try: make -C kmod && insmod kmod/tactus.ko",
        )
    build = "make -C kmod && insmod kmod/tactus.ko"
    if not machine.exists(f"lib/modules/{release}/build"):
        build = f"apt install linux-headers-{release}; {build}"
    return warn(f"{lead}.", build)


def signatures(machine: Machine) -> Finding:
    forced = (
        machine.exists("sys/module/module/parameters/sig_enforce")
        and machine.text("sys/module/module/parameters/sig_enforce") == "Y"
    )
    if forced or _is_locked_down(machine):
        return warn("The kernel takes only modules that are signed.", SIGN)
    if not machine.exists("sys/firmware/efi"):
        return ok("Modules need no signature (no UEFI firmware).")
    path = machine.root / EFI_VARIABLES / SECURE_BOOT
    if not machine.exists(EFI_VARIABLES) or not machine.names(EFI_VARIABLES):
        return unknown("This user cannot see whether Secure Boot is on.", f"mount /{EFI_VARIABLES}")
    try:
        # Four bytes of attributes, then the variable.
        on = path.read_bytes()[4:5] == b"\1"
    except FileNotFoundError:
        on = False
    except OSError as error:
        raise UnreadableError(f"/{EFI_VARIABLES}/{SECURE_BOOT}: {error.strerror}") from None
    if on:
        return warn("Secure Boot is on: the kernel may take only modules that are signed.", SIGN)
    return ok("Modules need no signature (Secure Boot is off).")


def _is_locked_down(machine: Machine) -> bool:
    path = "sys/kernel/security/lockdown"
    return machine.exists(path) and "[none]" not in machine.text(path)


def free_cpu(machine: Machine) -> Finding:
    online = cpu_list(machine.text("sys/devices/system/cpu/online"))
    can_go = sorted(
        cpu for cpu in online if machine.exists(f"sys/devices/system/cpu/cpu{cpu}/online")
    )
    choice = [cpu for cpu in can_go if cpu != machine.cpu]
    if machine.cpu in can_go and len(online) > 1:
        siblings = cpu_list(machine.text(f"{machine.cpu_folder}/topology/thread_siblings_list"))
        others = sorted(siblings & online - {machine.cpu})
        if not others:
            return ok(f"Linux can give up CPU {machine.cpu}.")
        return warn(
            f"Linux can give up CPU {machine.cpu}, but CPU {others[0]} shares its core.",
            "take both: run --siblings, or TACTUS_OPTIONS=siblings=take; or boot with nosmt",
        )
    if len(online) == 1:
        return warn(
            "This CPU is the only CPU of Linux.", "use a machine or guest with two CPUs or more"
        )
    if choice:
        names = ", ".join(map(str, choice))
        remedy = f"choose one of {names}"
        if machine.cpu == 0:
            remedy += f"; {FIRST}"
        return warn(f"Linux does not give up CPU {machine.cpu}.", remedy)
    return warn("Linux gives up none of its CPUs.", "use a kernel with CONFIG_HOTPLUG_CPU")


def processor(machine: Machine) -> Finding:
    if machine.probes.architecture != "x86_64":
        return unknown("The module that takes CPUs from Linux is for x86-64 only.")
    flags = frozenset(machine.text("proc/cpuinfo").split())
    if machine.exists("sys/hypervisor/guest_type"):
        guest = machine.text("sys/hypervisor/guest_type")
        if guest == "PV":
            return warn(
                "This is a paravirtual Xen guest, in which Xen owns the CPUs.",
                "use a PVH or HVM guest",
            )
    if missing := sorted({"apic", "fsgsbase", "nx", "xsave"} - flags):
        return warn(
            f"This CPU or kernel lacks what the module needs: {', '.join(missing)}.",
            "boot without nolapic, nofsgsbase and noxsave; pass the host's CPU to a guest",
        )
    clock = machine.text(CLOCK)
    if clock != "tsc" and "hypervisor" not in flags:
        return warn(
            f"Linux's clock is {clock}, but a taken CPU has only the time-stamp counter.",
            f"echo tsc >/{CLOCK}; why Linux left it: dmesg | grep -i tsc",
        )
    if clock != "tsc":
        return ok(f"The CPU has what the module needs; its counter follows Linux's clock, {clock}.")
    if not {"constant_tsc", "nonstop_tsc"} <= flags:
        return warn(
            "The time-stamp counter, the clock of a taken CPU, may stop or change its rate.",
            "pass the host's counter to a guest (QEMU: -cpu host,+invtsc)",
        )
    timer = "TSC deadline" if "tsc_deadline_timer" in flags else "one-shot APIC"
    return ok(f"The CPU has what the module needs (timer: {timer}).")


def broadcasts(machine: Machine) -> Finding:
    if machine.probes.architecture != "x86_64":
        return unknown("The module that takes CPUs from Linux is for x86-64 only.")
    option = machine.boot_option("no_ipi_broadcast")
    if option is not None and option != "0":
        return ok("Interrupts that Linux sends to all of its CPUs do not reach a taken CPU.")
    if len(cpu_list(machine.text("sys/devices/system/cpu/online"))) <= 2:
        return ok("Linux keeps one CPU, which sends no interrupts to others.")
    return warn(
        "Interrupts that Linux sends to all CPUs at once also reach a taken CPU, which drops them.",
        "boot with no_ipi_broadcast=1",
    )


def _is_amd(machine: Machine) -> bool:
    """Also of its licensee Hygon, which has the same IOMMU."""
    if not machine.exists("proc/cpuinfo"):
        return False
    found = re.search(r"^vendor_id\s*:\s*(\S+)", machine.text("proc/cpuinfo"), re.M)
    return found is not None and found[1] in ("AuthenticAMD", "HygonGenuine")


def iommu(machine: Machine) -> Finding:
    # AMD's driver uses what the firmware offers; Intel's needs a boot option on some kernels.
    unit, argument = ("AMD-Vi", "") if _is_amd(machine) else ("VT-d", "intel_iommu=on")
    if machine.exists("sys/class/iommu") and (units := machine.names("sys/class/iommu")):
        names = ", ".join(units)
        if machine.names("sys/kernel/iommu_groups"):
            return ok(
                f"Devices that programs drive reach only the memory of those programs ({names})."
            )
        return warn(
            f"There is an IOMMU ({names}), but Linux does not use it for devices.",
            f"boot with {argument}" if argument else "boot without amd_iommu=off and iommu=off",
        )
    return warn(
        "No IOMMU is in use: a device that a program drives can write to all memory.",
        f"switch {unit} on in the firmware" + (f", and boot with {argument}" if argument else ""),
    )


def machine_checks(machine: Machine) -> Finding:
    """The same check as in the module's permit.c (Intel SDM 4, table 2-2)."""
    if machine.probes.architecture != "x86_64":
        return unknown("The module that takes CPUs from Linux is for x86-64 only.")
    words = frozenset(machine.text("proc/cpuinfo").split())
    if words & {"AuthenticAMD", "HygonGenuine"}:
        return ok("A machine check reaches only the CPU that caused it.")
    path = machine.root / f"dev/cpu/{machine.cpu}/msr"
    try:
        with path.open("rb", buffering=0) as file:
            can, may, does = (
                int.from_bytes(os.pread(file.fileno(), 8, number), "little")
                for number in MCE_REGISTERS
            )
    except OSError:
        return unknown(
            "This user cannot see whether a machine check of a taken CPU would end Linux.",
            "as root: modprobe msr; the module refuses such a CPU without broadcast_mce=1",
        )
    if can >> 27 & 1 and may & 1 and may >> 20 & 1 and does & 1:
        return ok("A machine check reaches only the CPU that caused it (LMCE).")
    return warn(
        f"A machine check of CPU {machine.cpu} would reach all CPUs and end Linux, so the "
        "module does not take it.",
        "switch on local machine checks (LMCE) in the firmware, or load the module with "
        "broadcast_mce=1",
    )


CHECKS = (
    ("bare: module", module),
    ("bare: signature", signatures),
    ("bare: free CPU", free_cpu),
    ("bare: CPU", processor),
    ("bare: broadcasts", broadcasts),
    ("bare: IOMMU", iommu),
    ("bare: machine checks", machine_checks),
)
