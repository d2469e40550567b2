# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads Debian's cyclictest: every latency in nanoseconds (-v -N) or, for longer runs, its
histogram (-h). The JSON that cyclictest writes beside either says how many there must be."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tactus.lab.instruments.text import Fields, Measurements, OutputError, document
from tactus.lab.model import Job, Row, Series

VALUES = "instrument.out"
LINE = re.compile(r"\s*0:\s*(\d+):\s*(-?\d+)")
# Lines before the first value: the setting of the clock, and the maximum of its interval.
CHATTER = re.compile(r"(# .*|(Max|Online) CPUs = .*|Using .* cpus.*|Thread \d+ .*|\s*)")
NANOSECONDS, MICROSECONDS = 1, 1000


def read(job: Job, out: Path) -> Measurements:
    result = document(out)
    result.expect("return_code", 0)
    result.expect("num_threads", 1)
    thread = result.table("thread").table("0")
    histogram = thread.table("histogram") if thread.has("histogram") else None
    in_ns = result.whole("resolution_in_ns")
    if in_ns not in (0, 1):
        raise OutputError(f"resolution_in_ns is {in_ns}")
    step = NANOSECONDS if in_ns else MICROSECONDS
    cycles = thread.whole("cycles")
    if cycles != job.samples:
        raise OutputError(f"{cycles} of {job.samples} cycles were measured")
    if histogram is not None and histogram.items():
        series = _histogram(histogram, step)
    else:
        series = _values(out / VALUES, step)
    if series.size != cycles:
        raise OutputError(
            f"{series.size} of {cycles} latencies are in the output; those beyond the end "
            "of the histogram are lost: raise -h"
        )
    for key, own in (("min", series.values_ns.min()), ("max", series.values_ns.max())):
        if thread.whole(key) * step != own:
            raise OutputError(f"{key} is {thread.whole(key) * step} ns, {own} in the values")
    return [(Row.of_job(job, core="linux", context="task"), series)]


def _histogram(histogram: Fields, step: int) -> Series:
    try:
        pairs = sorted((int(key), histogram.whole(key)) for key, _ in histogram.items())
    except ValueError:
        raise OutputError("the histogram has a bin that is no number") from None
    if any(count <= 0 for _, count in pairs):
        raise OutputError("the histogram has a bin with no samples")
    values, counts = np.asarray(pairs, dtype=np.int64).T
    return Series(values * step, counts, step)


def _values(path: Path, step: int) -> Series:
    """Lines of thread, number and latency, without a gap."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        raise OutputError("cyclictest wrote neither a histogram nor values") from None
    values: list[int] = []
    for number, line in enumerate(lines, start=1):
        match = LINE.fullmatch(line)
        if match is None:
            if values or not CHATTER.fullmatch(line):
                raise OutputError(f"line {number} of cyclictest's output is {line!r}")
            continue
        if int(match[1]) != len(values):
            raise OutputError(f"line {number}: value {match[1]} comes after {len(values) - 1}")
        values.append(int(match[2]) * step)
    if not values:
        raise OutputError("cyclictest's output has no values")
    return Series(np.asarray(values, dtype=np.int64), None, step)
