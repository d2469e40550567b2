# SPDX-License-Identifier: LGPL-2.1-or-later
"""The progress of the measurement: a bar with the time left on a terminal, otherwise some lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from tactus.measure.plan import RUN_OVERHEAD_S, Step, expected_s
from tactus.project import say

LINE_INTERVAL_S = 10.0


class Display(Protocol):
    """Shows the time that has passed, the expected duration, and the current step."""

    def show(self, done_s: float, left_s: float, text: str) -> None: ...

    def close(self) -> None: ...


class Bar:
    """For a terminal, on standard error."""

    def __init__(self) -> None:
        self._progress = Progress(
            BarColumn(20),
            TextColumn("{task.fields[left]:>5} left  {task.description}"),
            console=Console(stderr=True),
            transient=True,
            # Refreshing by hand leaves no thread that runs beside a measurement.
            auto_refresh=False,
        )
        self._task: TaskID = self._progress.add_task("", total=None, left="")
        self._progress.start()

    def show(self, done_s: float, left_s: float, text: str) -> None:
        total_s = max(done_s + left_s, 1e-3)
        left = f"{left_s:.0f} s"
        self._progress.update(
            self._task, completed=done_s, total=total_s, description=text, left=left
        )
        self._progress.refresh()

    def close(self) -> None:
        self._progress.stop()


class Lines:
    """For a file or a pipe."""

    def __init__(self) -> None:
        self._last = -LINE_INTERVAL_S

    def show(self, done_s: float, left_s: float, text: str) -> None:  # noqa: ARG002
        now = time.monotonic()
        if now - self._last >= LINE_INTERVAL_S:
            self._last = now
            say(f"{left_s:3.0f} s left: {text}")

    def close(self) -> None:
        pass


def display() -> Display:
    """The kind that standard error accepts."""
    return Bar() if sys.stderr.isatty() else Lines()


class Meter:
    """Turns steps into time done and time left. Use it as a context manager."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._total_s = expected_s(steps)
        self._display = display()
        self._done_s = 0.0
        self._began = 0.0
        self._step: Step | None = None
        self._shown = 0.0

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._display.close()

    def begin(self, step: Step) -> None:
        if self._step is not None:
            self._done_s += self._step.duration_s + RUN_OVERHEAD_S
        self._step, self._began = step, time.monotonic()
        self._shown = 0.0
        self.tick()

    def tick(self) -> None:
        """To be called often; it draws twice a second."""
        now = time.monotonic()
        if self._step is None or now - self._shown < 0.5:
            return
        self._shown = now
        step = self._step
        text = step.setup.describe() if step.setup else f"noise of the machine, {step.load}"
        in_step_s = min(now - self._began, step.duration_s)
        done_s = self._done_s + in_step_s
        self._display.show(done_s, max(0.0, self._total_s - done_s), text)
