# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each instrument by name: its programs, its command for a job, its reader."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.instruments import cyclictest, latencies, tables
from tactus.lab.instruments.text import RESULT, SAMPLES, Measurements
from tactus.lab.model import CORE_TURNS_US, Clock, Job
from tactus.measure.plan import BARE, LINUX, LINUX_SPIN, THREAD
from tactus.project import UserError

CPU = "@CPU@"
OUT = "@OUT@"
"""Variables in a command that are filled in on the target, where both are known."""
US = 1000
VALUES_MAX = 200_000
"""Longer runs of cyclictest keep a histogram with a resolution of a microsecond."""
HISTOGRAM_US = 1_000_000
TURNS_NS = CORE_TURNS_US * US
ROW_S = 3.0
"""Duration of one row of a group."""
INDEX_HELPERS = tuple(
    f"index/tactus-index-{name}"
    for name in (
        "copy",
        "dhrystone",
        "dhrystone-native",
        "execl",
        "loop",
        "pipe",
        "spawn",
        "switch",
        "syscall",
        "whetstone",
        "whetstone-native",
    )
)
INDEX_FILES = tuple(f"index/tactus-index-{name}" for name in ("multi.sh", "work.sh", "text"))


@dataclass(frozen=True, slots=True)
class Recipe:
    """The call and the reader of an instrument."""

    says: str
    command: Callable[[Job], list[str]]
    read: Callable[[Job, Path], Measurements]
    programs: tuple[str, ...] = ()
    """Programs of the build, below instruments/."""
    files: tuple[str, ...] = ()
    """Files there that are no programs."""
    debian: tuple[str, ...] = ()
    """Programs that are found by their names on PATH."""
    device: str = ""
    """Options of QEMU for the guest."""
    modules: tuple[str, ...] = ()
    """Modules that drive it, below the folder `kernel` of a kernel's modules, in the order of their
    use."""
    cores: tuple[str, ...] = (LINUX,)
    """The first core is that of a job without one. Instruments with a table have others beside the
    core thread."""
    periodic: bool = False
    """Its time is period times samples; otherwise its options determine it."""
    runs: int = 1
    """It runs them one after the other."""
    seconds: float = 10.0
    """The approximate duration of all parts, if it is not periodic."""
    turns: bool = False
    """Its reader subtracts the emulator's turns from the figures of a core."""
    timed: bool = True
    """Its option --seconds is the total duration."""

    def script(self, job: Job) -> str:
        """The file `instrument` of a job folder (lab/run/run.sh)."""
        words = shlex.join([*self.command(job), *job.options])
        line = words.replace(CPU, '"$CPU"').replace(OUT, '"$OUT"')
        return f"exec {line}\n"

    def duration_s(self, job: Job) -> float:
        """The approximate duration on the target's clock, unless its options give it."""
        if self.periodic:
            return self.runs * job.period_ns * job.samples / 1e9
        given = dict(zip(job.options, job.options[1:], strict=False))
        if self.timed and "--seconds" in given:
            with contextlib.suppress(ValueError):
                return float(given["--seconds"])
        return min(self.seconds, ROW_S) if "--row" in given else self.seconds


def _latency(job: Job) -> list[str]:
    words = ["sh", "-c", f'exec tactus-latency "$@" >{OUT}/{RESULT}', "latency", "--json"]
    options: dict[str, object] = {
        "core": job.core,
        "context": job.context,
        "tasks": job.tasks,
        "period-us": f"{job.period_ns / US:g}",
        "cpu": CPU,
        "duration": f"{job.period_ns * job.samples / 1e9:g}",
        "idle": job.idle,
        "samples": f"{OUT}/{SAMPLES}",
    }
    if job.core == BARE and job.clock is Clock.VIRTUAL and not job.period_ns % TURNS_NS:
        options["turns-us"] = CORE_TURNS_US
    return [
        *words,
        *(word for name, value in options.items() for word in (f"--{name}", str(value))),
    ]


