# SPDX-License-Identifier: LGPL-2.1-or-later
"""The content of the report's tables, which become HTML and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactus.lab.model import Clock, Row
from tactus.lab.naming import INDEX, IRQ, LATENCY, LOADS, NOISE, in_order, machine, source, system
from tactus.measure.plan import LINUX_SPIN
from tactus.measure.units import count_text, prose_time


@dataclass(frozen=True, slots=True)
class Table:
    """`bars` are shares of the longest bar, for a table that is also a bar chart."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    raw: tuple[tuple[object, ...], ...]
    """The cells for the CSV: numbers in nanoseconds or the row's unit."""
    bars: tuple[float, ...] = ()
    ours: tuple[bool, ...] = ()
    note: str = ""
    groups: tuple[tuple[str, int], ...] = ()
    """Heads above the heads, with their widths."""

    def named(self, column: int) -> str:
        """A column's head with the one above it."""
        above = [name for name, width in self.groups for _ in range(width)]
        return f"{above[column]} {self.head[column]}".strip() if above else self.head[column]


def clock_note(rows: Sequence[Row]) -> str:
    virtual = any(row.clock is Clock.VIRTUAL for row in rows)
    real = any(row.clock is Clock.REAL for row in rows)
    if virtual and real:
        return "Rows of the target vm are instruction counts: 1 ns is one instruction."
    return "Instruction counts: 1 ns is one instruction, not time on hardware." if virtual else ""


def lead_note(rows: Sequence[Row]) -> str:
    """The price for the latencies of a core that wakes ahead of the release and spins."""
    said = []
    spun = [row for row in rows if row.core == "thread" and row.extra.get("spun_share")]
    ahead = leads(spun, "thread")
    if spun:
        share = max(row.extra["spun_share"] for row in spun)
        how = f" {ahead}" if ahead else ""
        cost = f"up to {share:.0%} of its time"
        said.append(f"A Tactus CPU wakes{how} ahead of a release and spins: {cost}.")
    peer = leads(rows, LINUX_SPIN)
    if peer:
        how = "as far" if peer == ahead else peer
        said.append(f"{LINUX_SPIN}, a plain thread, also wakes {how} ahead and spins.")
    return " ".join(said)


def leads(rows: Sequence[Row], core: str) -> str:
    """How far ahead a core wakes, if a plan gives that."""
    named = {int(r.extra["lead_ns"]) for r in rows if r.core == core and r.extra.get("lead_ns")}
    return " and ".join(prose_time(ns) for ns in sorted(named))


def time(value: float | None) -> str:
    return prose_time(value)


def latency(rows: Sequence[Row]) -> Table | None:
    """Kernel × load, like the table of the Xenomai 3 paper."""
    own = [row for row in rows if row.metric == LATENCY and row.tasks == 1]
    if not own:
        return None
    loads = in_order([row.load for row in own], LOADS)
    # For two runs of one setup, the longest maximum counts.
    found: dict[tuple[str, str, str], Row] = {}
    for row in own:
        key = (machine(row), system(row), row.load)
        if key not in found or (row.max_ns or 0) > (found[key].max_ns or 0):
            found[key] = row
    lines: list[tuple[str, ...]] = []
    raw: list[tuple[object, ...]] = []
    pairs = list(dict.fromkeys((kernel, who) for kernel, who, _ in found))
    for kernel, who in pairs:
        cells = [found.get((kernel, who, load)) for load in loads]
        figures = [(r.p50_ns, r.p99_ns, r.max_ns) if r else (None,) * 3 for r in cells]
        flat = [value for three in figures for value in three]
        lines.append((kernel, who, *map(time, flat)))
        raw.append((kernel, who, *flat))
    return Table(
        "latency",
        "Latency: median, 99th percentile, longest",
        ("kernel", "measured with", *("p50", "p99", "max") * len(loads)),
        tuple(lines),
        tuple(raw),
        ours=tuple(who.startswith("Tactus") for _, who in pairs),
        note=" ".join(note for note in (clock_note(own), lead_note(own)) if note),
        groups=(("", 2), *((load, 3) for load in loads)),
    )


def throughput(rows: Sequence[Row], cpus: int) -> Table | None:
    """The index of each kernel, like figures 10 and 11 of the multi-core paper."""
    own = [r for r in rows if r.instrument == INDEX and r.metric == INDEX and r.tasks == cpus]
    if not own:
        return None
    values = [row.value or 0.0 for row in own]
    best = max(values) or 1.0
    generic = next((r.value for r in own if r.kernel == "generic" and r.value), None)
    against = [f"{v / generic:.0%}" if generic else "–" for v in values]
    copies = "one copy" if cpus == 1 else f"{cpus} copies"
    return Table(
        f"throughput-{cpus}",
        f"Throughput index, {copies}",
        ("kernel", "index", "of generic", ""),
        tuple(
            (machine(r), f"{v:.1f}", share, "")
            for r, v, share in zip(own, values, against, strict=True)
        ),
        tuple((machine(r), r.value, share) for r, share in zip(own, against, strict=True)),
        bars=tuple(v / best for v in values),
        note="Higher is better. " + clock_note(own),
    )


