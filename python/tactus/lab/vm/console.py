# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guest's console: the state of the guest, and whether its kernel failed."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from pathlib import Path

TAIL_LINES = 12
MARK = re.compile(r"tactus-guest: (ready|results|off)")
BOOT_LINE = re.compile(r"\[ *\d+\.\d{6}\] Linux version ")
FAILURES = (
    (re.compile(r"Kernel panic - not syncing: (.*)"), "panic"),
    (re.compile(r"(BUG: .*|Oops: .*|general protection fault.*|kernel BUG at .*)"), "oops"),
)


class State(enum.Enum):
    """The states of a guest; each begins with a line on the console."""

    STARTING = "starting"
    KERNEL = "kernel"
    JOB = "job"
    RESULTS = "results"
    OFF = "off"


@dataclass(slots=True)
class Console:
    """Follows the file to which the console is written."""

    path: Path
    state: State = State.STARTING
    failure: tuple[str, str] | None = None
    """The name of the worst report of the kernel, and its text."""
    _read: int = 0
    _rest: str = ""
    _lines: list[str] = field(default_factory=list)

    def follow(self) -> None:
        """Reads what is new."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return
        self._read += len(data)
        *lines, self._rest = (self._rest + data.decode(errors="replace")).split("\n")
        for line in lines:
            self._take(line.rstrip("\r"))

    def _take(self, line: str) -> None:
        self._lines.append(line)
        mark = MARK.search(line)
        if mark is not None:
            marks = {"ready": State.JOB, "results": State.RESULTS, "off": State.OFF}
            self.state = marks[mark[1]]
        elif self.state is State.STARTING and BOOT_LINE.match(line):
            self.state = State.KERNEL
        for pattern, name in FAILURES:
            match = pattern.search(line)
            # An oops causes the panic that follows it, so the first report counts.
            if match is not None and self.failure is None:
                self.failure = (name, match[1].strip())

    def tail(self) -> list[str]:
        """The last lines, with the unfinished one."""
        return [line for line in [*self._lines, self._rest] if line.strip()][-TAIL_LINES:]
