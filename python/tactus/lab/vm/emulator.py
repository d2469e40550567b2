# SPDX-License-Identifier: LGPL-2.1-or-later
"""The emulator: finds one that is new enough, installs it if that is allowed, and finds out what it
can do.

QEMU 7.2, which Debian 12 has, boots no guest with two CPUs whose instructions are counted; QEMU 10
does. Debian 12 has it in its backports.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache
from tactus.lab.vm.packages import Packages, run
from tactus.project import UserError, say

PROGRAM = "qemu-system-x86_64"
PACKAGE = "qemu-system-x86"
OLDEST = (10, 0)


@dataclass(frozen=True, slots=True)
class Emulator:
    """A QEMU that is new enough."""

    program: Path
    version: str

    def takes(self, plugin: str) -> bool:
        """Does it start with the plugin? It must be built for plugins, and have the functions that
        this one calls."""
        command = [str(self.program), "-M", "none", "-nodefaults", "-display", "none"]
        command += ["-accel", "tcg", "-plugin", plugin, "-monitor", "stdio"]
        done = subprocess.run(command, input=b"quit\n", capture_output=True, check=False)
        return done.returncode == 0


def parse_version(text: str) -> tuple[int, int]:
    match = re.search(r"version (\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def installed(program: str = PROGRAM) -> Emulator | None:
    """The one on PATH, if it is new enough."""
    path = shutil.which(program)
    if path is None:
        return None
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    if parse_version(done.stdout) < OLDEST:
        return None
    return Emulator(Path(path), done.stdout.splitlines()[0].removeprefix("QEMU emulator version "))


def need(environment: Mapping[str, str], user: int) -> Emulator:
    """A QEMU that is new enough; it is installed from the distribution's backports if the user (0
    is root) may do that."""
    found = installed()
    if found is not None:
        return found
    oldest = ".".join(map(str, OLDEST))
    if user != 0:
        raise UserError(
            f"no QEMU {oldest} or newer ({PROGRAM}) is on PATH: start this once as root, which "
            "installs it, or install "
            f"{PACKAGE} (Debian 12: from its backports)"
        )
    packages = Packages.of(cache.folder_of(environment))
    packages.refresh()
    # The release's own version if that is new enough, otherwise that of the backports.
    version = packages.candidate(PACKAGE).version.partition(":")[2]
    backports = parse_version(f"version {version}") < OLDEST
    say(f"installing {PACKAGE}{' from backports' * backports}")
    command = ["apt-get", *packages.options(backports=backports), "-qy"]
    run([*command, "-o", "DPkg::Lock::Timeout=300", "install", "--no-install-recommends", PACKAGE])
    found = installed()
    if found is None:
        raise UserError(f"the {PACKAGE} that apt has is older than {oldest}: install a newer QEMU")
    return found
