# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the figures mean, in one sentence that follows from them, whoever wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tactus.measure.noise import Noise
from tactus.measure.plan import LINUX, LINUX_SPIN, OWN
from tactus.measure.results import Result, best_leads
from tactus.measure.units import plural, prose_time, times_text

_CONTEXT_ORDER = ("task", "light", "handler")


def sentence(results: Sequence[Result], noise: Mapping[str, Noise]) -> str:
    """One sentence; runs whose load died are left out of it, and it says so."""
    valid = [r for r in best_leads(results) if r.load_failure is None and r.summary.samples]
    blocks = dict.fromkeys((r.setup.load, r.setup.tasks) for r in valid)
    clauses = []
    said_load = None
    for block in blocks:
        shown = [r for r in valid if (r.setup.load, r.setup.tasks) == block]
        clauses.append(_clause(shown, said_load))
        said_load = block[0]
    if not clauses:
        return "No run is valid, so nothing can be said about this machine."
    died = len({r.setup for r in results if r.load_failure is not None})
    if died:
        clauses.append(f"{plural(died, 'setup')} whose load died left out")
    text = "; ".join([*clauses, *_machine(valid, noise)])
    return f"Medians: {text}."


def _find(results: Sequence[Result], core: str) -> Result | None:
    matches = [r for r in results if r.setup.core == core]
    return min(matches, key=lambda r: _CONTEXT_ORDER.index(r.setup.context), default=None)


def _clause(results: Sequence[Result], said_load: str | None) -> str:
    """A block; those after the first are short, a load that was just named is not named again."""
    setup = results[0].setup
    first = said_load is None
    where = "idle" if setup.load == "idle" else f"under {setup.load} load"
    if setup.tasks > 1:
        with_tasks = f"with {setup.tasks} tasks"
        where = with_tasks if said_load == setup.load else f"{where} {with_tasks}"
    sleeper, spinner = (_find(results, core) for core in (LINUX, LINUX_SPIN))
    ours = next(filter(None, (_find(results, core) for core in OWN)), None)
    peers = [peer for peer in (sleeper, spinner) if peer is not None]
    if ours is None:
        starts = " and ".join(f"{_called(peer)} starts {_late(peer)} late" for peer in peers)
        return f"{where} {starts}"
    context = "task" if ours.setup.context == "task" else f"{ours.setup.context} context"
    subject = f"a Tactus {context} starts {_late(ours)} late" if first else _late(ours)
    text = f"{where} {subject}"
    if setup.tasks > 1:
        # Of several the best is what counts: the Linux threads might have been written like it.
        peers = sorted(peers, key=lambda peer: peer.summary.p50_ns or 0)[:1]
        return text + "".join(f", Linux {_compare(ours, p)}" for p in peers)
    if not first:
        # The second time a peer is named only where there is more to say than that it is worse.
        peers = [p for p in peers if p is sleeper or _better(p, ours)]
    names = [_called(peer) if first else _called(peer).split()[1] for peer in peers]
    return text + "".join(
        f", {name} {_compare(ours, peer)}" for name, peer in zip(names, peers, strict=True)
    )


def _better(peer: Result, ours: Result) -> bool:
    mine, other = ours.summary.p50_ns, peer.summary.p50_ns
    return mine is not None and other is not None and other < mine


def _called(peer: Result) -> str:
    return "a sleeping Linux thread" if peer.setup.core == LINUX else "a spinning one"


def _late(result: Result) -> str:
    return prose_time(result.summary.p50_ns)


def _compare(ours: Result, peer: Result) -> str:
    """The peer's lateness and how many times ours it is; less than once is said as such."""
    mine, other = ours.summary.p50_ns, peer.summary.p50_ns
    text = _late(peer)
    if mine is None or other is None:
        return text
    if not _better(peer, ours):
        return f"{text} ({times_text(other / max(mine, 1))}×)"
    return f"{text}, which is better"


def _machine(results: Sequence[Result], noise: Mapping[str, Noise]) -> list[str]:
    """Whose is the longest latency? The machine's, when a loop that does nothing was stopped
    about as long, or when the peers were hit alike: the look at the noise is short."""
    ours = [r for r in results if r.setup.core in OWN] or list(results)
    longest = max(r.summary.max_ns or 0 for r in ours)
    peers = max((r.summary.max_ns or 0 for r in results if r not in ours), default=0)
    gap = max((n.max_gap_ns for n in noise.values()), default=0)
    if gap * 2 >= longest:
        return [f"maxima are the machine's own (gaps to {prose_time(gap)})"]
    if peers * 2 >= longest:
        return [f"maxima ({prose_time(longest)}) hit Linux threads ({prose_time(peers)}) alike"]
    return [
        f"the longest delay, {prose_time(longest)}, is beyond the machine's own noise "
        f"(gaps up to {prose_time(gap)})"
    ]
