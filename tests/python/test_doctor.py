# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each check against made-up machines: what is right, what increases latency, what is unknown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from tactus.commands.doctor import choose_cpu
from tactus.doctor import cpus, memory, platform, power, scheduler
from tactus.doctor.cost import COSTS, Cost
from tactus.doctor.finding import Finding, Level
from tactus.doctor.machine import Machine, UnreadableError, cpu_list, observe
from tactus.doctor.probes import Probes, probe
from tactus.doctor.report import (
    CHECKS,
    WIDTH,
    Checked,
    as_json,
    examine,
    is_bad,
    ranked,
    render,
)
from tactus.project import UserError

ABLE = Probes("x86_64", True, -1, True, True, True)
INTERRUPTS = "      CPU0  CPU1\n 24:    7     {irq}  PCI-MSI  eth0\nLOC:   50    {loc}  Local timer"
STAT = "cpu  0\ncpu1 {user} 0 0 {idle} 0 0 0 {steal} 0 0"
KTHREAD = "{pid} ({name}) S 2 0 0 0 -1 {flags}" + " 0" * 30 + " {prio} 0"
CPU1 = "sys/devices/system/cpu/cpu1"
DEBUG = "sys/kernel/debug/sched"

Tree = dict[str, str]
Check = Callable[[Machine], Finding]


def machine(root: Path, tree: Tree, probes: Probes = ABLE, **earlier: str) -> Machine:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return Machine(root, 1, probes, {f"proc/{name}": text for name, text in earlier.items()})


def throttle(runtime: int) -> Tree:
    return {
        "proc/sys/kernel/sched_rt_runtime_us": str(runtime),
        "proc/sys/kernel/sched_rt_period_us": "1000000",
    }


def fair(release: str, runtime: str | None) -> Tree:
    tree = {"proc/sys/kernel/osrelease": release}
    if runtime is not None:
        tree[f"{DEBUG}/fair_server/cpu1/runtime"] = runtime
        tree[f"{DEBUG}/fair_server/cpu1/period"] = "1000000000"
    return tree


def idle(driver: str, exit_us: int, disabled: str = "0") -> Tree:
    state = f"{CPU1}/cpuidle/state3"
    return {
        "sys/devices/system/cpu/cpuidle/current_driver": driver,
        f"{state}/latency": str(exit_us),
        f"{state}/name": "C6",
        f"{state}/disable": disabled,
        f"{CPU1}/cpuidle/state0/latency": "0",
        f"{CPU1}/cpuidle/state0/name": "POLL",
        f"{CPU1}/cpuidle/state0/disable": "0",
    }


def kernel(version: str, **more: str) -> Tree:
    return {
        "proc/version": version,
        "proc/sys/kernel/osrelease": "6.1.0",
        "proc/cmdline": "quiet",
    } | {name.replace("__", "/"): text for name, text in more.items()}


def thread(name: str, flags: int, allowed: str, prio: int = 0) -> Tree:
    return {
        "proc/17/stat": KTHREAD.format(pid=17, name=name, flags=flags, prio=prio),
        "proc/17/status": f"Name:\t{name}\nCpus_allowed_list:\t{allowed}",
    }


def thp(enabled: str, defrag: str) -> Tree:
    folder = "sys/kernel/mm/transparent_hugepage"
    return {f"{folder}/enabled": enabled, f"{folder}/defrag": defrag}


def clock(current: str) -> Tree:
    folder = "sys/devices/system/clocksource/clocksource0"
    return {
        f"{folder}/current_clocksource": current,
        f"{folder}/available_clocksource": f"tsc {current}",
    }


def dog(on: str) -> Tree:
    return {"proc/sys/kernel/watchdog": on, "proc/sys/kernel/nmi_watchdog": on}


def isolated(isolated_cpus: str, online: str = "0-1") -> Tree:
    base = "sys/devices/system/cpu"
    return {f"{base}/isolated": isolated_cpus, f"{base}/online": online}


KT = cpus.PF_KTHREAD
PINNED = cpus.PF_KTHREAD | cpus.PF_NO_SETAFFINITY
MAPS = "proc/sys/vm/max_map_count"
SIBLINGS = f"{CPU1}/topology/thread_siblings_list"
POLL = "sys/module/haltpoll/parameters/guest_halt_poll_ns"
GROUP = "sys/fs/cgroup/cpu/lab/cpu.rt_runtime_us"
DYNAMIC = "Linux 6.1 #1 SMP PREEMPT_DYNAMIC"

