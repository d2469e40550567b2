# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module with kernel command lines of other users, and on other processors: it works, or says
what to do. Each is a virtual machine: `./tactus test --backend bare`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kmod_factory import (
    BIND,
    PATIENT,
    REMAPPING,
    UNCOUNTED,
    UNHURRIED,
    Boot,
    checked,
    kernel_of,
    run,
    words,
)

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

# Instructions are not counted, which is quick. A program takes no CPU that it may not use itself,
# for example an isolated one at first.
CASES = (
    # Not $$, which is the shell of which this is a part.
    "read -r own _ </proc/self/stat; taskset -p ff $own >/dev/null\n"
    + UNHURRIED
    + words("cycle 1 2 20 20000000", "contain 1", "memory 1", "kill 1 4 1", "clock 5")
)
LEAST = 100
KERNELS = ("generic", "preempt-rt", "backports")
PLACE = """
grep ' T _text$' /proc/kallsyms | grep -qv '^ffffffff81000000' && echo ok elsewhere || echo not ok
"""
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
    "all mitigations": "pti=on spectre_v2=retpoline spec_store_bypass_disable=on mds=full "
    "tsx=off srbds=on l1tf=full,force retbleed=auto,nosmt",
    "mitigations by the processor": "mitigations=auto,nosmt spectre_v2=eibrs nopti vsyscall=none",
    "no features": "nosmap nosmep nopku noxsaves nopcid no5lvl nogbpages",
    "pages of one size": "transparent_hugepage=never nohugeiomap nohugevmalloc panic_on_warn=1",
    "large pages": "transparent_hugepage=always hugepages=16 debug_pagealloc=on page_owner=on",
    "no I/O APIC": "noapic panic_on_warn=1",
    "no preemption, no tick's end": "preempt=none nohz=off highres=off idle=poll",
    "preemption": "preempt=full threadirqs skew_tick=1 lapic=notscdeadline panic_on_warn=1",
}
# On machines of four and eight CPUs, one of which Linux was told to leave alone.
WIDE = {
    "fewer CPUs than there are": (
        4,
        "maxcpus=2 init_on_alloc=1 init_on_free=1 mitigations=off",
    ),
    "an isolated CPU": (
        4,
        "isolcpus=domain,managed_irq,1 nohz_full=1 rcu_nocbs=all irqaffinity=0 "
        "no_ipi_broadcast=1 nosoftlockup",
    ),
    "eight CPUs that are checked": (
        8,
        "slub_debug=FZPU page_poison=1 panic_on_warn=1 nosmt",
    ),
}
PROCESSORS = {
    "EPYC": ("-cpu", "EPYC-Milan"),
    "Skylake": ("-cpu", "Skylake-Server"),
    "the oldest": ("-cpu", "IvyBridge"),
    "no SMAP, no SMEP": ("-cpu", "max,-la57,-monitor,-smap,-smep,-umip,-pku"),
    "memory above 4 GiB": ("-m", "6144"),
}
# The text in the kernel's log, or of the program.
REFUSED = {
    "noxsave": (("noxsave", ()), "boot without noxsave"),
    "nofsgsbase": (("nofsgsbase", ()), "boot without nofsgsbase"),
    "a processor without FSGSBASE": (
        ("", ("-cpu", "SandyBridge")),
        "on Ivy Bridge or newer",
    ),
    "a processor without XSAVE": (
        ("", ("-cpu", "max,-la57,-monitor,-xsave")),
        "without noxsave",
    ),
    "a clock that Linux mistrusts, and no host": (
        ("tsc=unstable", ("-cpu", "max,-la57,-monitor,-hypervisor")),
        "time-stamp counters go wrong",
    ),
    "a kernel that takes signed modules": (
        ("lockdown=integrity", ()),
        "unsigned module loading is restricted",
    ),
    "a kernel that keeps its secrets": (
        ("lockdown=confidentiality", ()),
        # Linux limits the rate of its lines about lockdown, and has already reported tracing.
        "can't insert '/tactus.ko': Operation not permitted",
    ),
    "a kernel that wants signatures": (
        ("module.sig_enforce=1", ()),
        "rejected by service",
    ),
    "no local APIC": (("nolapic", ()), "boot without nolapic"),
    "no CPU to part with": (("maxcpus=1", ()), "CPU 1 is offline"),
}


@pytest.mark.parametrize("name", LINES)
def test_module_with(name: str, tmp_path: Path) -> None:
    wanted = Boot(CASES, arguments=f"{UNCOUNTED} {LINES[name]}", counted=False)
    checked("generic", wanted, tmp_path, LEAST)


@pytest.mark.parametrize("name", WIDE)
def test_module_of_several_with(name: str, tmp_path: Path) -> None:
    cpus, arguments = WIDE[name]
    wanted = Boot(CASES, cpus=cpus, arguments=f"{UNCOUNTED} {arguments}", counted=False)
    checked("generic", wanted, tmp_path, LEAST)


@pytest.mark.parametrize("kernel", KERNELS)
def test_module_of_a_kernel_at_addresses_by_chance(kernel: str, tmp_path: Path) -> None:
    wanted = Boot(
        f"{PLACE}{CASES}",
        arguments=f"{UNCOUNTED} pti=on",
        counted=False,
        by_chance=True,
    )
    checked(kernel, wanted, tmp_path, LEAST)


def test_device_whose_addresses_linux_would_pass_on(tmp_path: Path) -> None:
    """The domain of a program still confines it."""
    wanted = Boot(
        f"{UNHURRIED}{BIND}kmod-test edu 1 $EDU translated\n",
        arguments=f"{UNCOUNTED} intel_iommu=on iommu=pt",
        devices=REMAPPING,
        counted=False,
    )
    outcome = checked("generic", wanted, tmp_path, 20)
    assert "Default domain type: Passthrough" in outcome.text("kernel.log")


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
