# SPDX-License-Identifier: LGPL-2.1-or-later
"""The content of a status segment: its program, the CPUs, and every task, copied whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tactus.abi.layout import Buffer, Layout, Record

TRIES = 1000
NS_PER_TICK_SHIFT = 32
# Bits of the state, the most telling one first.
STATES = (
    "faulted",
    "ended",
    "dormant",
    "suspended",
    "waiting",
    "sleeping",
    "throttled",
    "moving",
)


class SegmentError(Exception):
    """The bytes are no status segment that this tool can read; the message says why."""


class TornError(Exception):
    """A slot changed during each read."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """A real-time CPU of a program."""

    index: int
    linux_cpu: int
    current_slot: int
    current_since_ticks: int
    switches: int
    watchdog_hits: int
    faults: int
    page_faults: int
    spun_ns: int
    gap_max_ns: int
    wake_late_max_ns: int


@dataclass(frozen=True, slots=True)
class Task:
    """A task; its times are in the program's own clock."""

    slot: int
    handle: int
    name: str
    linux_tid: int
    cpu: int
    base_priority: int
    priority: int
    sched_class: str
    mode: str
    state: str
    waits_for: int
    waits_name: str
    switches: int
    mode_switches: int
    overruns: int
    deadlines_missed: int
    faults: int
    run_ns: int
    period_ns: int


@dataclass(frozen=True, slots=True)
class Program:
    """The content of one segment. `torn`: slots that changed during each read and were left out."""

    pid: int
    name: str
    start_ns: int
    cpus: tuple[Cpu, ...]
    tasks: tuple[Task, ...]
    torn: int
    core: str = "unknown"
    """The back end that supplies its CPUs: sim, thread or bare."""


def read(data: Buffer, layout: Layout, now_ns: Callable[[], int | None]) -> Program:
    """Copies a program's state. now_ns: the program's clock now. In virtual time it is None,
    because the time is not known; then a running task's time is that of its last switch."""
    header = _header(data, layout)
    cpus = tuple(_cpus(data, layout, header))
    tasks: list[Task] = []
    torn = 0
    for slot in range(header["cpus"] * header["slots_per_cpu"]):
        try:
            record = _slot(data, layout, header["slot_offset"] + slot * header["slot_stride"])
        except TornError:
            torn += 1
            continue
        if record["handle"]:
            tasks.append(_task(record, slot, layout, header, cpus, now_ns()))
    return Program(
        header["pid"],
        header.texts["program"],
        header["start_ns"],
        cpus,
        tuple(_with_names(tasks)),
        torn,
        layout.names("TACT_STATUS_CORE_").get(header["core"], "unknown"),
    )


def _header(data: Buffer, layout: Layout) -> Record:
    structure = layout.structures["tact_status_header"]
    if len(data) < structure.size_bytes:
        raise SegmentError("the status segment is shorter than its header")
    header = structure.read(data)
    if header["magic"] != layout.constants["TACT_STATUS_MAGIC"]:
        raise SegmentError("the status segment is not complete: the program is starting")
    theirs, ours = header["revision"], layout.constants["TACT_STATUS_REVISION"]
    if theirs != ours:
        raise SegmentError(
            f"its status segment has revision {theirs}, this tool reads {ours}: "
            "use the tactus with which the program was built"
        )
    slots = header["cpus"] * header["slots_per_cpu"]
    ends = (
        header["bytes"],
        header["cpu_offset"] + header["cpus"] * header["cpu_stride"],
        header["slot_offset"] + slots * header["slot_stride"],
    )
    if max(ends) > len(data):
        raise SegmentError(f"the status segment ends at {len(data)}, its header says {max(ends)}")
    return header


def _cpus(data: Buffer, layout: Layout, header: Record) -> Iterator[Cpu]:
    structure = layout.structures["tact_status_cpu"]
    for index in range(header["cpus"]):
        record = structure.read(data, header["cpu_offset"] + index * header["cpu_stride"])
        yield Cpu(
            index,
            record["linux_cpu"],
            record["current_slot"],
            record["current_since_ticks"],
            record["switches"],
            record["watchdog_hits"],
            record["faults"],
            record["page_faults"],
            record["spun_ns"],
            record["gap_max_ns"],
            record["wake_late_max_ns"],
        )


def _slot(data: Buffer, layout: Layout, offset: int) -> Record:
    """A copy during which the slot was neither taken nor given up."""
    structure = layout.structures["tact_status_task"]
    for _ in range(TRIES):
        record = structure.read(bytes(data[offset : offset + structure.size_bytes]))
        after = structure.read(bytes(data[offset : offset + structure.size_bytes]))
        if record["sequence"] % 2 == 0 and record["sequence"] == after["sequence"]:
            return record
    raise TornError


def _task(
    record: Record,
    slot: int,
    layout: Layout,
    header: Record,
    cpus: tuple[Cpu, ...],
    now_ns: int | None,
) -> Task:
    running = any(cpu.current_slot == slot for cpu in cpus)
    ticks = record["run_ticks"]
    if running and now_ns is not None:
        ticks += _running_ticks(header, cpus[record["cpu"]], now_ns)
    classes = layout.names("TACT_SCHED_")
    return Task(
        slot=slot,
        handle=record["handle"],
        name=record.texts["name"],
        linux_tid=record["linux_tid"],
        cpu=record["cpu"],
        base_priority=record["base_priority"],
        priority=record["priority"],
        sched_class=classes.get(record["sched_class"], f"class {record['sched_class']}"),
        mode=_mode(record, layout),
        state=_state(record["state"], layout, running),
        waits_for=record["waits_for"],
        waits_name=record.texts["waits_name"] if record["waits_for"] else "",
        switches=record["switches"],
        mode_switches=record["mode_switches"],
        overruns=record["overruns"],
        deadlines_missed=record["deadlines_missed"],
        faults=record["faults"],
        run_ns=ticks * header["tick_mult"] >> NS_PER_TICK_SHIFT,
        period_ns=record["period_ns"],
    )


def _running_ticks(header: Record, cpu: Cpu, now_ns: int) -> int:
    if not header["tick_mult"] or not cpu.current_since_ticks:
        return 0
    since_start = ((now_ns - header["start_ns"]) << NS_PER_TICK_SHIFT) // header["tick_mult"]
    return max(0, header["start_ticks"] + since_start - cpu.current_since_ticks)


def _mode(record: Record, layout: Layout) -> str:
    if record["light"]:
        return "light"
    return "secondary" if record["state"] & _bit(layout, "relaxed") else "primary"


def _state(bits: int, layout: Layout, running: bool) -> str:
    for name in STATES:
        if bits & _bit(layout, name):
            return name
    if bits & _bit(layout, "relaxed"):
        return "linux"
    return "running" if running else "ready"


def _bit(layout: Layout, name: str) -> int:
    return layout.constants[f"TACT_TASK_STATE_{name.upper()}"]


def _with_names(tasks: list[Task]) -> Iterator[Task]:
    """A task that joins another one waits for something whose name is also in the segment."""
    names = {task.handle: task.name for task in tasks if task.name}
    for task in tasks:
        if task.waits_for and not task.waits_name and task.waits_for in names:
            yield replace(task, waits_name=names[task.waits_for])
        else:
            yield task