CASES: list[tuple[Check, Tree, Level]] = [
    (scheduler.throttling, throttle(950000), Level.WARN),
    (scheduler.throttling, throttle(-1), Level.OK),
    (scheduler.fair_server, fair("6.1.0-18-amd64", None), Level.OK),
    (scheduler.fair_server, fair("6.12.3", None), Level.UNKNOWN),
    (scheduler.fair_server, fair("6.12.3", "50000000"), Level.WARN),
    (scheduler.fair_server, fair("7.0-rc1", "0"), Level.OK),
    (scheduler.rt_group, {"proc/self/cgroup": "3:cpu:/lab", GROUP: "0"}, Level.BAD),
    (scheduler.rt_group, {"proc/self/cgroup": "3:cpu:/lab", GROUP: "900000"}, Level.OK),
    (scheduler.rt_group, {"proc/self/cgroup": "0::/user.slice"}, Level.OK),
    (scheduler.preemption, kernel("Linux 6.1 #1 SMP PREEMPT_RT"), Level.OK),
    (scheduler.preemption, kernel("Linux 6.1 #1 SMP PREEMPT"), Level.WARN),
    (scheduler.preemption, kernel(DYNAMIC), Level.UNKNOWN),
    (scheduler.preemption, kernel(DYNAMIC, proc__cmdline="preempt=full"), Level.WARN),
    (scheduler.timer_migration, {"proc/sys/kernel/timer_migration": "1"}, Level.WARN),
    (scheduler.timer_migration, {"proc/sys/kernel/timer_migration": "0"}, Level.OK),
    (scheduler.watchdogs, dog("1"), Level.WARN),
    (scheduler.watchdogs, dog("0"), Level.OK),
    (cpus.kernel_threads, thread("kswapd (0)", KT, "0-1"), Level.WARN),
    (cpus.kernel_threads, thread("migration/1", PINNED, "1", 99), Level.OK),
    (cpus.kernel_threads, thread("kworker/0:1", KT, "0"), Level.OK),
    (cpus.kernel_threads, thread("bash", 0, "0-1"), Level.UNKNOWN),
    (cpus.isolation, isolated("1"), Level.OK),
    (cpus.isolation, isolated(""), Level.WARN),
    (cpus.isolation, isolated("", online="1"), Level.WARN),
    (cpus.rcu_callbacks, {"proc/cmdline": "quiet rcu_nocbs=1-3"}, Level.OK),
    (cpus.rcu_callbacks, {"proc/cmdline": "quiet rcu_nocbs=2"}, Level.WARN),
    (power.governor, {f"{CPU1}/cpufreq/scaling_governor": "performance"}, Level.OK),
    (power.governor, {f"{CPU1}/cpufreq/scaling_governor": "powersave"}, Level.WARN),
    (power.governor, {}, Level.UNKNOWN),
    (power.idle_states, idle("intel_idle", 133), Level.BAD),
    (power.idle_states, idle("intel_idle", 133, disabled="1"), Level.OK),
    (power.idle_states, idle("intel_idle", 40), Level.WARN),
    (power.idle_states, idle("none", 0), Level.OK),
    (power.idle_states, {}, Level.UNKNOWN),
    (power.halt_polling, idle("haltpoll", 1) | {POLL: "0"}, Level.WARN),
    (power.halt_polling, idle("haltpoll", 1) | {POLL: "200000"}, Level.OK),
    (power.halt_polling, idle("haltpoll", 1), Level.UNKNOWN),
    (power.dma_latency, {"dev/cpu_dma_latency": ""}, Level.OK),
    (power.dma_latency, {}, Level.UNKNOWN),
    (power.smt, {SIBLINGS: "1,3"}, Level.WARN),
    (power.smt, {SIBLINGS: "1"}, Level.OK),
    (memory.swap, {"proc/swaps": "Filename Type\n/dev/sda2 partition"}, Level.WARN),
    (memory.swap, {"proc/swaps": "Filename Type"}, Level.OK),
    (
        memory.huge_pages,
        thp("[always] madvise never", "always [madvise] never"),
        Level.WARN,
    ),
    (
        memory.huge_pages,
        thp("always madvise [never]", "[always] madvise never"),
        Level.OK,
    ),
    (memory.huge_pages, thp("always [madvise] never", "[always] madvise"), Level.WARN),
    (memory.compaction, {"proc/sys/vm/compaction_proactiveness": "20"}, Level.WARN),
    (memory.compaction, {"proc/sys/vm/compaction_proactiveness": "0"}, Level.OK),
    (memory.numa_balancing, {"proc/sys/kernel/numa_balancing": "1"}, Level.WARN),
    (memory.numa_balancing, {"proc/sys/kernel/numa_balancing": "0"}, Level.OK),
    (memory.same_page_merging, {"sys/kernel/mm/ksm/run": "1"}, Level.WARN),
    (memory.same_page_merging, {"sys/kernel/mm/ksm/run": "2"}, Level.OK),
    (memory.mappings, {MAPS: "65530"}, Level.WARN),
    (memory.mappings, {MAPS: "1048576"}, Level.OK),
    (memory.mappings, {MAPS: "many"}, Level.UNKNOWN),
    (platform.clock_source, clock("tsc"), Level.OK),
    (platform.clock_source, clock("kvm-clock"), Level.WARN),
    (platform.clock_source, clock("hpet"), Level.BAD),
    (platform.hypervisor, {"proc/cpuinfo": "flags : fpu hypervisor"}, Level.WARN),
    (platform.hypervisor, {"proc/cpuinfo": "flags : fpu vme"}, Level.OK),
]


