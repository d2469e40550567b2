# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plain-language summary: sentences that follow from the figures, whatever the outcome."""

from __future__ import annotations

from collections.abc import Sequence

from tactus.lab.model import Clock, Row
from tactus.lab.naming import (
    INDEX,
    LATENCY,
    LOADS,
    NOISE,
    STOCK,
    in_order,
    machine,
    sorted_rows,
    system,
)
from tactus.lab.report import crosscheck
from tactus.lab.report.published import Figure, Order
from tactus.lab.results.folder import Loaded, Measured
from tactus.lab.stats.extremes import Estimate
from tactus.measure.plan import LINUX_SPIN
from tactus.measure.units import plural, prose_time, tied, times_text


def sentences(
    loaded: Loaded,
    figures: Sequence[Figure],
    estimates: Sequence[tuple[Measured, Estimate]],
) -> list[str]:
    rows = [measured.row for measured in sorted_rows(loaded.rows())]
    found = [_clock(rows), *_latency(rows), _stock(rows), crosscheck.sentence(rows)]
    found += _throughput(rows)
    found += [_bounds(estimates), _noise(rows), _published(figures), _failures(loaded)]
    return [tied(text) for text in found if text]


def _clock(rows: Sequence[Row]) -> str:
    if not any(row.clock is Clock.VIRTUAL for row in rows):
        return ""
    every = all(row.clock is Clock.VIRTUAL for row in rows)
    return (
        f"{'All times' if every else 'Times of virtual machines'} are instruction counts: one "
        "nanosecond is one instruction. They rank kernels repeatably, but say nothing about "
        "hardware."
    )


def _heaviest(rows: Sequence[Row]) -> list[Row]:
    own = [r for r in rows if r.metric == LATENCY and r.tasks == 1 and r.max_ns is not None]
    loads = in_order([row.load for row in own], LOADS)
    return [row for row in own if row.load == loads[-1]] if loads else []


def _latency(rows: Sequence[Row]) -> list[str]:
    """Under the heaviest load: the peers, then Tactus beside them on each kernel."""
    own = _heaviest(rows)
    if not own:
        return []
    where = "Without load" if own[0].load == "idle" else f"Under {own[0].load}"
    peers = [r for r in own if r.instrument == "cyclictest"] or [
        r for r in own if r.core == "linux"
    ]
    found = []
    if peers:
        ranked = sorted(peers, key=lambda row: row.max_ns or 0)
        each = ", ".join(f"{machine(r)} {prose_time(r.max_ns)}" for r in ranked)
        found.append(f"{where} the longest latency of {system(ranked[0])} is: {each}.")
    beside = []
    for row in own:
        if row.core != "thread" or row.context != "task":
            continue
        same = (row.target, row.kernel, row.cpus)
        peer = next((p for p in peers if (p.target, p.kernel, p.cpus) == same), None)
        if peer is not None and row.p50_ns and peer.p50_ns and row.max_ns and peer.max_ns:
            beside.append(
                f"{machine(row)} {_against(row.p50_ns, peer.p50_ns)} at the median and "
                f"{_against(row.max_ns, peer.max_ns)} at the longest"
            )
    if beside:
        name = system(peers[0])
        found.append(
            f"{where} a Tactus task, beside {name} on the same kernel: {'; '.join(beside)}."
        )
    return [*found, *_spinning(own, where)]


def _spinning(own: Sequence[Row], where: str) -> list[str]:
    """The peer with the same cost: a plain thread that wakes the same time ahead, and spins."""
    beside = []
    for row in own:
        if row.core != "thread" or row.context != "task":
            continue
        same = (row.target, row.kernel, row.cpus, row.extra.get("lead_ns"))
        peer = next(
            (
                p
                for p in own
                if p.core == LINUX_SPIN
                and (p.target, p.kernel, p.cpus, p.extra.get("lead_ns")) == same
            ),
            None,
        )
        if peer is not None and row.p50_ns and peer.p50_ns and row.max_ns and peer.max_ns:
            beside.append(
                f"{machine(row)} {_against(row.p50_ns, peer.p50_ns)} at the median and "
                f"{_against(row.max_ns, peer.max_ns)} at the longest"
            )
    if not beside:
        return []
    return [
        f"{where} a Tactus task, beside a plain thread that spins with the same lead: "
        f"{'; '.join(beside)}."
    ]


def _against(mine: int, other: int) -> str:
    if mine == other:
        return "alike"
    ratio = max(mine, other) / min(mine, other)
    if ratio < 1.05:
        return "about alike"
    return f"{times_text(ratio)}× {'shorter' if mine < other else 'longer'}"


def _stock(rows: Sequence[Row]) -> str:
    """The cause of the longest latencies on stock kernels, for all systems."""
    own = [r for r in _heaviest(rows) if r.kernel in STOCK and r.load != "idle"]
    if not own:
        return ""
    return (
        "On a stock kernel with the load on the same CPU, the non-preemptible sections of the "
        "kernel delay all threads, also those of Tactus; these sections are the long latencies "
        "there."
    )


def _throughput(rows: Sequence[Row]) -> list[str]:
    found = []
    index = [r for r in rows if r.instrument == INDEX and r.metric == INDEX and r.value]
    for copies in dict.fromkeys(row.tasks for row in index):
        own = [row for row in index if row.tasks == copies]
        generic = next((r.value for r in own if r.kernel == "generic"), None)
        if generic is None or len(own) < 2:
            continue
        others = [r for r in own if r.kernel != "generic"]
        each = ", ".join(f"{machine(r)} {(r.value or 0) / generic - 1:+.0%}" for r in others)
        many = "one copy" if copies == 1 else f"{copies} copies"
        found.append(f"Throughput with {many}, against the generic kernel: {each}.")
    return found


def _bounds(estimates: Sequence[tuple[Measured, Estimate]]) -> str:
    if not estimates:
        return ""
    answered = [answer for _, answer in estimates if answer.level is not None]
    text = (
        f"Of {plural(len(estimates), 'latency distribution')} {len(answered)} can be extrapolated "
        "to a bound for one in 10⁹ releases"
    )
    refused = [answer.refusal for _, answer in estimates if answer.refusal is not None]
    if not refused:
        return text + "."
    usual = max(dict.fromkeys(refused), key=refused.count)
    return f"{text}; the most frequent reason against it: {usual}."


def _noise(rows: Sequence[Row]) -> str:
    gaps = [row for row in rows if row.instrument == NOISE and row.max_ns is not None]
    if not gaps:
        return ""
    worst = max(gaps, key=lambda row: row.max_ns or 0)
    return (
        f"The machine itself stops an empty loop for up to {prose_time(worst.max_ns)} "
        f"on {machine(worst)}; the software causes only what is longer."
    )


def _published(figures: Sequence[Figure]) -> str:
    agree = sum(figure.order is Order.AGREES for figure in figures)
    differ = [figure for figure in figures if figure.order is Order.DIFFERS]
    if not agree and not differ:
        return ""
    repeated = plural(agree + len(differ), "published comparison")
    text = f"Of {repeated} that could be repeated, {agree} come in the same order"
    if differ:
        text += f"; not: {', '.join(figure.what for figure in differ)}"
    return text + "."


def _failures(loaded: Loaded) -> str:
    failures = loaded.failures()
    if not failures:
        return ""
    left = "is" if len(failures) == 1 else "are"
    runs = plural(len(failures), "run")
    return f"{runs} that failed, or whose load failed, {left} left out of all figures."
