# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the kernel's scheduler allows to a real-time thread, and takes from it."""

from __future__ import annotations

import re

from tactus.doctor.finding import Finding, bad, ok, unknown, warn
from tactus.doctor.machine import Machine, UnreadableError

FAIR_SERVER_SINCE = (6, 12)


def throttling(machine: Machine) -> Finding:
    runtime_us = machine.number("proc/sys/kernel/sched_rt_runtime_us")
    period_us = machine.number("proc/sys/kernel/sched_rt_period_us")
    if runtime_us < 0 or runtime_us >= period_us:
        return ok("Real-time threads may use the whole CPU.")
    stopped_ms = (period_us - runtime_us) / 1000
    return warn(
        f"Linux stops a spinning real-time thread for {stopped_ms:.0f} ms in each "
        f"{period_us / 1000:.0f} ms (RT throttling).",
        "sysctl kernel.sched_rt_runtime_us=-1",
    )


def fair_server(machine: Machine) -> Finding:
    if machine.kernel_version() < FAIR_SERVER_SINCE:
        return ok("The kernel has no fair server (it came with Linux 6.12).")
    path = f"sys/kernel/debug/sched/fair_server/cpu{machine.cpu}"
    if not machine.exists("sys/kernel/debug/sched"):
        return unknown(
            "/sys/kernel/debug is not visible: the fair server may take 50 ms a second.",
            "mount -t debugfs none /sys/kernel/debug (as root), then start again",
        )
    if not machine.exists(path):
        return unknown(f"/{path} is missing: the time of the fair server is not visible.")
    runtime_ns = machine.number(f"{path}/runtime")
    if runtime_ns == 0:
        return ok("The fair server is off on this CPU.")
    period_ns = machine.number(f"{path}/period")
    return warn(
        f"The fair server may take {runtime_ns // 1_000_000} ms in each "
        f"{period_ns // 1_000_000} ms for ordinary tasks.",
        f"echo 0 > /{path}/runtime",
    )


def rt_group(machine: Machine) -> Finding:
    """Under RT_GROUP_SCHED a group without a budget cannot have real-time threads at all."""
    group = "/"
    for line in machine.text("proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if "cpu" in controllers.split(","):
            group = path
            break
        if number == "0":
            group = path
    for base in ("cpu", "cpu,cpuacct"):
        path = f"sys/fs/cgroup/{base}{group.rstrip('/')}/cpu.rt_runtime_us"
        if machine.exists(path):
            runtime_us = machine.number(path)
            if runtime_us == 0:
                return bad(
                    f"The control group {group} has no real-time budget (RT_GROUP_SCHED).",
                    f"echo 950000 > /{path}",
                )
            return ok(f"The control group {group} has a real-time budget of {runtime_us} µs.")
    if machine.probes.fifo_allowed:
        return ok("No control group limits real-time threads.")
    return unknown("It cannot be determined whether a control group limits real-time threads.")


def privileges(machine: Machine) -> Finding:
    allowed = machine.probes.fifo_allowed
    if allowed:
        return ok("This user may start real-time threads (SCHED_FIFO).")
    if allowed is None:
        return unknown("The test for SCHED_FIFO could not run.")
    return bad(
        "This user may not start real-time threads (SCHED_FIFO).",
        "run as root, or: setcap cap_sys_nice+ep PROGRAM, or rtprio 99 in limits.conf",
    )


def _dynamic_model(machine: Machine) -> str:
    try:
        chosen = re.search(r"\((\w+)\)", machine.text("sys/kernel/debug/sched/preempt"))
        if chosen:
            return chosen[1]
    except UnreadableError:
        pass
    if (option := machine.boot_option("preempt")) is not None:
        return option
    built = machine.kernel_config().splitlines()
    for name in ("NONE", "VOLUNTARY", "LAZY"):
        if f"CONFIG_PREEMPT_{name}=y" in built:
            return name.lower()
    return "full"


def preemption(machine: Machine) -> Finding:
    version = machine.text("proc/version")
    if "PREEMPT_RT" in version:
        return ok("The kernel is PREEMPT_RT.")
    try:
        if "PREEMPT_DYNAMIC" in version:
            model = _dynamic_model(machine)
        else:
            model = "full" if " PREEMPT" in version else "none or voluntary"
    except UnreadableError as error:
        return unknown(
            f"The preemption model is chosen at boot and is not visible ({error}).",
            "mount -t debugfs none /sys/kernel/debug (as root), then start again",
        )
    if model == "full":
        return warn(
            "The kernel preempts itself (full), except in its locks and soft interrupts.",
            "install a PREEMPT_RT kernel (Debian: linux-image-rt-amd64)",
        )
    return warn(
        f"The kernel's preemption model is {model}: long system calls delay real-time threads.",
        "boot with preempt=full, or install a PREEMPT_RT kernel",
    )


def timer_migration(machine: Machine) -> Finding:
    if machine.number("proc/sys/kernel/timer_migration") == 0:
        return ok("Timers stay on the CPU that armed them.")
    return warn(
        "Timers of an idle CPU may move to other CPUs, which costs a wake-up across CPUs.",
        "sysctl kernel.timer_migration=0",
    )


def watchdogs(machine: Machine) -> Finding:
    on = [
        name
        for name in ("nmi_watchdog", "soft_watchdog")
        if machine.exists(f"proc/sys/kernel/{name}")
        and machine.number(f"proc/sys/kernel/{name}") != 0
    ]
    if not machine.exists("proc/sys/kernel/watchdog"):
        return ok("The kernel has no lockup watchdogs.")
    if not on or machine.number("proc/sys/kernel/watchdog") == 0:
        return ok("The lockup watchdogs are off.")
    return warn(
        f"Lockup watchdogs interrupt the CPU every few seconds ({', '.join(on)}).",
        "sysctl kernel.watchdog=0",
    )


CHECKS = (
    ("privileges", privileges),
    ("RT throttling", throttling),
    ("fair server", fair_server),
    ("RT groups", rt_group),
    ("preemption", preemption),
    ("timer migration", timer_migration),
    ("watchdogs", watchdogs),
)