def run(check: Check, seen: Machine) -> Finding:
    """The report's result for a check, also for unreadable files."""
    try:
        return check(seen)
    except UnreadableError as error:
        return Finding(Level.UNKNOWN, str(error))


@pytest.mark.parametrize(
    ("check", "tree", "level"),
    CASES,
    ids=[f"{c.__name__}_{n}_is_{x.value}" for n, (c, _, x) in enumerate(CASES)],
)
def test_finding(tmp_path: Path, check: Check, tree: Tree, level: Level) -> None:
    found = run(check, machine(tmp_path, tree))
    assert found.level is level, found.text
    assert bool(found.fix) or level in (Level.OK, Level.UNKNOWN), "a harm without a fix"


def test_interrupt_that_fired_is_named_with_its_count(tmp_path: Path) -> None:
    tree = {
        "proc/interrupts": INTERRUPTS.format(irq=9, loc=60),
        "proc/irq/24/smp_affinity_list": "0-1",
    }
    seen = machine(tmp_path, tree, interrupts=INTERRUPTS.format(irq=5, loc=50))
    found = cpus.interrupts(seen)
    assert found.level is Level.WARN
    assert "IRQ 24 4 times" in found.text


def test_interrupt_routed_elsewhere_is_ok(tmp_path: Path) -> None:
    text = INTERRUPTS.format(irq=5, loc=50)
    tree = {"proc/interrupts": text, "proc/irq/24/smp_affinity_list": "0"}
    assert cpus.interrupts(machine(tmp_path, tree, interrupts=text)).level is Level.OK


def test_effective_affinity_counts_before_the_wanted_one(tmp_path: Path) -> None:
    text = INTERRUPTS.format(irq=5, loc=50)
    tree = {
        "proc/interrupts": text,
        "proc/irq/24/smp_affinity_list": "0-1",
        "proc/irq/24/effective_affinity_list": "0",
    }
    assert cpus.interrupts(machine(tmp_path, tree, interrupts=text)).level is Level.OK


def test_tick_says_how_often_it_came(tmp_path: Path) -> None:
    tree = {"proc/interrupts": INTERRUPTS.format(irq=0, loc=300)}
    found = cpus.tick(machine(tmp_path, tree, interrupts=INTERRUPTS.format(irq=0, loc=50)))
    assert "250 timer interrupts" in found.text


@pytest.mark.parametrize(("stolen", "level"), [(0, Level.OK), (50, Level.BAD)])
def test_steal_is_a_share_of_the_time_looked(tmp_path: Path, stolen: int, level: Level) -> None:
    now = STAT.format(user=100, idle=200 - stolen, steal=stolen)
    seen = machine(tmp_path, {"proc/stat": now}, stat=STAT.format(user=50, idle=150, steal=0))
    assert cpus.steal(seen).level is level


def test_standing_counters_are_unknown(tmp_path: Path) -> None:
    text = STAT.format(user=1, idle=1, steal=0)
    assert cpus.steal(machine(tmp_path, {"proc/stat": text}, stat=text)).level is Level.UNKNOWN


