# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module in virtual machines: boots for its tests, and the checks of their results."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tactus.lab.vm import boot, core, emulator, headers, image, kernels
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests, Outcome, command_job
from tactus.lab.vm.machine import ICOUNT, QUICK_ARGUMENTS, QUICK_CPU, Machine
from tactus.project import Project, UserError

CHECKED = "checked"
"""The kernel that dev/checked_kernel.py builds."""
PROGRAM = "tests/kmod/kmod-test"
# What the kernel's log must not contain after a test of the module.
BAD_LOG = re.compile(
    core.BAD_LOG.pattern + r"|UBSAN|blocked for more than|No irq handler for vector"
    r"|freeing invalid memtype"
)
# Long cases print more than Linux keeps by default.
WHOLE_LOG = "log_buf_len=16M"
CASES = """
insmod /tactus.ko {parameters} || exit 9
{cases}
rmmod tactus && echo ok unload
insmod /tactus.ko {parameters} && rmmod tactus && echo ok load again
if [ -e /proc/lockdep_stats ]; then
    grep -q 'debug_locks: *1$' /proc/lockdep_stats && echo ok lockdep looks || echo not ok lockdep
fi
"""
# A program that holds a CPU for two virtual seconds, while the test does things to it.
_WHILE_HELD = """
kmod-test hold {cpu} 2000 > /tmp/held & holder=$!
sleep 0.5
{actions}
wait $holder; cat /tmp/held
"""
# For machines whose instructions are not counted: if the host is busy, Linux takes its timer for
# wrong, and its watchdogs report.
PATIENT = "no_timer_check nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
UNCOUNTED = f"tsc=reliable {PATIENT}"
# For cases on these machines: the host may keep a core waiting.
UNHURRIED = "echo 10000 >/sys/module/tactus/parameters/answer_ms\n"
REMAPPING = (*core.REMAPPING, "-device", "edu")
# Linux before 6.5 also gives up its first CPU, after this boot option and on a processor of Intel.
FIRST = "cpu0_hotplug"
# The emulated processors of Intel have no local machine checks; those of AMD need none.
BROADCAST = "broadcast_mce=1"
WITH_FIRST = ("-cpu", "max,-la57,-monitor,vendor=GenuineIntel")
# Binds the emulator's educational device to the module.
BIND = """
bind() {
    for folder in /sys/bus/pci/devices/*; do
        [ "$(cat $folder/device)" = $1 ] || continue
        BOUND=${folder##*/}
        echo tactus >$folder/driver_override
        echo $BOUND >/sys/bus/pci/drivers_probe
    done
}
bind 0x11e8 && EDU=$BOUND
"""


@dataclass(frozen=True, slots=True)
class Poke:
    """A command for the emulator's monitor, after the guest's console has printed `after`; if
    `until` is given, repeated each second until the console prints that."""

    after: str
    command: str
    until: str = ""


@dataclass(slots=True)
class Monitor:
    """Follows a guest's console and sends the commands to the monitor."""

    console: Path
    place: Path
    pokes: tuple[Poke, ...]
    _done: set[Poke] = field(default_factory=set)
    _next: float = 0.0

    def __call__(self, _: State) -> None:
        if time.monotonic() < self._next or not self.console.is_file():
            return
        self._next = time.monotonic() + 1
        text = self.console.read_text(errors="replace")
        for poke in self.pokes:
            if poke not in self._done and poke.after in text:
                if poke.until and poke.until in text:
                    continue
                self._tell(poke.command)
                if not poke.until:
                    self._done.add(poke)

    def _tell(self, command: str) -> None:
        # It may have ended meanwhile.
        with suppress(ConnectionError), socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.place))
            line.settimeout(60)
            # It accepts commands after its greeting, and has finished one when it prompts anew.
            for text in ("", f"{command}\n"):
                line.sendall(text.encode())
                said = b"begin"
                while said and b"(qemu)" not in said:
                    said = line.recv(4096)


@dataclass(frozen=True, slots=True)
class Boot:
    """The boot of a guest, apart from its kernel. devices: words for QEMU; counted: instructions
    are counted; unpacks: the kernel unpacks itself, and then chooses the number of levels of its
    page tables; by_chance: the same, and it chooses its addresses, as everywhere except in these
    guests; parameters: those of the module."""

    cases: str
    cpus: int = 2
    options: tuple[str, ...] = ()
    arguments: str = ""
    devices: tuple[str, ...] = ()
    files: dict[str, Path] = field(default_factory=dict)
    patient: bool = False
    counted: bool = True
    pokes: tuple[Poke, ...] = ()
    unpacks: bool = False
    by_chance: bool = False
    parameters: str = BROADCAST


