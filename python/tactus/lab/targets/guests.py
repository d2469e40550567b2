# SPDX-License-Identifier: LGPL-2.1-or-later
"""Guests in QEMU: each job boots its own machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tactus.lab import jobfolder
from tactus.lab.instruments import RECIPES, latencies, recipe
from tactus.lab.jobfolder import RUN_FOLDER, SCRIPTS, Place, Report
from tactus.lab.model import CORE_TURNS_US, Job, RunStatus
from tactus.lab.targets import programs
from tactus.lab.targets.describe import Description
from tactus.lab.vm import boot, core, emulator, image, kernels
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests
from tactus.lab.vm.machine import KVM, Machine
from tactus.measure.plan import BARE
from tactus.project import Project

BIN, RUN = "usr/bin", "lab/run"
START = f'exec sh /{RUN}/run.sh "$1" "$2"\n'
INSERT = 'insmod "$1/{name}.ko" || exit 1\n'
PLUGIN = "instruments/turns/tactus-turns.so"
CPU_UNDER_TEST = "0"
"""QEMU's turns begin with this CPU: the end of another CPU's turn does not delay it."""
SECOND = """[ -e /sys/devices/system/cpu/cpu0/online ] || echo LAB_CPU=1 >>"$1/job.env"
"""
"""For a core's job if Linux keeps its first CPU."""
SECOND_ALONE = """[ -e /sys/devices/system/cpu/cpu0/online ] || {{ echo LAB_CPU=1 >>"$1/job.env" &&
	cd /run && mkdir groups && mount -t cgroup2 groups groups && cd groups &&
	echo +cpuset >cgroup.subtree_control && mkdir job && echo {cpus} >job/cpuset.cpus &&
	echo $$ >job/cgroup.procs && cd /root || exit 1; }}
"""
"""The same with three CPUs or more: the first is left alone, because programs there delay the
core's turn, and loads use each CPU by its number."""
STATUS = {"panic": RunStatus.PANIC, "oops": RunStatus.PANIC, "damaged": RunStatus.FAILED}
WAYS_OUT = {
    RunStatus.PANIC: "see the end of its console",
    RunStatus.NO_BOOT: "see the end of its console; the kernel needs an 8250 serial port and tmpfs",
    RunStatus.HUNG: "see the end of its console, or raise the job's limit_s",
    RunStatus.FAILED: "see the end of its console",
}


