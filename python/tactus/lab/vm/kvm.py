# SPDX-License-Identifier: LGPL-2.1-or-later
"""Does hardware virtualisation boot a kernel here? A boot decides.

Nothing less is certain: /dev/kvm also exists on machines where QEMU cannot set all of the host's
registers, or where a guest stops after some instructions. The answer is stored until the host boots
again, for this emulator and this kernel.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tactus.lab import scratch
from tactus.lab.vm import boot, cache
from tactus.lab.vm.console import State
from tactus.lab.vm.emulator import Emulator
from tactus.lab.vm.machine import Machine
from tactus.project import UserError, say

DEVICE = Path("/dev/kvm")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# In a guest of a guest, setting the register of the host's known faults may be refused.
CPUS = ("host", "host,-arch-capabilities")
# Host seconds; if KVM works, all states together take three.
LIMITS_S: Mapping[State, float] = {
    State.STARTING: 10.0,
    State.KERNEL: 20.0,
    State.JOB: 10.0,
    State.RESULTS: 10.0,
    State.OFF: 10.0,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The processor for a guest; None: none boots, with the reason."""

    cpu: str | None
    reason: str = ""


def need(emulator: Emulator, base: Path, machine: Machine, environment: Mapping[str, str]) -> str:
    """The processor for guests with this machine's kernel. UserError where KVM does not boot it."""
    answer = _answer(emulator, base, machine, environment)
    if answer.cpu is None:
        raise UserError(
            f"KVM does not work here ({answer.reason}): choose the accelerator icount or tcg"
        )
    return answer.cpu


def _answer(
    emulator: Emulator, base: Path, machine: Machine, environment: Mapping[str, str]
) -> Answer:
    if not DEVICE.exists():
        return Answer(None, f"there is no {DEVICE}")
    if not os.access(DEVICE, os.R_OK | os.W_OK):
        return Answer(None, f"this user may not use {DEVICE}")
    folder = cache.folder_of(environment) / "kvm"
    kept = folder / f"{_key(emulator, machine)}.json"
    with cache.locked(folder):
        try:
            return Answer(**json.loads(kept.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            pass
        answer = _probe(emulator, base, machine)
        text = json.dumps({"cpu": answer.cpu, "reason": answer.reason})
        cache.written(kept, text)
    return answer


def _key(emulator: Emulator, machine: Machine) -> str:
    image = hashlib.sha256(machine.kernel.image.read_bytes()).hexdigest()
    words = (BOOT_ID.read_text(encoding="ascii"), emulator.version, image)
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def _probe(emulator: Emulator, base: Path, machine: Machine) -> Answer:
    say(f"testing whether KVM boots {machine.kernel.release} here")
    reasons = []
    for cpu in CPUS:
        with scratch.folder() as folder:
            job = folder / "job"
            job.mkdir()
            (job / "start").write_text("true\n", encoding="utf-8")
            single = replace(machine, cpus=1, arguments="", devices=())
            command = single.command(emulator.program, folder, cpu)
            try:
                boot.Run(folder, base, job, LIMITS_S).run(command, folder / "out")
                return Answer(cpu)
            except boot.GuestFailure as failure:
                reasons.append(f"with the processor {cpu}: {failure.reason}")
    return Answer(None, "; ".join(reasons))
