# SPDX-License-Identifier: LGPL-2.1-or-later
"""A job that runs in a guest, from the kernel's name to the results; and a single command as a
job."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tactus.lab.vm import boot, emulator, image, kvm
from tactus.lab.vm.console import State
from tactus.lab.vm.machine import KVM, Machine
from tactus.project import Project, UserError

LAUNCHER = ("skins/posix/tactus-run", "skins/posix/libtactus-run.so")
DEBIAN_PROGRAMS = ("cyclictest", "hackbench", "stress-ng")
"""Debian's programs, unmodified; `./tactus` installs them on the host."""
INSTRUMENTS = "instruments/*/tactus-*"
SIMULATED = "-sim"
START = """cd /root
( {command} ) >"$2/stdout" 2>"$2/stderr"
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The output of a guest: the folder with its results, and host seconds by state."""

    out: Path
    timing: boot.Timing

    @property
    def status(self) -> int:
        """The exit status of the job's `start`."""
        try:
            return int(self.text("status"))
        except ValueError:
            raise UserError(f"{self.out} has no exit status of the guest's job") from None

    def text(self, name: str) -> str:
        try:
            return (self.out / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""


@dataclass(frozen=True, slots=True)
class Guests:
    """What all guests share: the emulator, and the image with the programs."""

    emulator: emulator.Emulator
    base: Path
    environment: Mapping[str, str]
    limits_s: Mapping[State, float] = field(default_factory=lambda: boot.LIMITS_S)

    @classmethod
    def of(cls, content: image.Content, environment: Mapping[str, str]) -> Guests:
        qemu = emulator.need(environment, os.geteuid())
        return cls(qemu, image.build(content, environment), environment)

    def need_processor(self, machine: Machine) -> str:
        """The host's processor as the machine gets it; empty for an emulated one. UserError if the
        machine needs KVM, and KVM does not boot its kernel."""
        if machine.accelerator != KVM:
            return ""
        return kvm.need(self.emulator, self.base, machine, self.environment)

    def run(
        self,
        machine: Machine,
        job: Path,
        folder: Path,
        watch: Callable[[State], None] = lambda _: None,
    ) -> Outcome:
        """Boots the machine and runs the job folder, whose script `start` is run. The files of the
        boot and the results (`out/`) stay in `folder`."""
        if not (job / "start").is_file():
            raise UserError(f"{job} is no job: it has no file start")
        cpu = self.need_processor(machine)
        if not shutil.which("setpriv"):
            raise UserError("setpriv is not on PATH: install util-linux")
        command = machine.command(self.emulator.program, folder, cpu)
        run = boot.Run(folder, self.base, job, self.limits_s)
        timing = run.run(command, folder / "out", watch)
        return Outcome(folder / "out", timing)


def instruments(build: Path) -> dict[str, Path]:
    """The build's instruments by name. Those that run in simulated time need no guest."""
    return {
        path.name: path
        for path in sorted(build.glob(INSTRUMENTS))
        if path.is_file() and os.access(path, os.X_OK) and not path.name.endswith(SIMULATED)
    }


def common_content(project: Project) -> image.Content:
    """The programs that a command in a guest can use."""
    programs = {f"usr/bin/{name}": path for name, path in instruments(project.build).items()}
    if not programs:
        raise UserError(f"{project.build} has no instruments: delete it and start again")
    for name in DEBIAN_PROGRAMS:
        path = shutil.which(name)
        if path is None:
            raise UserError(f"{name} is not on PATH: sudo apt-get install rt-tests stress-ng")
        programs[f"usr/bin/{name}"] = Path(path)
    return image.Content({**programs, **launcher(project)})


def launcher(project: Project) -> dict[str, Path]:
    """`tactus-run` and its library, which must be beside it."""
    return {f"usr/bin/{Path(name).name}": project.program(name) for name in LAUNCHER}


def command_job(folder: Path, command: Sequence[str]) -> Path:
    """A job that runs one command. A single word is a shell script, several words are a command."""
    text = command[0] if len(command) == 1 else shlex.join(command)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "start").write_text(START.format(command=text), encoding="utf-8")
    return folder


def temporary_folder() -> Path:
    """For the files of one boot; on a disk, which has room for the image."""
    return Path(tempfile.mkdtemp(prefix="tactus-vm-", dir="/var/tmp"))


def run_command(
    project: Project,
    machine: Machine,
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    limit_s: float | None = None,
) -> Outcome:
    """Boots a guest for one command; its files stay in `folder`."""
    guests = Guests.of(common_content(project), environment)
    if limit_s is not None:
        guests = replace(guests, limits_s={**guests.limits_s, State.JOB: limit_s})
    return guests.run(machine, command_job(folder / "job", command), folder)
