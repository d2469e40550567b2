# SPDX-License-Identifier: LGPL-2.1-or-later
"""The progress of a plan. The durations of finished jobs, beside a guess, give the time left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tactus.lab.instruments import recipe
from tactus.lab.model import Clock, Job, RunResult
from tactus.measure.progress import display

BOOT_S = 15.0
# Host seconds per second of an idle guest, and of a loaded one.
SLOWER_IDLE, SLOWER_LOADED = 1.5, 8.0
START_S = 3.0
INDEX_S = 90.0
DRAW_S = 0.5


def guess_s(job: Job) -> float:
    """Before anything is known; once jobs are done, only its proportions matter."""
    duration_s = recipe(job.instrument).duration_s(job)
    if job.clock is Clock.REAL:
        return duration_s + START_S
    if job.instrument == "index":
        return BOOT_S + INDEX_S
    return BOOT_S + duration_s * (SLOWER_IDLE if job.load == "idle" else SLOWER_LOADED)


class Meter:
    """Use it as a context manager."""

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self._guesses = {job: guess_s(job) for job in jobs}
        self._workers = max(1, min(workers, len(jobs)))
        self._display = display()
        self._began = time.monotonic()
        self._done: dict[Job, float] = {}
        self._failed = 0
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self.tick()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._display.close()

    def left_s(self, now: float) -> float:
        """Of the wall clock: the guesses of unfinished jobs, scaled by those of the finished
        ones."""
        guessed_s = sum(self._guesses[job] for job in self._done)
        scale = sum(self._done.values()) / guessed_s if guessed_s else 1.0
        rest_s = sum(g for job, g in self._guesses.items() if job not in self._done)
        spent_s = (now - self._began) * self._workers - sum(self._done.values())
        return max(0.0, rest_s * scale - max(0.0, spent_s)) / self._workers

    def finished(self, result: RunResult) -> None:
        self._done[result.job] = result.wall_s
        self._failed += not result.valid
        self._drawn = 0.0
        self.tick()

    def tick(self) -> None:
        """To be called often; it draws twice a second."""
        now = time.monotonic()
        if now - self._drawn < DRAW_S:
            return
        self._drawn = now
        text = f"{len(self._done)} of {len(self._guesses)} runs"
        if self._failed:
            text += f", {self._failed} failed"
        self._display.show(now - self._began, self.left_s(now), text)
