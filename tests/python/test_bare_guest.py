# SPDX-License-Identifier: LGPL-2.1-or-later
"""The bare back end with the module, in virtual machines: the conformance suite, and the programs
of tests/nucleus with its library instead of the one with which they are linked. Time is virtual, so
that a busy host does not matter. Skipped if QEMU, the kernel or its headers are missing; `./tactus
lab vm true` fetches the first two."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from kmod_factory import kernel_of, module_of
from vm_factory import slept

from tactus.lab.vm import boot, core, image
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests, Outcome, command_job
from tactus.lab.vm.machine import QUICK_ARGUMENTS, QUICK_CPU, Machine
from tactus.project import Project
from tactus.suite import tap
from tactus.suite.case import Case
from tactus.suite.case import Outcome as End

pytestmark = pytest.mark.guest

KERNEL = "generic"
SUITE = "hal_suite_bare"
# Turns of the processors: no case here needs less than some hundred microseconds.
SLICE_US = 200
LIMIT_S = 1800.0
GUEST_LIMIT_S = 300
# Interactions between the cores of one program: kicks, calls, tasks that migrate.
SEVERAL = "--cpus=2"
SEVERAL_TOO = {
    SUITE: "kick_reaches_another_cpu preempted_task_goes_on_elsewhere preempted_tasks_take_turns "
    "storm_on_a_computing_task",
    "start": "cpu_that_this_process_may_not_use_is_refused stop_ends_tasks_in_every_state "
    "child_of_a_fork_exits_without_touching_its_parent",
    "migrate": f"{SEVERAL} timer_of_another_cpu_ends_no_wait_early",
    "task": f"{SEVERAL} task_stays_where_it_is_when_there_is_no_room_elsewhere",
    "time": f"{SEVERAL} release_that_came_early_is_not_given_twice",
}
# A hundred thousand stacks are pinned memory: with less memory the case is skipped.
MEMORY_MIB = {"several cores": 1024, "whole": 2048}
# An unmodified program, the same on both cores; Linux's log shows which of them it was.
PROGRAM = "cyclictest"
CYCLES = 50
# Its first thread is a task, whose Linux calls are searched up to the end of its stack.
MAIN = "pip_stress"
LAUNCHER = "opt/skins/posix/tactus-run"
LAUNCH = f"""
launch() {{{{
	taken=$(dmesg | grep -c "CPU 1 is now offline")
	file=$out/run.$1.$2
	su $2 -c "timeout {GUEST_LIMIT_S} /{LAUNCHER} --core $1 --cpu 1 --summary -- \\
		{PROGRAM} -q -m -t 1 -a 1 -p 80 -i 1000 -l {CYCLES}" >"$file" 2>"$file.err"
	echo $? >"$file.end"
	echo $(($(dmesg | grep -c "CPU 1 is now offline") - taken)) >"$file.taken"
}}}}
# An ordinary user with the limits that the module's installation gives to its group.
mkdir -p /etc
printf '%s:x:%s:%s::/:/bin/sh\n' root 0 0 user 1000 1000 stranger 1001 1001 >/etc/passwd
chgrp 1000 /dev/tactus
chmod 660 /dev/tactus
(unset LD_LIBRARY_PATH; ulimit -r 98; ulimit -l unlimited
for user in root user; do launch bare $user; launch thread $user; done
launch bare stranger
timeout {GUEST_LIMIT_S} /{LAUNCHER} --core bare --cpu 1 --summary -- {MAIN} >"$out/main" 2>&1
echo $? >"$out/main.end"
ulimit -l 1000
su user -c "/{LAUNCHER} --core bare --cpu 1 -- {PROGRAM} -q -l 1" >"$out/pins" 2>&1)
"""
# Linux's first CPU, if Linux gives it up, and if not.
FIRST = f"""
file=$out/first
/{LAUNCHER} --core bare --cpu 0 --summary -- \
	{PROGRAM} -q -m -t 1 -a 0 -p 80 -i 1000 -l {CYCLES} >"$file" 2>"$file.err"
echo $? >"$file.end"
dmesg | grep "Processor 0 APIC" >"$file.back"
"""
# Programs beside each other, with a core each, one of which is killed; one with both siblings of a
# pair, or with one of them while the other is idle, which is killed repeatedly. However they end,
# Linux gets all CPUs back.
MEASURES = "instruments/latency/tactus-latency"
PAIRS = ("-smp", "4,cores=2,threads=2", "-cpu", f"{QUICK_CPU},vendor=GenuineIntel")
ENDS = {"1": "0", "2": "137", "3": "0"}
KILLS = 5
SIBLING = "CPU 0 is a sibling of CPU 1 and remains with Linux"
KILL = f"""
online() {{{{ cat /sys/devices/system/cpu/online; }}}}
waited() {{{{
	tries=0
	until [ "$(online)" $1 "$2" ]; do
		tries=$((tries + 1)) && [ $tries -lt 500 ] || return 1
		sleep 0.01
	done
}}}}
measures() {{{{ exec /usr/bin/tactus-latency --core bare --json "$@"; }}}}
all=$(online)
for cpu in 1 2 3; do
	measures --cpu $cpu --duration 1 >"$out/program.$cpu" 2>"$out/program.$cpu.err" &
	eval program$cpu=$!
