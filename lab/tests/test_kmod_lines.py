# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module on kernel command lines that others have, and on other processors: it works, or says
what to do. Each is a virtual machine: `./tactus test --backend bare`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kmod_factory import PATIENT, UNCOUNTED, UNHURRIED, Boot, checked, kernel_of, run, words

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

# Instructions are not counted, which is quick.
CASES = UNHURRIED + words("cycle 1 2 20 20000000", "contain 1", "memory 1", "kill 1 4 1", "clock 5")
LEAST = 100
LINES = {
    "no mitigations": "mitigations=off",
    "nosmt": "nosmt",
    "isolation without PCID": "nopcid pti=on",
    "a CPU without a tick": "nohz_full=1 isolcpus=1 rcu_nocbs=1",
    "polling idle": "idle=poll",
    "threaded interrupts": "threadirqs",
    "checks of memory": "slub_debug=FZPU page_poison=1 init_on_free=1 init_on_alloc=1",
    "two nodes": "numa=fake=2",
    "another clock": "clocksource=hpet",
    "a clock that Linux mistrusts": "tsc=unstable",
}
PROCESSORS = {
    "EPYC": ("-cpu", "EPYC-Milan"),
    "Skylake": ("-cpu", "Skylake-Server"),
    "the oldest": ("-cpu", "IvyBridge"),
    "no SMAP, no SMEP": ("-cpu", "max,-la57,-monitor,-smap,-smep,-umip,-pku"),
    "memory above 4 GiB": ("-m", "6144"),
}
# What the kernel's log or the program says.
REFUSED = {
    "noxsave": (("noxsave", ()), "boot without noxsave"),
    "nofsgsbase": (("nofsgsbase", ()), "boot without nofsgsbase"),
    "a processor without FSGSBASE": (("", ("-cpu", "SandyBridge")), "on Ivy Bridge or newer"),
    "a processor without XSAVE": (("", ("-cpu", "max,-la57,-monitor,-xsave")), "without noxsave"),
    "a clock that Linux mistrusts, and no host": (
        ("tsc=unstable", ("-cpu", "max,-la57,-monitor,-hypervisor")),
        "time-stamp counters go wrong",
    ),
    "a kernel that takes signed modules": (
        ("lockdown=integrity", ()),
        "unsigned module loading is restricted",
    ),
    "no CPU to part with": (("maxcpus=1", ()), "CPU 1 is offline"),
}


@pytest.mark.parametrize("name", LINES)
def test_module_with(name: str, tmp_path: Path) -> None:
    wanted = Boot(CASES, arguments=f"{UNCOUNTED} {LINES[name]}", counted=False)
    checked("generic", wanted, tmp_path, LEAST)


@pytest.mark.parametrize("name", PROCESSORS)
def test_module_on(name: str, tmp_path: Path) -> None:
    wanted = Boot(CASES, arguments=UNCOUNTED, devices=PROCESSORS[name], counted=False)
    checked("generic", wanted, tmp_path, LEAST)


@pytest.mark.parametrize("name", REFUSED)
def test_module_refuses(name: str, tmp_path: Path) -> None:
    (arguments, devices), says = REFUSED[name]
    wanted = Boot(
        words("refuse 1"),
        arguments=f"{PATIENT} {arguments}",
        devices=devices,
        counted=False,
    )
    outcome, _ = run(kernel_of("generic"), wanted, tmp_path)
    texts = [outcome.text(part) for part in ("kernel.log", "stdout", "stderr")]
    assert any(says in text for text in texts), texts[1:]
    assert not re.search(r"BUG|Oops|Call Trace", texts[0])
