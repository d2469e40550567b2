# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clock, hypervisor, and what the processor and the kernel offer to Tactus."""

from __future__ import annotations

from tactus.doctor.finding import Finding, bad, ok, unknown, warn
from tactus.doctor.machine import Machine

# Clock sources that the vDSO reads without entering the kernel.
QUICK_CLOCKS = ("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page")
HYPERVISORS = {
    "kvm": "KVM",
    "qemu": "QEMU",
    "vmware": "VMware",
    "virtualbox": "VirtualBox",
    "xen": "Xen",
    "microsoft corporation": "Hyper-V",
    "amazon ec2": "Amazon EC2",
    "google": "Google Compute Engine",
}


def clock_source(machine: Machine) -> Finding:
    folder = "sys/devices/system/clocksource/clocksource0"
    current = machine.text(f"{folder}/current_clocksource")
    if current in ("tsc", "arch_sys_counter"):
        return ok(f"The clock is the processor's counter ({current}), read without a system call.")
    available = machine.text(f"{folder}/available_clocksource").split()
    fix = (
        f"echo tsc > /{folder}/current_clocksource"
        if "tsc" in available
        else "boot with tsc=reliable if the processor's TSC is invariant"
    )
    if current in QUICK_CLOCKS:
        return warn(
            f"The clock is that of the hypervisor ({current}); a reading takes longer.", fix
        )
    return bad(f"The clock source {current} is read by a slow system call.", fix)


def hypervisor(machine: Machine) -> Finding:
    fix = "measure on the host itself, or give the guest physical CPUs for itself alone"
    # On x86 the processor tells its guests; elsewhere perhaps only the firmware's tables do.
    if "hypervisor" in machine.text("proc/cpuinfo").split():
        return warn(f"This is a virtual machine{_vendor(machine)}: it can lose its CPU.", fix)
    if machine.exists("sys/class/dmi/id/sys_vendor"):
        vendor = machine.text("sys/class/dmi/id/sys_vendor").lower()
        for mark, name in HYPERVISORS.items():
            if vendor.startswith(mark):
                return warn(f"This is a virtual machine ({name}): it can lose its CPU.", fix)
        return ok("No hypervisor is visible.")
    if machine.probes.architecture == "x86_64":
        return ok("The processor reports no hypervisor.")
    return unknown("It cannot be determined whether there is a hypervisor.")


def _vendor(machine: Machine) -> str:
    if machine.exists("sys/class/dmi/id/sys_vendor"):
        return f" ({machine.text('sys/class/dmi/id/sys_vendor')})"
    return ""


def syscall_dispatch(machine: Machine) -> Finding:
    if machine.probes.architecture != "x86_64":
        return unknown(f"Syscall User Dispatch is not tested on {machine.probes.architecture}.")
    has = machine.probes.syscall_user_dispatch
    if has is None:
        return unknown("The test for Syscall User Dispatch could not run.")
    if has:
        return ok("Tactus can catch Linux calls of tasks (Syscall User Dispatch).")
    return bad(
        "The kernel has no Syscall User Dispatch: a Linux call stops the whole real-time CPU.",
        "use Linux 5.11 or later (in a container, a seccomp filter may also hide it)",
    )


def fsgsbase(machine: Machine) -> Finding:
    has = machine.probes.fsgsbase
    if has is None:
        return ok("This processor needs no FSGSBASE.")
    if has:
        return ok("Tasks switch their thread-local storage without the kernel (FSGSBASE).")
    return warn(
        "Without FSGSBASE each switch between full tasks is a system call.",
        "use Linux 5.9 or later without nofsgsbase, on a processor that has it",
    )


CHECKS = (
    ("clock source", clock_source),
    ("hypervisor", hypervisor),
    ("syscall traps", syscall_dispatch),
    ("FSGSBASE", fsgsbase),
)
