# SPDX-License-Identifier: LGPL-2.1-or-later
"""The gravity of the CPU under test; the spinning peer gets the same lead."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tactus.measure.instruments import Instruments
from tactus.measure.plan import THREAD
from tactus.measure.units import time_text
from tactus.project import UserError
from tactus.tune import store
from tactus.tune.store import Gravity, Key

DEFAULT_LEAD_US = 50.0
"""For a build without Tactus: the lead that a careful programmer would choose."""


@dataclass(frozen=True, slots=True)
class InUse:
    """None: this build has no thread back end."""

    gravity: Gravity | None
    tuned: bool

    @property
    def lead_us(self) -> float:
        return self.gravity.idle_ns / 1000 if self.gravity else DEFAULT_LEAD_US

    def describe(self) -> str:
        if self.gravity is None:
            return "none"
        values = f"task {time_text(self.gravity.task_ns)}, idle {time_text(self.gravity.idle_ns)}"
        return (
            f"tuned, {values}" if self.tuned else f"built in, {values}; ./tactus tune measures it"
        )

    def as_json(self) -> dict[str, Any] | None:
        return None if self.gravity is None else {"tuned": self.tuned, **asdict(self.gravity)}


def in_use(instruments: Instruments, cpu: int, core: str = THREAD) -> InUse:
    """The library itself answers, so that the figures shown are those in use."""
    if (core, "task") not in instruments.built():
        return InUse(None, False)
    gravity = Gravity(**instruments.gravity_of(cpu, core))
    if core != THREAD:
        return InUse(gravity, False)
    if "TACTUS_GRAVITY" in os.environ:
        return InUse(gravity, True)
    key = Key.here(cpu)
    files = dict.fromkeys((store.file_of(os.geteuid(), os.environ), store.SYSTEM_FILE))
    return InUse(gravity, any(key in _entries(file) for file in files))


def _entries(path: Path) -> store.Entries:
    """The library's notices say what is wrong with the file."""
    try:
        return store.read(path)
    except UserError:
        return {}
