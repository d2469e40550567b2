# SPDX-License-Identifier: LGPL-2.1-or-later
"""Names of things for readers of results, and the order that readers expect."""

from __future__ import annotations

from collections.abc import Sequence

from tactus.lab.model import Row
from tactus.lab.results.folder import Measured
from tactus.measure.plan import LINUX_SPIN, OWN, THREAD
from tactus.measure.units import prose_time

LATENCY = "latency"
IRQ, INDEX, NOISE = "irq", "index", "noise"
TIMES = ("switch", "dispatch", "ipc", "alloc", "core")
STOCK = ("generic", "server", "lowlatency", "backports")
KERNELS = (*STOCK, "preempt-rt", "backports-rt")
SYSTEMS = ("cyclictest", "jitter", "latency")
CONTEXTS = ("task", "light", "handler")
SOURCES = {"edu": "device", "timer": "timer"}
LOADS = ("idle", "cpu", "io", "net", "memory", "hackbench", "dohell")


def in_order(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """Each once; known ones first, in their order."""
    distinct = dict.fromkeys(names)
    return [n for n in known if n in distinct] + [n for n in distinct if n not in known]


def sorted_rows(rows: Sequence[Measured]) -> list[Measured]:
    """The order that a reader expects: kernels as in the plan, loads from light to heavy, the peers
    before Tactus; everything else in the order of the measurements."""

    def place(measured: Measured) -> tuple[object, ...]:
        row = measured.row
        return (
            row.target,
            _rank(row.kernel, KERNELS),
            row.kernel,
            row.cpus,
            _rank(row.load, LOADS),
            _rank(row.instrument, SYSTEMS),
            row.core,
            _rank(row.context, CONTEXTS),
        )

    return sorted(rows, key=place)


def _rank(name: str, known: Sequence[str]) -> int:
    return known.index(name) if name in known else len(known)


def system(row: Row) -> str:
    """The name of what was measured, within one kernel."""
    if row.core in OWN:
        words = ("Tactus", "" if row.core == THREAD else row.core, row.context, row.variant)
        return " ".join(word for word in words if word)
    if row.core == LINUX_SPIN and row.extra.get("lead_ns"):
        # Two leads are two systems.
        return f"{row.core}, {prose_time(row.extra['lead_ns'])} ahead"
    return {"cyclictest": "cyclictest", "jitter": "Linux thread (jitter)"}.get(
        row.instrument, "Linux thread" if row.core == "linux" else row.core
    )


def source(row: Row) -> str:
    """The source of the interrupt, in a row to a handler or a task."""
    name, _, rest = row.variant.partition(" ")
    return f"{SOURCES.get(name, name)} {rest}".rstrip()


def machine(row: Row) -> str:
    """A kernel, with the parameters in which targets differ."""
    cpus = "" if row.cpus == 1 else f", {row.cpus} CPUs"
    where = "" if row.target == "vm" else f" ({row.target})"
    return f"{row.kernel}{cpus}{where}"
