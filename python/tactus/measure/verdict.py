# SPDX-License-Identifier: LGPL-2.1-or-later
"""The meaning of the figures, in sentences that follow from them, whatever the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tactus.measure.noise import Noise
from tactus.measure.plan import BUILT_IN, LINUX, LINUX_BEST, LINUX_SPIN, OWN
from tactus.measure.results import Result, rows, with_same_lead
from tactus.measure.units import plural, prose_time, times_text

_CONTEXT_ORDER = ("task", "light", "handler")


def sentence(results: Sequence[Result], noise: Mapping[str, Noise]) -> str:
    """Medians, then maxima; runs whose load died are left out, and the text says so."""
    said = medians(results)
    longest = maxima(results, noise)
    return f"{said} {longest}" if longest else said


def _valid(results: Sequence[Result]) -> list[Result]:
    return [r for r in rows(results) if r.load_failure is None and r.summary.samples]


def _blocks(valid: Sequence[Result]) -> list[list[Result]]:
    """The measurements under one load with one task set, which may be compared."""
    keys = dict.fromkeys((r.setup.load, r.setup.tasks) for r in valid)
    return [[r for r in valid if (r.setup.load, r.setup.tasks) == key] for key in keys]


def medians(results: Sequence[Result]) -> str:
    """One sentence."""
    valid = _valid(results)
    clauses = []
    said_load = None
    for shown in _blocks(valid):
        clauses.append(_clause(shown, said_load))
        said_load = shown[0].setup.load
    if not clauses:
        return "No run is valid, so there is no result for this machine."
    died = len({r.setup for r in results if r.load_failure is not None})
    if died:
        clauses.append(f"{plural(died, 'setup')} whose load died left out")
    return f"Medians: {'; '.join(clauses)}."


def maxima(results: Sequence[Result], noise: Mapping[str, Noise]) -> str:
    """One sentence, or none: the longest latency of Tactus with its overruns, that of Linux with
    the same load and task set, and the machine's gaps under that load. Nothing is pooled: gaps
    under one load excuse nothing under another. The noise is measured only briefly, so it excuses
    no latency that is longer than its gaps."""
    clauses = []
    said_load = None
    for shown in _blocks(_valid(results)):
        ours = [r for r in shown if r.setup.core in OWN and r.setup.gravity != BUILT_IN]
        if ours:
            load = shown[0].setup.load
            clauses.append(_longest(ours, shown, noise.get(load), said_load))
            said_load = load
    return f"Maxima, with overruns: {'; '.join(clauses)}." if clauses else ""


def _where(result: Result, said_load: str | None) -> str:
    """A load that was just named is not named again."""
    load, tasks = result.setup.load, result.setup.tasks
    where = "idle" if load == "idle" else f"under {load} load"
    if tasks > 1:
        where = f"with {tasks} tasks" if said_load == load else f"{where} with {tasks} tasks"
    return where


def _longest(
    ours: Sequence[Result], shown: Sequence[Result], noise: Noise | None, said_load: str | None
) -> str:
    def late(result: Result) -> int:
        return result.summary.max_ns or 0

    def told(result: Result) -> str:
        return f"{prose_time(late(result))} ({result.overruns})"

    worst = max(ours, key=late)
    context = "" if worst.setup.context == "task" else f" of a {worst.setup.context}"
    text = f"{_where(worst, said_load)} {told(worst)}{context}"
    peers = [r for r in with_same_lead(shown) if r.setup.core not in OWN]
    peer = max(peers, key=late, default=None)
    gap_ns = noise.max_gap_ns if noise else 0
    if peer is not None:
        text += f", Linux {told(peer)}"
    if gap_ns >= late(worst):
        return f"{text}, caused by the machine (gaps to {prose_time(gap_ns)})"
    if peer is None or late(peer) < late(worst):
        beyond = f"the machine's gaps ({prose_time(gap_ns)})" if noise else "Linux's"
        return f"{text}, beyond {beyond}"
    return text


def _find(results: Sequence[Result], core: str) -> Result | None:
    matches = [r for r in results if r.setup.core == core and r.setup.gravity != BUILT_IN]
    return min(matches, key=lambda r: _CONTEXT_ORDER.index(r.setup.context), default=None)


def _clause(results: Sequence[Result], said_load: str | None) -> str:
    """A block; those after the first are short, and a load that was just named is not named
    again."""
    setup = results[0].setup
    first = said_load is None
    where = _where(results[0], said_load)
    same = with_same_lead(results)
    sleeper, spinner = (_find(same, core) for core in (LINUX, LINUX_SPIN))
    # The other peer of the table, with the best of three leads.
    tuned = next((r for r in results if r.setup.row == LINUX_BEST), None)
    ours = next(filter(None, (_find(results, core) for core in OWN)), None)
    peers = [peer for peer in (sleeper, spinner) if peer is not None]
    if ours is None:
        starts = " and ".join(f"{_called(peer)} starts {_late(peer)} late" for peer in peers)
        return f"{where} {starts}"
    context = "task" if ours.setup.context == "task" else f"{ours.setup.context} context"
    subject = f"a Tactus {context} starts {_late(ours)} late" if first else _late(ours)
    text = f"{where} {subject}"
    if setup.tasks > 1:
        # Of several peers, the best one counts, whatever its cost: all the Linux threads could be
        # written like it.
        every = [*peers, *([tuned] if tuned is not None else [])]
        peers = sorted(every, key=lambda peer: peer.summary.p50_ns or 0)[:1]
        return text + "".join(f", Linux {_compare(ours, p)}" for p in peers)
    if not first:
        # After the first block, a spinning peer is named only if it is better.
        peers = [p for p in peers if p is sleeper or _better(p, ours)]
    names = [_called(peer) if first else _called(peer).split()[1] for peer in peers]
    text += "".join(
        f", {name} {_compare(ours, peer)}" for name, peer in zip(names, peers, strict=True)
    )
    if tuned is not None and _better(tuned, ours) and (spinner is None or _better(tuned, spinner)):
        text += f", with the best lead {_late(tuned)}"
        text += "" if spinner is not None and _better(spinner, ours) else ", which is better"
    return text


def _better(peer: Result, ours: Result) -> bool:
    mine, other = ours.summary.p50_ns, peer.summary.p50_ns
    return mine is not None and other is not None and other < mine


def _called(peer: Result) -> str:
    if peer.setup.core == LINUX:
        return "a sleeping Linux thread"
    return "a spinning one with the same lead" if peer.setup.same_lead else "a spinning one"


def _late(result: Result) -> str:
    return prose_time(result.summary.p50_ns)


def _compare(ours: Result, peer: Result) -> str:
    """The peer's lateness as a multiple of ours; a multiple below one is said to be better."""
    mine, other = ours.summary.p50_ns, peer.summary.p50_ns
    text = _late(peer)
    if mine is None or other is None:
        return text
    if not _better(peer, ours):
        return f"{text} ({times_text(other / max(mine, 1))}×)"
    return f"{text}, which is better"
