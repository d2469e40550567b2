# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds the status segments of running programs through /proc, without touching the programs."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tactus.abi.layout import Layout
from tactus.ps.segment import Program, SegmentError, read

LINK = "/memfd:tactus-status"
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
START_FIELD = 19
"""Index in /proc/<pid>/stat, counted from the closing bracket of the command: the start of the
process."""


@dataclass(frozen=True, slots=True)
class Found:
    """The readable programs, and a sentence about each thing that could not be read."""

    programs: tuple[Program, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A segment as one process holds it."""

    pid: int
    path: Path
    inode: tuple[int, int]


def find(proc: Path, layout: Layout) -> Found:
    """Every program of this machine whose descriptors may be read."""
    descriptors: list[Descriptor] = []
    notes: list[str] = []
    closed = 0
    for pid in sorted(int(p.name) for p in proc.iterdir() if p.name.isdigit()):
        try:
            descriptors += _descriptors(proc, pid)
        except PermissionError:
            closed += 1
        except OSError:
            continue  # It has ended meanwhile.
    if closed:
        way_out = "" if os.geteuid() == 0 else ": start ./tactus ps as root to see all programs"
        notes.append(f"no permission to read {closed} processes{way_out}")
    programs: list[Program] = []
    for descriptor in _owners(proc, descriptors):
        try:
            programs.append(_read(proc, descriptor, layout))
        except SegmentError as error:
            notes.append(f"process {descriptor.pid} was left out: {error}")
        except OSError:
            continue
    notes += [
        f"{p.name} ({p.pid}): {p.torn} tasks were left out: they changed during each read"
        for p in programs
        if p.torn
    ]
    return Found(tuple(programs), tuple(notes))


def _descriptors(proc: Path, pid: int) -> Iterator[Descriptor]:
    for path in (proc / str(pid) / "fd").iterdir():
        try:
            if str(path.readlink()).startswith(LINK):
                status = path.stat()
                yield Descriptor(pid, path, (status.st_dev, status.st_ino))
        except FileNotFoundError:
            continue


def _owners(proc: Path, descriptors: list[Descriptor]) -> Iterator[Descriptor]:
    """One descriptor per segment: a child made by fork also holds its parent's."""
    parents = {d.pid: _parent(proc, d.pid) for d in descriptors}
    seen: set[tuple[int, int]] = set()
    for descriptor in descriptors:
        holders = {d.pid for d in descriptors if d.inode == descriptor.inode}
        if descriptor.inode not in seen and parents[descriptor.pid] not in holders:
            seen.add(descriptor.inode)
            yield descriptor


def _stat(proc: Path, pid: int) -> list[str]:
    text = (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    return text.rpartition(")")[2].split()


def _parent(proc: Path, pid: int) -> int:
    try:
        return int(_stat(proc, pid)[1])
    except (OSError, IndexError, ValueError):
        return 0


def _read(proc: Path, descriptor: Descriptor, layout: Layout) -> Program:
    began_ns = _process_start_ns(proc, descriptor.pid)
    with _mapped(descriptor.path) as data:
        start_ns = int(layout.structures["tact_status_header"].read(data)["start_ns"])

        def now_ns() -> int | None:
            # A program in virtual time has its own clock.
            return None if start_ns < began_ns else time.monotonic_ns()

        return read(data, layout, now_ns)


@contextmanager
def _mapped(path: Path) -> Iterator[mmap.mmap]:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = mmap.mmap(file, 0, mmap.MAP_SHARED, mmap.PROT_READ)
    except ValueError:
        raise SegmentError("the status segment is empty: the program is starting") from None
    finally:
        os.close(file)
    try:
        yield data
    finally:
        data.close()


def _process_start_ns(proc: Path, pid: int) -> int:
    """The process's start on the monotonic clock, from the boot clock, a tick early."""
    boot_ns = (int(_stat(proc, pid)[START_FIELD]) - 1) * 1_000_000_000 // TICKS_PER_S
    asleep_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
    return boot_ns - asleep_ns