done
waited = 0 && sleep 0.05 || echo "not all were taken: $(online)" >>"$out/kills"
kill -9 $program2
for cpu in 1 2 3; do
	eval wait \\$program$cpu
	echo "$cpu $?" >>"$out/programs"
done
waited = "$all" || echo "not all came back: $(online)" >>"$out/kills"
for kill in $(seq {KILLS}); do
	if [ $kill = 1 ]; then
		exec /{LAUNCHER} --core bare --cpu 2 --siblings -- \
			{PROGRAM} -q -m -p 80 -i 1000 -l 60000
	else
		measures --cpu 2 --cpus 2 --busy --duration 60
	fi >/dev/null 2>&1 &
	waited = 0-1 || echo "kill $kill: no pair was taken" >>"$out/kills"
	sleep 0.0$kill
	kill -9 $!
	wait $!
	waited = "$all" && echo back >>"$out/kills"
done
"""
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
FEW = re.compile(
    r"one CPU|Linux would have no CPU left(?!: use fewer than all 4 )|no CPU is left"
)
# The CPU of the program before is not back yet; one case leaves itself no other CPU.
NOT_BACK = "than all 1 CPUs"
ALONE = "start: cpu_that_this_process_may_not_use_is_refused"
# A case of tests/nucleus, from the symbols of its program; one symbol is the compiler's.
REGISTERED = re.compile(r" t register_(?!tm_clones)(\w+)$", re.M)


def whole() -> dict[str, str]:
    """Every program with all of its cases."""
    built = sorted(
        p.name[5:-7] for p in Project.here().build.glob("tests/test_*_thread")
    )
    # No processor of this back end is shared, which `follow` tests.
    return {SUITE: "", **{name: "" for name in built if name != "follow"}}


def program_of(name: str) -> Path:
    """Programs of the build: the suite, or a program of tests/nucleus on the thread back end."""
    return Project.here().build / (
        f"tests/hal/{name}" if name == SUITE else f"tests/test_{name}_thread"
    )


def launched(project: Project) -> tuple[dict[str, Path], dict[str, Path]]:
    """Programs and files of LAUNCH, placed relative to each other as in the build."""
    found = {name: shutil.which(name) for name in (PROGRAM, MAIN)}
    skin = project.program("skins/posix/libtactus-run.so")
    programs = {
        LAUNCHER: project.program("skins/posix/tactus-run"),
        f"{Path(LAUNCHER).parent}/{skin.name}": skin,
    }
    for name, path in found.items():
        if path is None:
            pytest.skip(f"there is no {name}: install rt-tests")
        programs[f"usr/bin/{name}"] = Path(path)
    return programs, {f"opt/{core.BUILT}": project.program(core.BUILT)}


def run(
    names: Mapping[str, str],
    folder: Path,
    cpus: int,
    memory_mib: int,
    before: str = "",
    *,
    arguments: str = "",
    devices: tuple[str, ...] = ("-cpu", QUICK_CPU),
) -> Outcome:
    """names: programs, each with the wanted cases; none: all. before: LAUNCH, KILL, FIRST, which
    have their own programs."""
    project = Project.here()
    kernel = kernel_of(KERNEL)
    programs = {f"usr/bin/{name}": program_of(name) for name in names}
    for path in programs.values():
        if not path.is_file():
            pytest.skip(f"{path} is not built")
    files = module_of(project, kernel)
    if before:
        others, more = launched(project)
        programs, files = programs | others, files | more
        programs[f"usr/bin/{Path(MEASURES).name}"] = project.program(MEASURES)
    guests = Guests.of(image.Content(programs, files), os.environ)
    guests = replace(guests, limits_s={**boot.LIMITS_S, State.JOB: LIMIT_S})
    command = COMMAND.format(
        start=core.START.format(folder=f"/{core.FOLDER}"),
        before=before.format(),
        runs="\n".join(f"run {name} {cases}" for name, cases in names.items()),
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


def wanted_of(name: str, words: str) -> set[str]:
    """The cases that its report must contain."""
    if words:
        return {word for word in words.split() if not word.startswith("--")}
    if name == SUITE:
        return set()
    command = ["nm", str(program_of(name))]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = set(REGISTERED.findall(said))
    assert found, name
    return found


def cases_of(outcome: Outcome, name: str, words: str, several: bool) -> list[Case]:
    """The cases of a program that printed its whole report, ended as the report says, and failed
    nowhere."""
    said = outcome.text(f"{name}.tap")
    if said.split() == ["1..0"] and outcome.text(f"{name}.end").split() == ["0"]:
        return []
    report = tap.parse(said, name)
    complaints = f"{said[-3000:]}\n{outcome.text(f'{name}.err')[-1000:]}"
    assert report.fault == "", complaints
    failed = [case for case in report.cases if case.outcome is End.FAILED]
    assert [f"{case.name}: {case.detail}" for case in failed] == []
    assert outcome.text(f"{name}.end").strip() == "0", complaints
    skipped = [c for c in report.cases if c.outcome is End.SKIPPED]
    assert [c for c in skipped if not SKIPS.search(c.detail)] == []
    assert [c for c in skipped if NOT_BACK in c.detail and c.name != ALONE] == []
    assert [c for c in skipped if several and FEW.search(c.detail)] == []
    assert (
        wanted_of(name, words) - {c.name.partition(": ")[2] for c in report.cases}
        == set()
    )
    return [case for case in report.cases if case.outcome is End.PASSED]


def judge(outcome: Outcome, names: Mapping[str, str], several: bool) -> None:
    """Every wanted case ran, or said why this machine cannot run it; some ran."""
    passed = [
        case
        for n, words in names.items()
        for case in cases_of(outcome, n, words, several)
    ]
    assert passed
    log = outcome.text("kernel.log").splitlines()
    assert [line for line in log if core.BAD_LOG.search(line)] == []
    assert outcome.status == 0, outcome.text("stderr")


def test_contract_and_nucleus_hold_with_the_module_and_programs_run_there(
    tmp_path: Path,
) -> None:
    names = whole()
    outcome = run(names, tmp_path, 2, MEMORY_MIB["whole"], LAUNCH)
    judge(outcome, names, several=False)
    taken = {"bare": "1", "thread": "0"}
    for which, user in itertools.product(taken, ("root", "user")):
        name = f"{which}.{user}"
        said = outcome.text(f"run.{name}") + outcome.text(f"run.{name}.err")
        assert outcome.text(f"run.{name}.end").strip() == "0", said
        assert outcome.text(f"run.{name}.taken").strip() == taken[which], said
        assert "setaffinity" not in said, said
        assert re.search(rf"T: 0 .* C: +{CYCLES} ", said), said
        # Its thread of priority 80 was a task, which slept as often as it made cycles.
        assert slept(said, 80, CYCLES), said
    assert outcome.text("run.bare.stranger.end").strip() == "2"
    said = outcome.text("run.bare.stranger.err")
    assert "/dev/tactus: Permission denied" in said and "doctor" in said
    assert "ulimit -l" in outcome.text("pins"), outcome.text("pins")
    said = outcome.text("main")
    assert outcome.text("main.end").strip() == "0", said
    # The first call depends on timing: it is for its child, or for a lock that this one has.
    assert re.search(rf"^tactus: +\d+ +(61|202) libc\S+ for {MAIN}\+", said, re.M), said


def test_several_cores_work_together_and_programs_beside_each_other(
    tmp_path: Path,
) -> None:
    names = dict.fromkeys(whole(), SEVERAL) | SEVERAL_TOO
    outcome = run(names, tmp_path, 4, MEMORY_MIB["several cores"], KILL, devices=PAIRS)
    judge(outcome, names, several=True)
    assert dict(line.split() for line in outcome.text("programs").splitlines()) == ENDS
    for cpu in (cpu for cpu, end in ENDS.items() if end == "0"):
        said = json.loads(outcome.text(f"program.{cpu}"))
        served = said["samples"] + said["overruns"]
        assert (said["cpu"], said["lost"], served) == (int(cpu), 0, 1000), said
    assert SIBLING in outcome.text("program.1")
    assert outcome.text("kills").split() == ["back"] * KILLS, outcome.text("kills")


@pytest.mark.on_request
def test_whole_suite_of_the_nucleus_with_three_cores(tmp_path: Path) -> None:
    names = whole()
    outcome = run(names, tmp_path, 4, MEMORY_MIB["whole"])
    judge(outcome, names, several=True)


@pytest.mark.on_request
@pytest.mark.parametrize("argument", [core.FIRST_ARGUMENTS, ""])
def test_program_has_the_first_cpu_where_linux_parts_with_it(
    argument: str, tmp_path: Path
) -> None:
    outcome = run({}, tmp_path, 2, 768, FIRST, arguments=argument, devices=core.FIRST)
    assert outcome.status == 0, outcome.text("stderr")
    said = outcome.text("first") + outcome.text("first.err")
    assert [
        line
        for line in outcome.text("kernel.log").splitlines()
        if core.BAD_LOG.search(line)
    ] == []
    assert outcome.text("first.end").strip() == "0", said
    assert re.search(rf"T: 0 .* C: +{CYCLES} ", said), said
    if argument:
        assert slept(said, 80, CYCLES), said
        assert outcome.text("first.back"), said
    else:
        assert (
            "runs without Tactus: CPU 0 cannot be taken: CPU 0 started the machine"
            in said
        )