def single_tests(rows: Sequence[Row]) -> Table | None:
    """The tests of which the index consists, kernel by kernel."""
    own = [r for r in rows if r.instrument == INDEX and r.metric != INDEX and r.value is not None]
    if not own:
        return None
    kernels = list(dict.fromkeys(machine(row) for row in own))
    tests = list(dict.fromkeys((row.metric, row.tasks, row.unit) for row in own))
    at = {((r.metric, r.tasks, r.unit), machine(r)): r.value for r in own}
    cells = [[at.get((test, kernel)) for kernel in kernels] for test in tests]
    names = [f"{name}, {n} {'copy' if n == 1 else 'copies'} ({unit})" for name, n, unit in tests]
    return Table(
        "throughput-tests",
        "The tests of the index",
        ("test", *kernels),
        tuple(
            (name, *("–" if v is None else f"{v:.5g}" for v in line))
            for name, line in zip(names, cells, strict=True)
        ),
        tuple((name, *line) for name, line in zip(names, cells, strict=True)),
        note=clock_note(own),
    )


def times(rows: Sequence[Row], instrument: str, title: str) -> Table | None:
    """p50 of each operation: a line each, kernel by kernel, Linux beside Tactus."""
    own = [row for row in rows if row.instrument == instrument and row.unit == "ns"]
    if not own:
        return None
    columns = list(dict.fromkeys((machine(row), row.core) for row in own))
    lines = list(dict.fromkeys((r.metric, r.variant, r.tasks, r.load) for r in own))
    at = {((r.metric, r.variant, r.tasks, r.load), (machine(r), r.core)): r for r in own}
    text, raw = [], []
    for line in lines:
        name, variant, tasks, load = line
        parts = [name.replace("_", " "), variant, f"{tasks} tasks" if tasks > 1 else ""]
        parts.append("" if load == "idle" else f"load {load}")
        label = ", ".join(part for part in parts if part)
        found = [at.get((line, column)) for column in columns]
        middle = [
            None if r is None else (r.p50_ns if r.p50_ns is not None else r.avg_ns) for r in found
        ]
        text.append((label, *map(time, middle)))
        raw.append((label, *middle))
    kernels = list(dict.fromkeys(kernel for kernel, _ in columns))
    widths = [(kernel, sum(k == kernel for k, _ in columns)) for kernel in kernels]
    cores = {"linux": "Linux", "thread": "Tactus"}
    return Table(
        instrument,
        title,
        ("median", *(cores.get(core, core) for _, core in columns)),
        tuple(text),
        tuple(raw),
        note=clock_note(own),
        groups=(("", 1), *widths),
    )


def response(rows: Sequence[Row]) -> Table | None:
    """External interrupts: to the handler, to a task."""
    own = [row for row in rows if row.instrument == IRQ and row.samples]
    if not own:
        return None
    lines = [
        (
            machine(r),
            r.load,
            r.metric.removeprefix("irq-"),
            source(r),
            {"thread": "Tactus", "bare": "Tactus bare"}.get(r.core, "Linux"),
            r,
        )
        for r in own
    ]
    return Table(
        "interrupts",
        "Interrupt response",
        ("kernel", "load", "until", "by", "of", "p50", "p99", "max", "min", "samples"),
        tuple(
            (*words, *map(time, (r.p50_ns, r.p99_ns, r.max_ns, r.min_ns)), count_text(r.samples))
            for *words, r in lines
        ),
        tuple((*words, r.p50_ns, r.p99_ns, r.max_ns, r.min_ns, r.samples) for *words, r in lines),
        ours=tuple(r.core == "thread" for r in own),
        note=clock_note(own),
    )


def noise(rows: Sequence[Row]) -> Table | None:
    """The gaps of hardware and hypervisor, beside the longest latency of the software there."""
    own = [row for row in rows if row.instrument == NOISE]
    if not own:
        return None
    lines: list[tuple[str, ...]] = []
    raw: list[tuple[object, ...]] = []
    for row in own:
        same = [
            r.max_ns or 0
            for r in rows
            if r.metric == LATENCY
            and (r.target, r.kernel, r.cpus, r.load) == (row.target, row.kernel, row.cpus, row.load)
        ]
        longest = max(same, default=None)
        steal = row.extra.get("steal_ns")
        blame = "–" if longest is None else _blame(row.max_ns or 0, longest)
        figures = (row.p50_ns, row.max_ns, steal, longest)
        lines.append((machine(row), row.load, count_text(row.samples), *map(time, figures), blame))
        raw.append((machine(row), row.load, row.samples, *figures, blame))
    return Table(
        "noise",
        "The machine itself: gaps and their causes",
        ("kernel", "load", "gaps", "p50 gap", "longest gap", "stolen", "longest latency", "blame"),
        tuple(lines),
        tuple(raw),
        note=(
            "A gap is a time for which a loop that only reads the clock was stopped. No program "
            "on that machine can do better. "
        )
        + clock_note(own),
    )


def _blame(gap_ns: int, latency_ns: int) -> str:
    """The machine caused a latency if it stopped an empty loop for at least half as long."""
    return "machine" if 2 * gap_ns >= latency_ns else "software"