def kernel_of(name: str) -> kernels.Kernel:
    try:
        emulator.need(os.environ, os.geteuid())
        return _checked_kernel() if name == CHECKED else kernels.find(name, os.environ)
    except UserError as error:
        pytest.skip(str(error))


def module_of(project: Project, kernel: kernels.Kernel) -> dict[str, Path]:
    """The module for the kernel, as files of a guest."""
    try:
        return core.files(project, kernel, os.environ)
    except UserError as error:
        if "does not build" in str(error):
            raise
        pytest.skip(str(error))


def _checked_kernel() -> kernels.Kernel:
    script = Project.here().root / "dev/checked_kernel.py"
    command = [sys.executable, str(script), "--built"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(done.stderr.strip())
    # Its configuration is minimal: it lacks the times by which a boot is followed.
    return replace(kernels.find(done.stdout.strip(), os.environ), arguments="printk.time=1")


def run(kernel: kernels.Kernel, wanted: Boot, folder: Path) -> tuple[Outcome, str]:
    project = Project.here()
    if not (project.build / PROGRAM).is_file():
        project.ensure_built()
    program = project.program(PROGRAM)
    try:
        module, warnings = headers.module(project.root, kernel, os.environ, *wanted.options)
    except UserError as error:
        if "does not build" in str(error):
            raise
        pytest.skip(str(error))
    built = {path.name: path for path in module.parent.glob("*.ko")}
    content = image.Content({"usr/bin/kmod-test": program}, {**built, **wanted.files})
    job = command_job(
        folder / "job", [CASES.format(cases=wanted.cases, parameters=wanted.parameters)]
    )
    guests = Guests.of(content, os.environ)
    if wanted.patient:
        guests = replace(guests, limits_s={**boot.LIMITS_S, State.JOB: 7200.0})
    # A socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="tactus-") as place:
        monitor = Monitor(folder / "console", Path(place) / "monitor", wanted.pokes)
        machine = Machine(
            kernel,
            cpus=wanted.cpus,
            accelerator=ICOUNT if wanted.counted else "tcg",
            arguments=f"{WHOLE_LOG} {QUICK_ARGUMENTS} {wanted.arguments}",
            devices=(
                "-cpu",
                QUICK_CPU,
                *wanted.devices,
                "-monitor",
                f"unix:{monitor.place},server=on,wait=off",
            ),
            slice_us=20,
        )
        if wanted.by_chance:
            own = ("-append", machine.cmdline.replace(" nokaslr", ""))
            machine = replace(machine, devices=(*machine.devices, *own))
        if wanted.unpacks or wanted.by_chance:
            machine = replace(machine, kernel=replace(kernel, unpacked=None))
        return guests.run(machine, job, folder, monitor), warnings


def judge(outcome: Outcome, least: int, log: re.Pattern[str] | None = BAD_LOG) -> None:
    text = outcome.text("stdout")
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("not ok")] == [], text[-3000:]
    assert sum(line.startswith("ok ") for line in lines) >= least, text[-3000:]
    assert "ok unload" in text and "ok load again" in text, text[-3000:]
    whole = outcome.text("kernel.log")
    assert "Linux version" in whole, "the kernel's log has lost its beginning"
    if log is not None:
        assert [line for line in whole.splitlines() if log.search(line)] == []


def checked(kernel: str, wanted: Boot, folder: Path, least: int) -> Outcome:
    """Runs the cases; at least so many checks must be made, all of them must pass, and the log must
    be clean."""
    outcome, warnings = run(kernel_of(kernel), wanted, folder)
    assert warnings == ""
    judge(outcome, least)
    # It switches itself off with its first report, whatever caused it, and then sees nothing.
    assert kernel != CHECKED or "ok lockdep looks" in outcome.text("stdout")
    return outcome


def words(*cases: str) -> str:
    return "\n".join(f"kmod-test {case}" for case in cases) + "\n"


def while_held(actions: str, cpu: int = 1) -> str:
    return _WHILE_HELD.format(cpu=cpu, actions=actions)


def ends(kind: str, kernel: str, boot_: Boot, folder: Path) -> str:
    """Ends the machine in that way while a core runs a program; returns the console's text."""
    with pytest.raises(boot.GuestFailure) as failure:
        run(kernel_of(kernel), boot_, folder)
    assert failure.value.name == kind
    text = (folder / "console").read_text(errors="replace")
    assert not re.search(r"BUG:|Oops|soft lockup|did not answer", text)
    return text
