# SPDX-License-Identifier: LGPL-2.1-or-later
"""The bare back end with the module, in virtual machines: the conformance suite, and the programs
of tests/nucleus with its library instead of the one with which they are linked. Time is virtual, so
that a busy host does not matter. Skipped if QEMU, the kernel or its headers are missing; `./tactus
lab vm true` fetches the first two."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from bare_factory import GUEST_LIMIT_S, SUITE, judge, run
from vm_factory import slept

from tactus.lab.vm import core, image
from tactus.lab.vm.machine import QUICK_CPU
from tactus.project import Project

pytestmark = pytest.mark.guest

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


def whole() -> dict[str, str]:
    """Every program with all of its cases."""
    built = sorted(p.name[5:-7] for p in Project.here().build.glob("tests/test_*_thread"))
    # No processor of this back end is shared, which `follow` tests.
    return {SUITE: "", **{name: "" for name in built if name != "follow"}}


def program_of(name: str) -> Path:
    """Programs of the build: the suite, or a program of tests/nucleus on the thread back end."""
    return Project.here().build / (
        f"tests/hal/{name}" if name == SUITE else f"tests/test_{name}_thread"
    )


def programs_of(names: Mapping[str, str]) -> dict[str, Path]:
    return {name: program_of(name) for name in names}


def launched() -> image.Content:
    """Programs and files of LAUNCH, placed relative to each other as in the build."""
    project = Project.here()
    found = {name: shutil.which(name) for name in (PROGRAM, MAIN)}
    skin = project.program("skins/posix/libtactus-run.so")
    programs = {
        LAUNCHER: project.program("skins/posix/tactus-run"),
        f"{Path(LAUNCHER).parent}/{skin.name}": skin,
        f"usr/bin/{Path(MEASURES).name}": project.program(MEASURES),
    }
    for name, path in found.items():
        if path is None:
            pytest.skip(f"there is no {name}: install rt-tests")
        programs[f"usr/bin/{name}"] = Path(path)
    return image.Content(programs, {f"opt/{core.BUILT}": project.program(core.BUILT)})


def test_contract_and_nucleus_hold_with_the_module_and_programs_run_there(
    tmp_path: Path,
) -> None:
    names = whole()
    programs = programs_of(names)
    memory = MEMORY_MIB["whole"]
    outcome = run(programs, names, tmp_path, 2, memory, LAUNCH.format(), launched())
    judge(outcome, programs, names, several=False)
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
    programs = programs_of(names)
    memory = MEMORY_MIB["several cores"]
    outcome = run(programs, names, tmp_path, 4, memory, KILL.format(), launched(), devices=PAIRS)
    judge(outcome, programs, names, several=True)
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
    programs = programs_of(names)
    outcome = run(programs, names, tmp_path, 4, MEMORY_MIB["whole"])
    judge(outcome, programs, names, several=True)


@pytest.mark.on_request
@pytest.mark.parametrize("argument", [core.FIRST_ARGUMENTS, ""])
def test_program_has_the_first_cpu_where_linux_parts_with_it(argument: str, tmp_path: Path) -> None:
    outcome = run(
        {}, {}, tmp_path, 2, 768, FIRST, launched(), arguments=argument, devices=core.FIRST
    )
    assert outcome.status == 0, outcome.text("stderr")
    said = outcome.text("first") + outcome.text("first.err")
    assert [
        line for line in outcome.text("kernel.log").splitlines() if core.BAD_LOG.search(line)
    ] == []
    assert outcome.text("first.end").strip() == "0", said
    assert re.search(rf"T: 0 .* C: +{CYCLES} ", said), said
    if argument:
        assert slept(said, 80, CYCLES), said
        assert outcome.text("first.back"), said
    else:
        assert "runs without Tactus: CPU 0 cannot be taken: CPU 0 started the machine" in said
