# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a guest needs for the bare core: the module for its kernel, and the library with which the
programs of the thread core run on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tactus.lab.vm import headers
from tactus.lab.vm.kernels import Kernel
from tactus.lab.vm.machine import EMULATED_CPU
from tactus.project import Project, UserError

LIBRARY = "libtactus.so.0"
BUILT = f"lib/bare/{LIBRARY}"
# The C library loads it when a thread ends before its function does; nothing is linked with it.
UNWINDER = "libgcc_s.so.1"
FOLDER = "lab/bare"
# A device of a core's program must be behind an IOMMU that remaps its interrupts.
REMAPPING = ("-machine", "q35", "-device", "intel-iommu,intremap=on")
REMAPPING_ARGUMENTS = "intel_iommu=on"
# Linux before 6.5 also gives up its first CPU, after the right boot option and on a processor of
# Intel.
FIRST = ("-cpu", f"{EMULATED_CPU},vendor=GenuineIntel")
FIRST_ARGUMENTS = "cpu0_hotplug"
# The emulated processors of Intel have no local machine checks, without which no CPU is taken.
START = f"""insmod "{{folder}}/{headers.MODULE}" broadcast_mce=1 || exit 9
export LD_LIBRARY_PATH="{{folder}}"
"""
# What the kernel's log must not contain after a use of the module.
BAD_LOG = re.compile(
    # Linux's message about its own mitigation is no failure.
    r"BUG|(?<!RETBleed: )WARNING|Oops|general protection|soft lockup|hard LOCKUP|hung task"
    r"|rcu.*detected.*stall|page tables are lost|pages are lost|did not answer|broke:"
    r"|does not start|scheduling while atomic"
)


def files(project: Project, kernel: Kernel, environment: Mapping[str, str]) -> dict[str, Path]:
    """The files in one folder, for START; by paths in a guest that has the folder in its image.
    UserError if the module cannot be built."""
    module, _ = headers.module(project.root, kernel, environment)
    library = project.program(BUILT)
    found = {headers.MODULE: module, LIBRARY: library, UNWINDER: _unwinder()}
    return {f"{FOLDER}/{name}": path for name, path in found.items()}


def _unwinder() -> Path:
    """Beside the C library with which programs here are started."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        path = Path(line.partition("/")[1] + line.partition("/")[2])
        if path.name.startswith("libc.so") and (path.parent / UNWINDER).is_file():
            return path.parent / UNWINDER
    raise UserError(f"there is no {UNWINDER} beside the C library: install libgcc-s1")