class Virtual:
    """Boots the job's kernel, with the load and the instrument as the guest's only programs."""

    def __init__(
        self, description: Description, project: Project, environment: Mapping[str, str]
    ) -> None:
        self._description = description
        self._project = project
        self._environment = environment
        self._guests: Guests | None = None

    def _content(self) -> image.Content:
        """The same for every job: virtual time repeats only with an equal image."""
        every = [
            Job("", "", "", 1, name, load=load)
            for name in RECIPES
            for load in programs.LOAD_PROGRAMS
        ]
        found = programs.needed(self._project, every)
        scripts = {f"{RUN}/{name}": RUN_FOLDER / name for name in SCRIPTS}
        return image.Content(
            {f"{BIN}/{name}": path for name, path in found.programs.items()},
            {**{f"{BIN}/{name}": path for name, path in found.files.items()}, **scripts},
        )

    def _opened(self) -> Guests:
        if self._guests is None:
            self._guests = Guests.of(self._content(), self._environment)
        return self._guests

    def prepare(self, jobs: Sequence[Job]) -> None:
        wanted = dict.fromkeys((job.kernel, recipe(job.instrument).modules) for job in jobs)
        for name, modules in wanted:
            kernels.modules(kernels.find(name, self._environment), modules, self._environment)
        for name in dict.fromkeys(job.kernel for job in jobs if job.core == BARE):
            kernel = kernels.find(name, self._environment)
            core.files(self._project, kernel, self._environment)
        guests = self._opened()
        for job in {job.kernel: job for job in jobs}.values():
            guests.need_processor(self._machine(job))

    def _machine(self, job: Job, kernel: kernels.Kernel | None = None) -> Machine:
        options = self._description
        device = recipe(job.instrument).device
        devices = ("-device", device) if device else ()
        arguments = f"{options.text('arguments')} {job.cmdline}".strip()
        if _is_of_releases(job):
            arguments = f"{arguments} {core.FIRST_ARGUMENTS}"
            if options.text("accelerator") != KVM:
                devices = (*core.FIRST, *devices)
        if device and job.core == BARE:
            devices = (*core.REMAPPING, *devices)
            arguments = f"{arguments} {core.REMAPPING_ARGUMENTS}"
        return Machine(
            kernel or kernels.find(job.kernel, self._environment),
            job.cpus,
            options.text("accelerator"),
            options.whole("memory_mib"),
            arguments,
            devices,
            CORE_TURNS_US if _is_of_releases(job) else options.whole("slice_us"),
        )

    def commands(self, job: Job) -> list[list[str]]:
        machine = self._machine(job, kernels.by_name(job.kernel))
        inside = ["sh", f"/{RUN}/run.sh", "/job", "/out"]
        return [
            machine.command(Path(emulator.PROGRAM), Path("RUN")),
            inside,
            [recipe(job.instrument).script(job).strip()],
        ]

    def _make(self, folder: Path, job: Job, kernel: kernels.Kernel) -> Path:
        """The job folder with the kernel's modules, which belong to the job: the image has none."""
        bare = job.core == BARE
        made = jobfolder.make(folder, job, Place(CPU_UNDER_TEST))
        modules = kernels.modules(kernel, recipe(job.instrument).modules, self._environment)
        for name, content in modules.items():
            (made / f"{name}.ko").write_bytes(content)
        start = "".join(INSERT.format(name=name) for name in modules)
        if bare:
            for path in core.files(self._project, kernel, self._environment).values():
                shutil.copyfile(path, made / path.name)
            start += core.START.format(folder="$1")
            alone = SECOND_ALONE.format(cpus=f"1-{job.cpus - 1}")
            start += alone if job.cpus > 2 else SECOND
        (made / "start").write_text(start + START, encoding="utf-8")
        return made

    def _followed(self, job: Job, machine: Machine, folder: Path) -> Machine:
        """With the plugin that records the turns of other CPUs, if the emulator accepts it."""
        wanted = job.core == BARE and recipe(job.instrument).turns
        if not wanted or not machine.virtual_time:
            return machine
        # A comma separates its options.
        module, file = (
            str(path).replace(",", ",,")
            for path in (self._project.program(PLUGIN), folder / latencies.TURNS)
        )
        if not self._opened().emulator.takes(f"{module},to={os.devnull}"):
            return machine
        plugin = f"{module},to={file}"
        return replace(machine, devices=(*machine.devices, "-plugin", plugin))

    def run(self, job: Job, folder: Path) -> Report:
        guests = self._opened()
        machine = self._followed(job, self._machine(job), folder)
        kernel = machine.kernel
        made = self._make(folder / "job", job, kernel)
        manifest = {
            "emulator": guests.emulator.version,
            "kernel_package": kernel.package,
            "kernel_package_version": kernel.version,
            "image": guests.base.parent.name,
        }
        limits = {**boot.LIMITS_S, State.JOB: job.limit_s}
        try:
            outcome = replace(guests, limits_s=limits).run(machine, made, folder)
        except boot.GuestFailure as failure:
            status = _status(failure)
            reason = f"{failure}; {WAYS_OUT[status]}"
            return Report(
                None, status, reason, manifest, jobfolder.log_of(folder, "qemu.log", "console")
            )
        if (folder / latencies.TURNS).is_file():
            shutil.move(folder / latencies.TURNS, outcome.out / latencies.TURNS)
        # Host seconds differ between runs, so they are no part of a repeatable row.
        timing = {state: round(seconds, 2) for state, seconds in outcome.timing.seconds.items()}
        return Report(outcome.out, manifest={**manifest, "host_seconds": timing})

    def close(self) -> None:
        pass


def _is_of_releases(job: Job) -> bool:
    """A core's job, during which no other CPU may have a turn at the wrong instant."""
    return job.core == BARE and recipe(job.instrument).periodic


def _status(failure: boot.GuestFailure) -> RunStatus:
    if failure.name in STATUS:
        return STATUS[failure.name]
    if failure.state in (State.STARTING, State.KERNEL):
        return RunStatus.NO_BOOT
    return RunStatus.HUNG if failure.name == "hang" else RunStatus.FAILED
