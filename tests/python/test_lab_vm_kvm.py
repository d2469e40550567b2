# SPDX-License-Identifier: LGPL-2.1-or-later
"""Does KVM work? Programs that abort, stay silent or boot replace QEMU."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from vm_factory import bzimage

from tactus.lab.vm import emulator, kernels, kvm
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests
from tactus.lab.vm.machine import Machine
from tactus.project import UserError

# Aborts with one processor, stays silent with another, boots with the rest; counts its starts.
KVM_QEMU = """#!{python}
import hashlib, io, pathlib, sys, tarfile, time
words = sys.argv
pathlib.Path({count!r}).open("a").write("x")
cpu = words[words.index("-cpu") + 1]
if cpu in {aborting!r}:
    sys.exit("error: failed to set MSR 0x10a")
if cpu in {silent!r}:
    time.sleep(60)
files = [word.removeprefix("file:") for word in words if word.startswith("file:")]
with io.BytesIO() as file:
    tarfile.open(fileobj=file, mode="w").close()
    tar = file.getvalue()
digest = hashlib.sha256(tar).hexdigest()
pathlib.Path(files[1]).write_bytes(f"tactus-results {{len(tar)}} {{digest}}\\n".encode() + tar)
marks = "".join(f"tactus-guest: {{state}}\\n" for state in ("ready", "results", "off"))
pathlib.Path(files[0]).write_text("[    0.000000] Linux version 6\\n" + marks)
"""
HOST, LESS = kvm.CPUS


@pytest.mark.parametrize(
    ("aborting", "silent", "taken"),
    [([], [], HOST), ([HOST], [], LESS), ([], [HOST], LESS), ([HOST], [LESS], None)],
)
def test_kvm_is_what_boots_a_guest(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    aborting: list[str],
    silent: list[str],
    taken: str | None,
) -> None:
    monkeypatch.setattr(kvm, "DEVICE", Path("/dev/null"))
    monkeypatch.setattr(kvm, "LIMITS_S", {**kvm.LIMITS_S, State.STARTING: 4.0})
    count, fake, base = (tmp_path / name for name in ("count", "qemu", "base"))
    words = {"python": sys.executable, "count": str(count)}
    fake.write_text(KVM_QEMU.format(**words, aborting=aborting, silent=silent))
    fake.chmod(0o755)
    base.write_bytes(b"")
    kernel = kernels.by_path(bzimage(tmp_path / "k"))
    guests = Guests(
        emulator.Emulator(fake, "10.0"), base, {"TACTUS_CACHE": str(tmp_path / "cache")}
    )
    machine = Machine(kernel, accelerator="kvm")
    for _ in range(2):
        if taken is None:
            with pytest.raises(
                UserError, match=r"MSR 0x10a.*no end after 4 s.*icount or tcg"
            ) as error:
                guests.need_processor(machine)
            assert "\n" not in str(error.value)
        else:
            assert guests.need_processor(machine) == taken
    # The second time, nothing was booted.
    assert len(count.read_text()) == (1 if taken == HOST else 2)
    assert guests.need_processor(Machine(kernel)) == ""


def test_missing_kvm_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kvm, "DEVICE", tmp_path / "kvm")
    machine = Machine(kernels.by_path(bzimage(tmp_path / "k")), accelerator="kvm")
    with pytest.raises(UserError, match=r"there is no .*kvm.*choose the accelerator"):
        kvm.need(emulator.Emulator(tmp_path, "10"), tmp_path, machine, {})
