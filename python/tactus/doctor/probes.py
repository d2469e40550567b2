# SPDX-License-Identifier: LGPL-2.1-or-later
"""Facts about this process and this machine that only system calls give."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import sys
from dataclasses import dataclass

PR_SET_SYSCALL_USER_DISPATCH = 59
AT_HWCAP2 = 26
HWCAP2_FSGSBASE = 1 << 1
EINVAL = 22
ENOSYS = 38


@dataclass(frozen=True, slots=True)
class Probes:
    """None stands for an unknown value."""

    architecture: str
    fifo_allowed: bool | None
    lockable_bytes: int | None
    """-1: there is no limit."""
    dma_latency_writable: bool
    syscall_user_dispatch: bool | None
    fsgsbase: bool | None
    """None on other architectures than x86-64."""


def _fifo_allowed() -> bool | None:
    # In a separate process, because this one must not continue as a real-time task.
    code = "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode == 0:
        return True
    return False if b"PermissionError" in done.stderr else None


def _lockable_bytes() -> int:
    if _has_capability(14):  # CAP_IPC_LOCK: the limit has no effect
        return -1
    soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    return -1 if soft == resource.RLIM_INFINITY else soft


def _has_capability(bit: int) -> bool:
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as file:  # noqa: PTH123
        for line in file:
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) >> bit & 1)
    return False


def _syscall_user_dispatch(libc: ctypes.CDLL) -> bool | None:
    # If the kernel has the call, switching off what was never on succeeds; otherwise it is EINVAL.
    libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if libc.prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0) == 0:
        return True
    return False if ctypes.get_errno() in (EINVAL, ENOSYS) else None


def _fsgsbase(libc: ctypes.CDLL, architecture: str) -> bool | None:
    if architecture != "x86_64":
        return None
    libc.getauxval.restype = ctypes.c_ulong
    libc.getauxval.argtypes = [ctypes.c_ulong]
    return bool(libc.getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE)


def probe() -> Probes:
    """Queries the running kernel."""
    libc = ctypes.CDLL(None, use_errno=True)
    architecture = os.uname().machine
    return Probes(
        architecture=architecture,
        fifo_allowed=_fifo_allowed(),
        lockable_bytes=_lockable_bytes(),
        dma_latency_writable=os.access("/dev/cpu_dma_latency", os.W_OK),
        syscall_user_dispatch=_syscall_user_dispatch(libc),
        fsgsbase=_fsgsbase(libc, architecture),
    )
