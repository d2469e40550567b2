# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs of the tests on the bare back end with the module, in a virtual machine of virtual time:
they are linked with the library of the back end thread, and find the one of bare first."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from kmod_factory import kernel_of, module_of

from tactus.lab.vm import boot, core, image
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests, Outcome, command_job
from tactus.lab.vm.machine import QUICK_ARGUMENTS, QUICK_CPU, Machine
from tactus.project import Project
from tactus.suite import tap
from tactus.suite.case import Case
from tactus.suite.case import Outcome as End

KERNEL = "generic"
# The conformance suite of the contract; it registers its cases in a way of its own.
SUITE = "hal_suite_bare"
# Turns of the processors: no case here needs less than some hundred microseconds.
SLICE_US = 200
LIMIT_S = 1800.0
GUEST_LIMIT_S = 300
COMMAND = """
{start}all=$(cat /sys/devices/system/cpu/online)
run() {{
	# A program that the one before has killed gives its CPU back while nobody waits for it.
	tries=0
	until [ "$(cat /sys/devices/system/cpu/online)" = "$all" ] || [ $tries -ge 500 ]; do
		tries=$((tries + 1))
		sleep 0.01
	done
	# A path: the guest's shell has a command of its own for some names.
	timeout {limit} "/usr/bin/$@" >"$out/$1.tap" 2>"$out/$1.err"
	echo $? >"$out/$1.end"
}}
out=$2
{before}
{runs}
rmmod tactus
"""
# Why a case may be skipped: what this machine, or a processor taken from Linux, lacks.
SKIPS = re.compile(
    r"one CPU|Linux would have no CPU left|no CPU is left|checks no alignment"
    r"|may stay awake for the next call|too little memory|virtual time|simulat"
    r"|others use|hands Linux calls over|no calls are handed back|the same everywhere"
    r"|told by the back end|an emulator's"
)
# This is no reason for programs with several cores, for which those cases are; but none of them can
# have all four.
FEW = re.compile(r"one CPU|Linux would have no CPU left(?!: use fewer than all 4 )|no CPU is left")
# The CPU of the program before is not back yet; one case leaves itself no other CPU.
NOT_BACK = "than all 1 CPUs"
ALONE = "start: cpu_that_this_process_may_not_use_is_refused"
# A case of tests/nucleus, from the symbols of its program; one symbol is the compiler's.
REGISTERED = re.compile(r" t register_(?!tm_clones)(\w+)$", re.M)


def run(
    programs: Mapping[str, Path],
    cases: Mapping[str, str],
    folder: Path,
    cpus: int,
    memory_mib: int,
    before: str = "",
    beside: image.Content | None = None,
    *,
    arguments: str = "",
    devices: tuple[str, ...] = ("-cpu", QUICK_CPU),
) -> Outcome:
    """programs: by their names in the report. cases: of each program, the wanted ones; "": all.
    before: commands that run first, with the programs and files of beside."""
    for path in programs.values():
        if not path.is_file():
            pytest.skip(f"{path} is not built")
    kernel = kernel_of(KERNEL)
    beside = beside or image.Content()
    content = image.Content(
        {f"usr/bin/{name}": path for name, path in programs.items()} | dict(beside.programs),
        module_of(Project.here(), kernel) | dict(beside.files),
    )
    guests = Guests.of(content, os.environ)
    guests = replace(guests, limits_s={**boot.LIMITS_S, State.JOB: LIMIT_S})
    command = COMMAND.format(
        start=core.START.format(folder=f"/{core.FOLDER}"),
        before=before,
        runs="\n".join(f"run {name} {cases[name]}" for name in programs),
        limit=GUEST_LIMIT_S,
    )
    machine = Machine(
        kernel,
        cpus,
        memory_mib=memory_mib,
        arguments=f"{QUICK_ARGUMENTS} {arguments}",
        devices=devices,
        slice_us=SLICE_US,
    )
    return guests.run(machine, command_job(folder / "job", [command]), folder)


def registered(program: Path) -> set[str]:
    command = ["nm", str(program)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(REGISTERED.findall(said))


def wanted_of(program: Path, words: str) -> set[str]:
    """The cases that its report must contain."""
    if words:
        return {word for word in words.split() if not word.startswith("--")}
    if program.name == SUITE:
        return set()
    found = registered(program)
    assert found, program
    return found


def cases_of(
    outcome: Outcome,
    name: str,
    program: Path,
    words: str,
    several: bool,
    skips: re.Pattern[str],
) -> tuple[list[Case], list[str]]:
    """The cases of a program that passed, and what speaks against the program: a case that failed,
    or that may not be skipped, a report that is not whole, an end that the report does not say."""
    said = outcome.text(f"{name}.tap")
    if program.name != SUITE and not registered(program):
        # A program as users write one, which has only its status.
        end = outcome.text(f"{name}.end").strip()
        errors = outcome.text(f"{name}.err")[-1000:]
        return [], [] if end == "0" else [f"{name}: ended with {end}\n{said[-1000:]}\n{errors}"]
    if said.split() == ["1..0"] and outcome.text(f"{name}.end").split() == ["0"]:
        return [], []
    report = tap.parse(said, name)
    skipped = [c for c in report.cases if c.outcome is End.SKIPPED]
    missed = wanted_of(program, words) - {c.name.partition(": ")[2] for c in report.cases}
    faults = [f"{c.name}: {c.detail}" for c in report.cases if c.outcome is End.FAILED]
    faults += [f"{c.name}: skipped: {c.detail}" for c in skipped if not skips.search(c.detail)]
    faults += [f"{c.name}: {c.detail}" for c in skipped if NOT_BACK in c.detail and c.name != ALONE]
    faults += [f"{c.name}: {c.detail}" for c in skipped if several and FEW.search(c.detail)]
    faults += [f"{name}: {case} is missing" for case in sorted(missed)]
    if report.fault or (outcome.text(f"{name}.end").strip() != "0" and not faults):
        end = outcome.text(f"{name}.end").strip()
        complaints = f"{said[-3000:]}\n{outcome.text(f'{name}.err')[-1000:]}"
        faults.append(f"{name}: ended with {end}: {report.fault}\n{complaints}")
    return [case for case in report.cases if case.outcome is End.PASSED], faults


def judge(
    outcome: Outcome,
    programs: Mapping[str, Path],
    cases: Mapping[str, str],
    several: bool,
    skips: re.Pattern[str] = SKIPS,
) -> None:
    """Every wanted case ran, or said why this machine cannot run it; some ran. skips: what it may
    say. What speaks against any program is told, not the first one's alone."""
    passed = []
    faults = []
    for name, path in programs.items():
        cases_passed, cases_faults = cases_of(outcome, name, path, cases[name], several, skips)
        passed += cases_passed
        faults += cases_faults
    assert not faults, "\n".join(faults)
    assert passed
    log = outcome.text("kernel.log").splitlines()
    assert [line for line in log if core.BAD_LOG.search(line)] == []
    assert outcome.status == 0, outcome.text("stderr")
