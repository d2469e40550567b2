# SPDX-License-Identifier: LGPL-2.1-or-later
"""What else runs on the CPU: interrupts, kernel threads, and the settings that keep them away."""

from __future__ import annotations

from collections.abc import Mapping

from tactus.doctor.finding import Finding, bad, ok, unknown, warn
from tactus.doctor.machine import Machine, UnreadableError, cpu_list

PF_KTHREAD = 0x0020_0000
PF_NO_SETAFFINITY = 0x0400_0000
NAMES_SHOWN = 3


def counts_on(text: str, cpu: int) -> dict[str, int]:
    """Interrupts so far on one CPU, by the first column of /proc/interrupts."""
    header, *rows = text.splitlines()
    try:
        column = header.split().index(f"CPU{cpu}")
    except ValueError:
        raise UnreadableError(f"/proc/interrupts: no column for CPU {cpu}") from None
    counts: dict[str, int] = {}
    for row in rows:
        name, _, rest = row.partition(":")
        words = rest.split()
        if column < len(words) and words[column].isdigit():
            counts[name.strip()] = int(words[column])
    return counts


def _moved(machine: Machine) -> dict[str, int]:
    before = counts_on(machine.before("proc/interrupts"), machine.cpu)
    now = counts_on(machine.text("proc/interrupts"), machine.cpu)
    return {name: count - before.get(name, 0) for name, count in now.items()}


def _some(items: list[str]) -> str:
    more = len(items) - NAMES_SHOWN
    return ", ".join(items[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def interrupts(machine: Machine) -> Finding:
    moved = {n: c for n, c in _moved(machine).items() if n.isdigit() and c > 0}
    allowed: list[str] = []
    for irq in filter(str.isdigit, machine.names("proc/irq")):
        if machine.exists(f"proc/irq/{irq}/effective_affinity_list"):
            where = machine.text(f"proc/irq/{irq}/effective_affinity_list")
        else:
            where = machine.text(f"proc/irq/{irq}/smp_affinity_list")
        if machine.cpu in cpu_list(where):
            allowed.append(irq)
    fix = "for each: echo OTHER_CPUS > /proc/irq/IRQ/smp_affinity_list, or boot with irqaffinity="
    if moved:
        busy = sorted(moved, key=lambda n: -moved[n])
        shown = _some([f"IRQ {n} {moved[n]} times" for n in busy])
        return warn(f"Devices interrupted the CPU during the observation: {shown}.", fix)
    if allowed:
        shown = _some(sorted(allowed, key=int))
        return warn(
            f"These IRQs may interrupt the CPU, but none did during the observation: {shown}.", fix
        )
    return ok("No device interrupt is routed to the CPU.")


def _thread_fields(stat: str) -> Mapping[str, int]:
    # The name in parentheses may hold spaces and parentheses: the last one closes it.
    words = stat[stat.rindex(")") + 2 :].split()
    return {"flags": int(words[6]), "rt_priority": int(words[37])}


def kernel_threads(machine: Machine) -> Finding:
    bound: list[str] = []
    movable: list[str] = []
    seen = 0
    for pid in filter(str.isdigit, machine.names("proc")):
        try:
            stat = machine.text(f"proc/{pid}/stat")
            status = machine.text(f"proc/{pid}/status")
        except UnreadableError:
            continue  # it ended meanwhile
        fields = _thread_fields(stat)
        if not fields["flags"] & PF_KTHREAD:
            continue
        seen += 1
        line = next((x for x in status.splitlines() if x.startswith("Cpus_allowed_list:")), "")
        allowed = cpu_list(line.partition(":")[2])
        if machine.cpu not in allowed:
            continue
        name = stat[stat.index("(") + 1 : stat.rindex(")")]
        if fields["flags"] & PF_NO_SETAFFINITY:
            if allowed == {machine.cpu} and fields["rt_priority"]:
                bound.append(name)
        else:
            movable.append(name)
    if not seen:
        return unknown("No kernel thread is visible from here (a container?).")
    if movable:
        return warn(
            f"{len(movable)} kernel threads may run on the CPU, but could run on others: "
            f"{_some(movable)}.",
            f"for each: taskset -pc OTHER_CPUS PID, or boot with isolcpus={machine.cpu}",
        )
    fixed = f" (except {_some(bound)}, which are bound to it)" if bound else ""
    return ok(f"No kernel thread runs on the CPU that could run on others{fixed}.")


def isolation(machine: Machine) -> Finding:
    isolated = cpu_list(machine.text("sys/devices/system/cpu/isolated"))
    if machine.cpu in isolated:
        return ok("The CPU is isolated from Linux's load balancing.")
    if len(cpu_list(machine.text("sys/devices/system/cpu/online"))) == 1:
        return warn(
            "The machine has one CPU, which all programs share.",
            "use a machine with two CPUs or more",
        )
    return warn(
        "Linux also runs ordinary threads on the CPU (it is not isolated).",
        f"boot with isolcpus=managed_irq,domain,{machine.cpu}",
    )


def tick(machine: Machine) -> Finding:
    rate = _moved(machine).get("LOC")
    seen = f"; {rate} timer interrupts during the observation" if rate is not None else ""
    path = "sys/devices/system/cpu/nohz_full"
    # An empty set of CPUs is printed as "(null)" by some kernels.
    listed = machine.text(path).replace("(null)", "") if machine.exists(path) else ""
    if machine.cpu in cpu_list(listed):
        return ok(f"The tick is stopped while one task runs (nohz_full){seen}.")
    return warn(
        f"The tick runs while any task runs (no nohz_full){seen}.",
        f"boot with nohz_full={machine.cpu} (kernel with CONFIG_NO_HZ_FULL)",
    )


def rcu_callbacks(machine: Machine) -> Finding:
    for option in ("rcu_nocbs", "nohz_full"):
        value = machine.boot_option(option)
        if value is None:
            continue
        if value == "all" or (value[:1].isdigit() and machine.cpu in cpu_list(value)):
            return ok(f"RCU's callbacks run on other CPUs ({option}={value}).")
    return warn(
        "RCU's callbacks run on the CPU, in soft interrupts.",
        f"boot with rcu_nocbs={machine.cpu}",
    )


def steal(machine: Machine) -> Finding:
    def fields(text: str) -> list[int]:
        for line in text.splitlines():
            words = line.split()
            if words and words[0] == f"cpu{machine.cpu}":
                return [int(w) for w in words[1:9]]
        raise UnreadableError(f"/proc/stat: no line for CPU {machine.cpu}")

    before = fields(machine.before("proc/stat"))
    now = fields(machine.text("proc/stat"))
    total = sum(now) - sum(before)
    if total <= 0 or len(now) < 8:
        return unknown(
            "/proc/stat did not change during the observation: steal time is not visible."
        )
    share = 100 * (now[7] - before[7]) / total
    if share == 0:
        return ok("The hypervisor stole no time during the observation.")
    fix = "on the host, pin the virtual CPU to a physical CPU that runs nothing else"
    text = f"The hypervisor took the CPU away for {share:.0f} % of the observation."
    return bad(text, fix) if share >= 1 else warn(text, fix)


CHECKS = (
    ("interrupts", interrupts),
    ("kernel threads", kernel_threads),
    ("isolation", isolation),
    ("tick", tick),
    ("RCU callbacks", rcu_callbacks),
    ("steal time", steal),
)
