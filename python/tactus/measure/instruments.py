# SPDX-License-Identifier: LGPL-2.1-or-later
"""Starts the C instruments, one run at a time, and reads their results without losing any."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactus.measure import samples
from tactus.measure.plan import BARE, BUILT_IN, LINUX_SPIN, THREAD, Setup
from tactus.project import Project, UserError

FOLDER = "instruments"
BARE_LIBRARY = "lib/bare/libtactus.so.0"
PROGRAMS = ("latency/tactus-latency", "noise/tactus-noise", "latency/tactus-keeper")
POLL_S = 0.1
LEASED = "is leased to"
LEASE_WAIT_S = 60.0
GRACE_S = 30.0
"""A run that takes so much longer than its duration hangs."""


@dataclass(frozen=True, slots=True)
class Output:
    """The output of one run of an instrument: its JSON and its samples."""

    result: dict[str, Any]
    records: NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Instruments:
    """The programs, and the folder for sample files on their way from them."""

    latency: Path
    noise: Path
    keeper: Path
    bare_library: Path = Path()

    def built(self) -> set[tuple[str, str]]:
        """The cores of this build, each with its contexts."""
        done = subprocess.run(
            [str(self.latency), "--cores"], capture_output=True, text=True, check=False
        )
        pairs = [line.split() for line in done.stdout.splitlines()]
        return {(core, context) for core, context in pairs}

    @classmethod
    def of(cls, project: Project) -> Instruments:
        """Those of the project's build."""
        latency, noise, keeper = (project.program(f"{FOLDER}/{n}") for n in PROGRAMS)
        return cls(latency, noise, keeper, project.program(BARE_LIBRARY))

    def _library_of(self, core: str) -> dict[str, str]:
        """The program is linked with the library of the core thread; the one of the same name in
        another folder is found first."""
        if core != BARE:
            return {}
        others = os.environ.get("LD_LIBRARY_PATH")
        folders = [str(self.bare_library.parent), *filter(None, [others])]
        return {"LD_LIBRARY_PATH": os.pathsep.join(folders)}

    def gravity_of(self, cpu: int, core: str = THREAD) -> dict[str, int]:
        """The gravity of Tactus on the CPU."""
        command = [str(self.latency), "--core", core, "--cpu", str(cpu), "--gravity"]
        environment = {**os.environ, **self._library_of(core)}
        patient_until = time.monotonic() + LEASE_WAIT_S
        while True:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, check=False
            )
            if done.returncode == 0:
                break
            if LEASED not in done.stderr or time.monotonic() > patient_until:
                raise UserError(_reason(done.stderr, done.returncode))
            time.sleep(POLL_S)
        values: dict[str, int] = json.loads(done.stdout)
        return values

    def measure(
        self,
        setup: Setup,
        cpu: int,
        duration_s: float,
        watch: Callable[[], None],
        environment: Mapping[str, str] | None = None,
        *,
        busy: bool = False,
    ) -> Output:
        """One run of a setup; `watch` is called every POLL_S while it runs. busy: beside a task of
        the lowest priority that computes all the time."""
        options = {
            "core": setup.core,
            "context": setup.context,
            "tasks": setup.tasks,
            "period-us": setup.period_us,
            "cpu": cpu,
            "duration": duration_s,
            "idle": setup.idle,
        }
        if setup.core == LINUX_SPIN:
            options["lead-us"] = setup.lead_us
        command = [str(self.latency), "--json"]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        if busy:
            command.append("--busy")
        own = {**_gravity_of(setup), **(environment or {}), **self._library_of(setup.core)}
        return _run(command, duration_s, watch, own)

    def noise_of(self, cpu: int, duration_s: float, watch: Callable[[], None]) -> Output:
        """The machine's own gaps on the CPU."""
        options = ["--cpu", str(cpu), "--seconds", str(duration_s), "--json", "-"]
        return _run([str(self.noise), *options], duration_s, watch)


def _gravity_of(setup: Setup) -> dict[str, str]:
    """Makes a program use the built-in gravity of the library."""
    if setup.gravity != BUILT_IN:
        return {}
    others = os.environ.get("TACTUS_OPTIONS")
    options = ",".join(filter(None, [others, "gravity=none"]))
    # 0: the library does not replace what the environment gives.
    return {"TACTUS_OPTIONS": options, "TACTUS_GRAVITY": "0:0:0:0:0"}


def _run(
    command: list[str],
    duration_s: float,
    watch: Callable[[], None],
    environment: Mapping[str, str] | None = None,
) -> Output:
    """Another program that has the CPU for a moment between two runs must not end the
    measurement."""
    patient_until = time.monotonic() + LEASE_WAIT_S
    while True:
        try:
            return _run_once(command, duration_s, watch, environment)
        except UserError as error:
            if LEASED not in str(error) or time.monotonic() > patient_until:
                raise
        watch()
        time.sleep(POLL_S)


def _run_once(
    command: list[str],
    duration_s: float,
    watch: Callable[[], None],
    environment: Mapping[str, str] | None = None,
) -> Output:
    # Without a name, so that it is removed with its last user; long runs need the room of a disk,
    # on which /tmp often is not.
    with tempfile.TemporaryFile(dir="/var/tmp") as file:
        process = subprocess.Popen(
            [*command, "--samples", f"/proc/self/fd/{file.fileno()}", "--die-with-parent"],
            pass_fds=[file.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait(process, duration_s + GRACE_S, watch)
            output, errors = process.communicate()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if process.returncode != 0:
            raise UserError(_reason(errors, process.returncode))
        try:
            result = json.loads(output)
            file.seek(0)
            records = samples.parse(file.read())
        except (ValueError, samples.SampleFileError) as error:
            raise UserError(f"{Path(command[0]).name} gave no valid result: {error}") from None
    counted = result.get("samples", result.get("gaps"))
    if counted != len(records):
        raise UserError(f"{len(records)} of {counted} samples reached the file: free space first")
    return Output(result, records)


def _wait(process: subprocess.Popen[str], timeout_s: float, watch: Callable[[], None]) -> None:
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            process.wait(POLL_S)
            return
        except subprocess.TimeoutExpired:
            pass
        watch()
        if time.monotonic() > deadline:
            raise UserError(
                f"a run did not end within {GRACE_S:g} s after its time: see ./tactus doctor"
            )


def _reason(errors: str, status: int) -> str:
    lines = errors.strip().splitlines()
    if not lines:
        return f"a run ended with status {status} and without a message: see ./tactus doctor"
    # The last line of an instrument says what to do, after the instrument's name.
    return lines[-1].partition(": ")[2] or lines[-1]
