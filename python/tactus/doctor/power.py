# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frequency and sleep of the CPU, and the sibling that shares its core."""

from __future__ import annotations

from tactus.doctor.finding import Finding, bad, ok, unknown, warn
from tactus.doctor.machine import Machine, cpu_list

SHALLOW_EXIT_US = 10
DEEP_EXIT_US = 100


def governor(machine: Machine) -> Finding:
    folder = f"{machine.cpu_folder}/cpufreq"
    if not machine.exists(folder):
        return unknown(
            "Linux does not control the frequency of this CPU; the firmware or the host may do so.",
            "choose the performance profile in the firmware, or on the host",
        )
    name = machine.text(f"{folder}/scaling_governor")
    if name == "performance":
        return ok("The frequency stays at its maximum (performance).")
    return warn(
        f"The governor is {name}: a task that wakes on a slowed CPU runs late.",
        f"cpupower -c {machine.cpu} frequency-set -g performance",
    )


def idle_states(machine: Machine) -> Finding:
    driver = "sys/devices/system/cpu/cpuidle/current_driver"
    if not machine.exists(driver):
        return unknown("The kernel has no cpuidle, so the depth of sleep is not visible.")
    if (name := machine.text(driver)) == "none":
        return ok("There is no idle driver: the CPU only halts.")
    folder = f"{machine.cpu_folder}/cpuidle"
    deepest_us, deepest = 0, ""
    for state in machine.names(folder):
        exit_us = machine.number(f"{folder}/{state}/latency")
        if exit_us >= deepest_us and machine.text(f"{folder}/{state}/disable") == "0":
            deepest_us, deepest = exit_us, machine.text(f"{folder}/{state}/name")
    if deepest_us <= SHALLOW_EXIT_US:
        return ok(f"The CPU leaves its deepest idle state, {deepest}, within {deepest_us} µs.")
    level = bad if deepest_us > DEEP_EXIT_US else warn
    return level(
        f"The CPU takes up to {deepest_us} µs to leave idle state {deepest} ({name}).",
        f"cpupower -c {machine.cpu} idle-set -D {SHALLOW_EXIT_US}, or boot with cpuidle.off=1",
    )


def halt_polling(machine: Machine) -> Finding:
    driver = machine.text("sys/devices/system/cpu/cpuidle/current_driver")
    if driver != "haltpoll":
        return ok("The idle driver is not the one for guests (haltpoll).")
    poll_ns = machine.number("sys/module/haltpoll/parameters/guest_halt_poll_ns")
    if poll_ns > 0:
        return ok(f"The guest polls {poll_ns // 1000} µs before it halts.")
    return warn(
        "The guest halts at once, and each wake-up goes through the hypervisor.",
        "echo 200000 > /sys/module/haltpoll/parameters/guest_halt_poll_ns, or --idle spin",
    )


def dma_latency(machine: Machine) -> Finding:
    if not machine.exists("dev/cpu_dma_latency"):
        return unknown("There is no /dev/cpu_dma_latency: a program cannot request light sleep.")
    if machine.probes.dma_latency_writable:
        return ok("A program may request light sleep through /dev/cpu_dma_latency.")
    return warn(
        "This user may not write /dev/cpu_dma_latency: programs cannot request light sleep.",
        "run as root, or give your group write access by a udev rule",
    )


def smt(machine: Machine) -> Finding:
    siblings = cpu_list(machine.text(f"{machine.cpu_folder}/topology/thread_siblings_list"))
    others = sorted(siblings - {machine.cpu})
    if not others:
        return ok("No other hardware thread shares the core.")
    names = ", ".join(map(str, others))
    return warn(
        f"CPU {names} shares the core and slows it when it works.",
        f"echo 0 > /sys/devices/system/cpu/cpu{others[0]}/online (or nosmt at boot)",
    )


CHECKS = (
    ("governor", governor),
    ("idle states", idle_states),
    ("halt polling", halt_polling),
    ("dma latency", dma_latency),
    ("SMT", smt),
)