@pytest.mark.parametrize(
    ("check", "change", "level"),
    [
        (scheduler.privileges, {"fifo_allowed": False}, Level.BAD),
        (scheduler.privileges, {"fifo_allowed": None}, Level.UNKNOWN),
        (memory.lockable, {"lockable_bytes": 64 << 10}, Level.BAD),
        (memory.lockable, {"lockable_bytes": 1 << 30}, Level.OK),
        (memory.lockable, {"lockable_bytes": None}, Level.UNKNOWN),
        (platform.syscall_dispatch, {"syscall_user_dispatch": False}, Level.BAD),
        (platform.syscall_dispatch, {"syscall_user_dispatch": None}, Level.UNKNOWN),
        (platform.fsgsbase, {"fsgsbase": False}, Level.WARN),
    ],
)
def test_probe(
    tmp_path: Path, check: Check, change: dict[str, bool | int | None], level: Level
) -> None:
    probes = dataclasses.replace(ABLE, **change)  # type: ignore[arg-type]
    assert check(machine(tmp_path, {}, probes)).level is level


def test_machine_without_files_has_no_finding_that_is_ok_by_silence(
    tmp_path: Path,
) -> None:
    blind = Probes("riscv64", None, None, False, None, None)
    results = examine(Machine(tmp_path, 1, blind))
    assert len(results) == len(CHECKS)
    # A feature without files is absent; everything else must be unknown.
    may_be_absent = {
        "huge pages",
        "compaction",
        "NUMA balancing",
        "page merging",
        "watchdogs",
    }
    may_be_absent.add("bare: signature")  # no UEFI
    fine = {r.check for r in results if r.finding.level is Level.OK}
    assert fine <= may_be_absent | {"FSGSBASE"}


def test_report_keeps_to_80_columns_and_puts_the_worst_first(tmp_path: Path) -> None:
    seen = machine(tmp_path, clock("hpet") | throttle(950000))
    results = examine(seen)
    text = render(results)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.startswith("bad")
    assert is_bad(results)
    document = as_json(results, seen, "6.1")
    assert document["schema"] == 1
    assert isinstance(document["findings"], list) and len(document["findings"]) == len(CHECKS)


def test_counters_are_read_before_the_wait(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    stat = tmp_path / "proc/stat"
    stat.write_text("before")

    def sleep(seconds: float) -> None:
        assert seconds == 1.0
        stat.write_text("after")

    seen = observe(tmp_path, 0, ABLE, 1.0, sleep)
    assert (seen.before("proc/stat"), seen.text("proc/stat")) == ("before", "after")


def test_cpu_is_the_one_asked_for_an_isolated_one_or_the_last_allowed(
    tmp_path: Path,
) -> None:
    every = frozenset({0, 1, 2})
    assert choose_cpu(None, every, tmp_path) == 2, "without /sys the allowed ones count"
    machine(tmp_path, isolated("", online="0-3"))
    assert choose_cpu(None, every, tmp_path) == 2
    assert choose_cpu(3, every, tmp_path) == 3
    machine(tmp_path, isolated("1", online="0-3"))
    assert choose_cpu(None, every, tmp_path) == 1
    with pytest.raises(UserError, match="choose one of 0, 1, 2, 3"):
        choose_cpu(4, every, tmp_path)


def test_cpu_list_reads_ranges() -> None:
    assert cpu_list("0-2,5\n") == {0, 1, 2, 5}
    assert cpu_list("") == frozenset()


def test_probe_of_this_machine_leaves_the_policy_alone() -> None:
    import os

    before = os.sched_getscheduler(0)
    probe()
    assert os.sched_getscheduler(0) == before


def test_every_check_has_its_cost() -> None:
    assert set(COSTS) == {name for name, _ in CHECKS}
    # The table is in the order of the costs, so that weights never contradict them.
    order = list(Cost)
    places = [order.index(cost) for cost in COSTS.values()]
    assert places == sorted(places)


def test_warnings_come_by_what_they_cost() -> None:
    def warned(*names: str) -> list[Checked]:
        return [Checked(name, Finding(Level.WARN, "Text.", "fix")) for name in names]

    found = [
        *warned("tick", "bare: module", "preemption", "interrupts"),
        *warned("hypervisor"),
    ]
    found.append(Checked("timer migration", Finding(Level.BAD, "Text.", "fix")))
    text = render(ranked(found)).splitlines()
    heads = [line for line in text if line.startswith(("bad: ", "warn: "))]
    assert heads == [
        "bad: delays of a few µs",
        "warn: stops of 10 ms and more",
        "warn: delays of a millisecond and more",
        "warn: delays of 10 to 1000 µs",
        "warn: delays of a few µs",
        "warn: only where it is used",
    ]
    assert text[-1] == "Correct first: timer migration, hypervisor, preemption."
    assert "Correct first" not in render(ranked(warned("tick", "preemption")))
