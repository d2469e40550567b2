# SPDX-License-Identifier: LGPL-2.1-or-later
"""The virtual machine as a command line: the same description gives the same machine.

With instruction counting (`icount`), one instruction takes one virtual nanosecond, whatever the
host does. Two processors then run in turn, and a turn lasts up to half the time to the next timer
of the machine. An additional timer bounds it; otherwise one processor would wait for milliseconds
for the other's turn. Source: docs/devel/tcg-icount.rst and docs/devel/multi-thread-tcg.rst of QEMU.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm.kernels import Kernel
from tactus.project import UserError

ICOUNT = "icount"
KVM = "kvm"
ACCELERATORS = (ICOUNT, "tcg", KVM)
CPUS = (1, 2, 3, 4, 8)
SLICE_US = 20
"""A turn of a processor is at most half of it."""
MEMORY_MIB = 768
EPOCH = "2025-01-01T00:00:00"
SEED = 1
# Everything that QEMU emulates, but the same for all of its versions where it affects Linux:
# 4-level page tables, and idle in HLT, because MONITOR is only half emulated.
EMULATED_CPU = "max,-la57,-monitor"
# For tests, which compare no figures. Each repetition of a string instruction counts and takes time
# in the emulator. Without these features, Linux and the C library move eight bytes per repetition,
# not one.
QUICK_CPU = f"{EMULATED_CPU},-erms,-fsrm"
# And no emulated processor needs 10 ms of a spinning CPU for its reset.
QUICK_ARGUMENTS = "cpu_init_udelay=0"
# One instruction is one nanosecond, so the processor's clock has 1 GHz; calibrating it would cost
# time.
COUNTED_ARGUMENTS = "tsc=reliable tsc_early_khz=1000000"
# noirqdebug: an emulated serial port gives several interrupts for each run of their thread.
# PREEMPT_RT takes them for spurious ones and stops them, and with them the results.
ARGUMENTS = "console=ttyS0 nokaslr oops=panic panic=-1 noirqdebug"


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine to boot. `arguments` are added to the kernel's command line, after the kernel's
    own; `devices` to QEMU's, for a device that an instrument needs."""

    kernel: Kernel
    cpus: int = 1
    accelerator: str = ICOUNT
    memory_mib: int = MEMORY_MIB
    arguments: str = ""
    devices: tuple[str, ...] = ()
    slice_us: int = SLICE_US

    def __post_init__(self) -> None:
        if self.accelerator not in ACCELERATORS:
            raise UserError(
                f"no accelerator {self.accelerator!r}: choose one of {', '.join(ACCELERATORS)}"
            )
        if self.cpus not in CPUS:
            raise UserError(f"a guest has 1, 2, 3, 4 or 8 CPUs, not {self.cpus}")

    @property
    def virtual_time(self) -> bool:
        """Are the figures instruction counts, equal in every run?"""
        return self.accelerator == ICOUNT

    @property
    def cmdline(self) -> str:
        """The kernel's command line."""
        counted = COUNTED_ARGUMENTS if self.virtual_time else ""
        return " ".join(f"{ARGUMENTS} {counted} {self.kernel.arguments} {self.arguments}".split())

    def command(self, program: Path, folder: Path, kvm_cpu: str = "host") -> list[str]:
        """Runs the machine with the files of a run's folder; see `boot`. kvm_cpu: the processor
        with which KVM works."""
        words = [str(program), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
        words += ["-machine", "pc", "-m", str(self.memory_mib), "-smp", str(self.cpus)]
        words += ["-cpu", kvm_cpu if self.accelerator == KVM else EMULATED_CPU]
        words += ["-seed", str(SEED), "-accel", KVM if self.accelerator == KVM else "tcg"]
        if self.virtual_time:
            words += ["-icount", "shift=0,sleep=off"]
        clock = "vm" if self.virtual_time else "host"
        words += ["-rtc", f"clock={clock},base={EPOCH}"]
        if self.virtual_time and self.cpus > 1:
            words += ["-netdev", "hubport,id=turn,hubid=0", "-object"]
            words.append(f"filter-buffer,id=cap,netdev=turn,interval={self.slice_us}")
        # KVM was tested with a boot of the whole bzImage.
        image = self.kernel.unpacked if self.accelerator != KVM else None
        words += ["-kernel", str(image or self.kernel.image), "-initrd", str(folder / "initrd")]
        words += ["-append", self.cmdline]
        for name in ("console", "results"):
            words += ["-serial", f"file:{folder / name}"]
        return [*words, *self.devices]