def _cyclictest(job: Job) -> list[str]:
    words = ["cyclictest", "-m", "-t", "1", "-a", CPU, "-p", "80", "-i", str(job.period_ns // US)]
    words += ["-l", str(job.samples), f"--json={OUT}/{RESULT}"]
    if job.samples > VALUES_MAX:
        return [*words, "-q", "-h", str(HISTOGRAM_US)]
    return [*words, "-v", "-N"]


def _in_turn(name: str, parts: Mapping[str, str]) -> list[str]:
    """Shell commands, each with its own folder; $@ of each is the job's options."""
    lines = [f'(OUT={OUT}/{part} && mkdir "$OUT" && {line})' for part, line in parts.items()]
    return ["sh", "-c", " && ".join(lines), name]


def _contexts(job: Job) -> list[str]:
    """The options are those of latency."""
    parts = {latencies.PEER: f"{shlex.join(_cyclictest(job))} >{OUT}/{cyclictest.VALUES}"}
    for name, part, own in latencies.contexts_of(job):
        parts[name] = f'{shlex.join([*_latency(part), *own])} "$@"'
    return _in_turn("contexts", parts)


def _own(name: str, *, periodic: bool, samples: bool) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        words = [f"tactus-{name}", "--cpu", CPU, "--json", f"{OUT}/{RESULT}"]
        if periodic:
            words += ["--period", f"{job.period_ns}ns", "--loops", str(job.samples)]
        return [*words, "--samples", f"{OUT}/{SAMPLES}"] if samples else words

    return command


def _irq(job: Job) -> list[str]:
    """On a bare core: beside the interrupt of Linux on the same CPU before, raised there, too."""
    own = _own("irq", periodic=True, samples=True)(job)
    if job.core != BARE:
        return own
    parts = {LINUX: [*own, "--source", "edu", "--raise", "here"], BARE: [*own, "--core", BARE]}
    return _in_turn("irq", {name: f'{shlex.join(words)} "$@"' for name, words in parts.items()})


def _index(_job: Job) -> list[str]:
    return ["tactus-index", "--json", f"{OUT}/{RESULT}", "--folder", "."]


def _group(name: str, says: str, seconds: float) -> Recipe:
    command = _own("bench", periodic=False, samples=False)

    def of_group(job: Job) -> list[str]:
        # While the CPU is taken, Linux has no such CPU to compare with.
        side = ("--side", "tactus") if job.core == BARE else ()
        return [*command(job), "--group", name, *side]

    return Recipe(
        says,
        of_group,
        tables.read_operations,
        ("bench/tactus-bench",),
        cores=(LINUX, BARE),
        seconds=seconds,
    )


RECIPES: dict[str, Recipe] = {
    "latency": Recipe(
        "time from release to first instruction, for tasks of Tactus and for Linux threads",
        _latency,
        latencies.read_releases,
        ("latency/tactus-latency",),
        cores=(THREAD, LINUX, LINUX_SPIN, BARE),
        periodic=True,
    ),
    "contexts": Recipe(
        "latency in each context, of a task that preempts, and by cyclictest, under one load",
        _contexts,
        latencies.read_contexts,
        ("latency/tactus-latency",),
        debian=("cyclictest",),
        cores=(BARE,),
        periodic=True,
        runs=5,
        turns=True,
    ),
    "cyclictest": Recipe(
        "the same of a Linux thread, measured by cyclictest of Debian's rt-tests",
        _cyclictest,
        cyclictest.read,
        debian=("cyclictest",),
        periodic=True,
    ),
    "jitter": Recipe(
        "the same of a Linux thread, and how regular its starts are",
        _own("jitter", periodic=True, samples=True),
        latencies.read_releases,
        ("jitter/tactus-jitter",),
        periodic=True,
    ),
    "irq": Recipe(
        "time from an interrupt to its handler, and to the task that it wakes",
        _irq,
        latencies.read_irq,
        ("irq/tactus-irq",),
        device="edu",
        modules=("drivers/uio/uio", "drivers/uio/uio_pci_generic"),
        cores=(LINUX, BARE),
        periodic=True,
        turns=True,
    ),
    "switch": _group("switch", "switch between 2 to 1000 tasks, also with floating point", 60.0),
    "ipc": _group("ipc", "hand-over by semaphore, mutex, queue, pipe, event, signal", 15.0),
    "dispatch": _group("dispatch", "release, creation and dispatch of threads, processes", 5.0),
    "core": _group(
        "core", "time to take a CPU and to give it back, and of a Linux call from it", 5.0
    ),
    "alloc": _group("alloc", "allocation and release of memory", 3.0),
    "clocktest": Recipe(
        "order and drift of the clocks of all CPUs",
        _own("clocktest", periodic=False, samples=False),
        tables.read_clocktest,
        ("clocktest/tactus-clocktest",),
        seconds=4.0,
    ),
    "noise": Recipe(
        "time that hardware and hypervisor take",
        _own("noise", periodic=False, samples=True),
        latencies.read_noise,
        ("noise/tactus-noise",),
        seconds=2.0,
    ),
    "index": Recipe(
        "throughput, measured as by UnixBench",
        _index,
        tables.read_index,
        ("index/tactus-index", *INDEX_HELPERS),
        INDEX_FILES,
        seconds=4000.0,
        timed=False,
    ),
}


def recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UserError(f"no instrument {name!r}: choose one of {', '.join(RECIPES)}")
    return RECIPES[name]


def programs_of(names: Sequence[str]) -> list[str]:
    """The files of the build that the instruments need, each once."""
    return list(dict.fromkeys(p for name in names for p in recipe(name).programs))
