# SPDX-License-Identifier: LGPL-2.1-or-later
"""The emulator: one that is new enough, installed where that may be done, and what it can do.

QEMU 7.2, which Debian 12 has, boots no guest with two CPUs whose instructions are counted; QEMU 10
does. Debian 12 has it in its backports.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache
from tactus.lab.vm.packages import Packages, run
from tactus.project import UserError, say

PROGRAM = "qemu-system-x86_64"
PACKAGE = "qemu-system-x86"
OLDEST = (10, 0)
# In a guest of a guest, setting the register of the host's known faults may be refused.
KVM_CPUS = ("host", "host,-arch-capabilities")
PROBE_S = 10.0
PROBE_STATUS = 33
# mov $16,%al; out %al,$0xf4; hlt: where the CPU starts. The exit device makes 2 * 16 + 1 of it.
PROBE_CODE = bytes.fromhex("b010e6f4f4")
FIRMWARE_BYTES = 65536
RESET_VECTOR = FIRMWARE_BYTES - 16


@dataclass(frozen=True, slots=True)
class Emulator:
    """A QEMU that is new enough."""

    program: Path
    version: str

    def kvm_cpu(self) -> str | None:
        """The processor for a guest by hardware virtualisation, None where that does not work:
        /dev/kvm is there on machines where it does not, or not with all of the host's registers.
        Five bytes of firmware run on it and leave through QEMU's exit device."""
        if not os.access("/dev/kvm", os.R_OK | os.W_OK):
            return None
        with tempfile.TemporaryDirectory() as folder:
            firmware = Path(folder) / "probe"
            firmware.write_bytes((bytes(RESET_VECTOR) + PROBE_CODE).ljust(FIRMWARE_BYTES, b"\0"))
            for cpu in KVM_CPUS:
                if self._runs(self.probe_command(firmware, "kvm", cpu)):
                    return cpu
        return None

    def _runs(self, command: list[str]) -> bool:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == PROBE_STATUS

    def probe_command(self, firmware: Path, accelerator: str, cpu: str) -> list[str]:
        exit_device = ["-device", "isa-debug-exit,iobase=0xf4,iosize=1"]
        base = [str(self.program), "-nodefaults", "-no-user-config", "-display", "none"]
        base += ["-machine", "pc", "-cpu", cpu, "-accel", accelerator]
        return [*base, "-bios", str(firmware), *exit_device]


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
    """A QEMU that is new enough, installed from the distribution's backports when the user (0 is
    root) may do that."""
    found = installed()
    if found is not None:
        return found
    oldest = ".".join(map(str, OLDEST))
    if user != 0:
        raise UserError(
            f"no QEMU {oldest} or newer ({PROGRAM}) is on PATH: start once as root, which installs "
            f"it, or install {PACKAGE} (Debian 12: from its backports)"
        )
    packages = Packages.of(cache.folder_of(environment))
    packages.refresh()
    # The release's own if that is new enough; else the backports'.
    version = packages.candidate(PACKAGE).version.partition(":")[2]
    backports = parse_version(f"version {version}") < OLDEST
    say(f"installing {PACKAGE}{' from backports' * backports}")
    command = ["apt-get", *packages.options(backports=backports), "-qy"]
    run([*command, "-o", "DPkg::Lock::Timeout=300", "install", "--no-install-recommends", PACKAGE])
    found = installed()
    if found is None:
        raise UserError(f"the {PACKAGE} that apt has is older than {oldest}: install a newer QEMU")
    return found
