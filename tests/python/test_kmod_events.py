# SPDX-License-Identifier: LGPL-2.1-or-later
"""Events of the whole machine while a core runs: a complete suspend-to-idle, and machine checks.
The emulator's monitor makes them: `./tactus test --backend bare`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kmod_factory import (
    Boot,
    Poke,
    checked,
    ends,
    judge,
    kernel_of,
    run,
    while_held,
    words,
)

pytestmark = [pytest.mark.guest, pytest.mark.on_request]

# A key wakes it: the emulator's clock wakes no machine that only idles.
SLEEPS = """
for wakes in /sys/devices/platform/i8042/serio*/power/wakeup; do echo enabled >$wakes; done
sleeps() {
    echo "kmod-test: sleeping $1" >/dev/console
    echo freeze >/sys/power/state && echo ok slept $1 || echo not ok slept $1
    echo "kmod-test: awake $1" >/dev/console
}
"""
CHECK, SECOND = "a machine check may come", "a second check may come"


def key(name: str) -> Poke:
    return Poke(f"sleeping {name}", "sendkey a", f"awake {name}")


@pytest.mark.parametrize("kernel", ["generic", "preempt-rt", "backports"])
def test_machine_sleeps_idle_and_wakes(kernel: str, tmp_path: Path) -> None:
    cases = SLEEPS + "sleeps alone\n" + while_held("sleeps held")
    wanted = Boot(
        cases,
        arguments="no_console_suspend",
        pokes=tuple(key(n) for n in ("alone", "held")),
    )
    outcome = checked(kernel, wanted, tmp_path, 5)
    assert "parked 1 times" in outcome.text("stdout")
    assert outcome.text("kernel.log").count("PM: suspend exit") == 2


@pytest.mark.parametrize("kernel", ["generic", "backports"])
def test_machine_check_of_a_core_ends_it(kernel: str, tmp_path: Path) -> None:
    """On a processor that broadcasts no checks; the core could return from this one."""
    pokes = tuple(Poke(when, "mce 1 4 0xb200000000000000 0x5 0 0") for when in (CHECK, SECOND))
    outcome, _ = run(kernel_of(kernel), Boot(words("mcheck 1 own"), pokes=pokes), tmp_path)
    judge(outcome, 6, None)
    assert "CPU 1 had a machine check of its own (status 5)" in outcome.text("kernel.log")


def test_machine_check_that_comes_to_the_core_alone_is_known_by_its_instruction_pointer(
    tmp_path: Path,
) -> None:
    """On a processor of Intel: as a local check, which says that a return is possible. A broadcast
    check ends the machine (CAVEATS.md)."""
    pokes = tuple(Poke(when, "mce 1 4 0xb200000000000000 0x7 0 0") for when in (CHECK, SECOND))
    wanted = Boot(words("mcheck 1 own"), devices=("-cpu", "Skylake-Client"), pokes=pokes)
    outcome, _ = run(kernel_of("generic"), wanted, tmp_path)
    judge(outcome, 6, None)
    assert "CPU 1 had a machine check of its own (status 7)" in outcome.text("kernel.log")


def test_machine_check_of_a_core_that_is_broadcast_ends_the_machine(
    tmp_path: Path,
) -> None:
    """It reaches all of Linux's processors, and none of them caused it (CAVEATS.md)."""
    poke = Poke(CHECK, "mce -b 1 4 0xb200000000000000 0x7 0 0")
    wanted = Boot(words("mcheck 1 own"), devices=("-cpu", "Skylake-Client"), pokes=(poke,))
    text = ends("panic", "generic", wanted, tmp_path)
    assert re.search(r"Kernel panic - not syncing: .*machine check from unknown source", text, re.I)
    assert "tactus: CPU 1, which was held, is halted" in text


def test_machine_check_of_another_processor_is_only_counted(tmp_path: Path) -> None:
    """A check of Linux, for memory that no program has; Linux also continues."""
    poke = Poke(CHECK, "mce -b 0 9 0xbd000000000000cf 0x5 0x123000000 0x8c")
    wanted = Boot(words("mcheck 1 other"), devices=("-cpu", "Skylake-Client"), pokes=(poke,))
    outcome, _ = run(kernel_of("generic"), wanted, tmp_path)
    judge(outcome, 5, None)
    assert "Machine check events logged" in outcome.text("kernel.log")
