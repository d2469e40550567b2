# SPDX-License-Identifier: LGPL-2.1-or-later
"""The machine as the checks see it: files below a root, two readings of counters, a few probes."""

from __future__ import annotations

import contextlib
import gzip
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tactus.doctor.probes import Probes

COUNTERS = ("proc/interrupts", "proc/stat")


class UnreadableError(Exception):
    """A check needs a file that cannot be read; the message says which and why."""


def cpu_list(text: str) -> frozenset[int]:
    """CPU numbers of a kernel list such as `0-2,5`."""
    cpus: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return frozenset(cpus)


@dataclass(frozen=True)
class Machine:
    """One machine, examined for one CPU."""

    root: Path
    cpu: int
    probes: Probes
    earlier: Mapping[str, str] = field(default_factory=dict)
    """The counter files, read some time before the checks read them."""

    def text(self, path: str) -> str:
        """The stripped contents of a file; raises UnreadableError."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError as error:
            raise UnreadableError(f"/{path}: {error.strerror}") from None

    def number(self, path: str) -> int:
        text = self.text(path)
        try:
            return int(text)
        except ValueError:
            raise UnreadableError(f"/{path}: {text[:20]!r} is no number") from None

    def exists(self, path: str) -> bool:
        """Does the path exist? Raises UnreadableError if that is unknown."""
        try:
            (self.root / path).stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise UnreadableError(f"/{path}: {error.strerror}") from None
        return True

    def names(self, path: str) -> list[str]:
        """The names in a folder; raises UnreadableError."""
        try:
            return sorted(p.name for p in (self.root / path).iterdir())
        except OSError as error:
            raise UnreadableError(f"/{path}: {error.strerror}") from None

    def before(self, path: str) -> str:
        try:
            return self.earlier[path]
        except KeyError:
            raise UnreadableError(f"/{path}: no earlier reading") from None

    @property
    def cpu_folder(self) -> str:
        return f"sys/devices/system/cpu/cpu{self.cpu}"

    def kernel_version(self) -> tuple[int, int]:
        release = self.text("proc/sys/kernel/osrelease")
        major, _, rest = release.partition(".")
        minor = rest.split(".")[0].split("-")[0].rstrip("+")
        try:
            return int(major), int(minor)
        except ValueError:
            raise UnreadableError(f"/proc/sys/kernel/osrelease: {release!r}") from None

    def kernel_config(self) -> str:
        """The build configuration of the running kernel; raises UnreadableError."""
        with contextlib.suppress(OSError, EOFError):
            packed = (self.root / "proc/config.gz").read_bytes()
            return gzip.decompress(packed).decode("utf-8", errors="replace")
        return self.text(f"boot/config-{self.text('proc/sys/kernel/osrelease')}")

    def boot_option(self, name: str) -> str | None:
        """The value of a boot option; "" for a bare word, None if it is not given."""
        for word in self.text("proc/cmdline").split():
            key, _, value = word.partition("=")
            if key == name:
                return value
        return None


def observe(
    root: Path, cpu: int, probes: Probes, wait_s: float, sleep: Callable[[float], None] = time.sleep
) -> Machine:
    """Reads the counters, waits, and returns the machine with this earlier reading."""
    machine = Machine(root, cpu, probes)
    earlier: dict[str, str] = {}
    for path in COUNTERS:
        with contextlib.suppress(UnreadableError):
            earlier[path] = machine.text(path)
    sleep(wait_s)
    return Machine(root, cpu, probes, earlier)
