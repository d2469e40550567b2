# SPDX-License-Identifier: LGPL-2.1-or-later
"""The facts on which the results depend: the machine, its kernel and settings, all versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

CPU = Path("sys/devices/system/cpu")


def read(root: Path, path: str | Path) -> str | None:
    """The stripped text of a file under root, or None."""
    try:
        text = (root / path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text.strip().strip("\0")


def _cpuinfo(root: Path, *keys: str) -> str | None:
    for line in (read(root, "proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in keys:
            return value.strip()
    return None


def _hypervisor(root: Path) -> str | None:
    """The name; "unknown" if only its presence is visible; None on bare hardware."""
    flags = (_cpuinfo(root, "flags") or "").split()
    kind = read(root, "sys/hypervisor/type")
    if kind is not None:
        return kind
    if "hypervisor" not in flags:
        return None
    vendors = {"QEMU": "QEMU", "VMware, Inc.": "VMware", "Microsoft Corporation": "Hyper-V"}
    vendor = read(root, "sys/class/dmi/id/sys_vendor") or ""
    clock = read(root, "sys/devices/system/clocksource/clocksource0/available_clocksource") or ""
    return vendors.get(vendor) or ("KVM" if "kvm-clock" in clock else vendor or "unknown")


def _number(text: str | None) -> int | None:
    try:
        return int(text) if text is not None else None
    except ValueError:
        return None


def machine(root: Path, cpu: int) -> dict[str, Any]:
    """The machine and its settings; None for what the kernel does not report."""
    name = platform.uname()
    return {
        "kernel": name.release,
        "kernel_version": name.version,
        "kernel_realtime": read(root, "sys/kernel/realtime") == "1",
        "kernel_command_line": read(root, "proc/cmdline"),
        "architecture": name.machine,
        "cpu_model": _cpuinfo(root, "model name", "Model", "Processor"),
        "cpu": cpu,
        "cpus_online": read(root, CPU / "online"),
        "cpus_isolated": read(root, CPU / "isolated"),
        "cpus_nohz_full": read(root, CPU / "nohz_full"),
        "smt_siblings": read(root, CPU / f"cpu{cpu}/topology/thread_siblings_list"),
        "governor": read(root, CPU / f"cpu{cpu}/cpufreq/scaling_governor"),
        "idle_driver": read(root, CPU / "cpuidle/current_driver"),
        "clock_source": read(
            root, "sys/devices/system/clocksource/clocksource0/current_clocksource"
        ),
        "hypervisor": _hypervisor(root),
        "rt_throttling": {
            "runtime_us": _number(read(root, "proc/sys/kernel/sched_rt_runtime_us")),
            "period_us": _number(read(root, "proc/sys/kernel/sched_rt_period_us")),
        },
        "memory_kib": _number((read(root, "proc/meminfo") or "MemTotal: x").split()[1]),
    }


def commit(root: Path) -> str | None:
    """The commit of the tree, with + if it was changed since; None outside of a clone."""
    git = ["git", "-C", str(root)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True)
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"], capture_output=True, text=True
        )
    except OSError:
        return None
    if head.returncode != 0:
        return None
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def _tool_version(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines else None


def collect(
    tree: Path, cpu: int, arguments: Sequence[str], loads: dict[str, str]
) -> dict[str, Any]:
    """The manifest of a measurement that starts now."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["./tactus", *arguments]),
        "commit": commit(tree),
        "versions": {
            "tactus": importlib.metadata.version("tactus"),
            "python": platform.python_version(),
            "numpy": importlib.metadata.version("numpy"),
            "hdrhistogram": importlib.metadata.version("hdrhistogram"),
            "libc": " ".join(platform.libc_ver()),
            "stress-ng": _tool_version(["stress-ng", "--version"]) if "cpu" in loads else None,
        },
        "user": "root" if os.geteuid() == 0 else "unprivileged",
        "loads": loads,
        **machine(Path("/"), cpu),
    }
