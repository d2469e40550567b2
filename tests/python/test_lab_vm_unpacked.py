# SPDX-License-Identifier: LGPL-2.1-or-later
"""Kernels without their bzImage: which can be booted in this way, and when they are."""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from vm_factory import bzimage

from tactus.lab.vm import cache, kernels
from tactus.lab.vm.machine import KVM, Machine

Pack = Callable[[bytes], bytes]


def elf(*notes: tuple[bytes, int]) -> bytes:
    """A 64-bit ELF file with these notes, each with 4 bytes, and nothing else."""
    text = b""
    for name, kind in notes:
        text += struct.pack("<III", len(name), 4, kind) + name + bytes(-len(name) % 4) + bytes(4)
    head = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<QQIHHH", 64, 0, 0, 64, 56, 2)
    loaded = struct.pack("<IIQQQQQQ", 1, 0, 0, 0, 0, 0, 0, 0)
    told = struct.pack("<IIQQQQQQ", 4, 0, 176, 0, 0, len(text), len(text), 4)
    return head.ljust(64, b"\0") + loaded + told + text


def packed(path: Path, payload: bytes) -> Path:
    data = bytearray(bzimage(path).read_bytes())
    data[0x1F1] = 7
    struct.pack_into("<II", data, 0x248, 16, len(payload))
    path.write_bytes(bytes(data) + bytes(16) + payload)
    return path


PVH = elf((b"Linux\0", 1), (b"Xen\0", 6), (b"Xen\0", 18))


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress])
def test_kernel_with_the_entry_is_booted_unpacked(tmp_path: Path, pack: Pack) -> None:
    size = len(PVH).to_bytes(4, "little")
    given = packed(tmp_path / "bzImage", pack(PVH) + size)
    kernel = kernels.find(str(given), {cache.OVERRIDE: str(tmp_path / "cache")})
    assert kernel.image == given
    assert kernel.unpacked is not None
    assert kernel.unpacked.read_bytes() == PVH
    command = Machine(kernel).command(Path("/q"), tmp_path)
    assert command[command.index("-kernel") + 1] == str(kernel.unpacked)
    command = Machine(kernel, accelerator=KVM).command(Path("/q"), tmp_path)
    assert command[command.index("-kernel") + 1] == str(given)


@pytest.mark.parametrize(
    "payload",
    [
        lzma.compress(elf((b"Linux\0", 1), (b"Xen\0", 6))),
        lzma.compress(elf((b"GNU\0", 18))),
        lzma.compress(b"no ELF file"),
        lzma.compress(PVH)[:40] + b"damaged" * 9,
        b"\x28\xb5\x2f\xfd another way",
        b"",
    ],
)
def test_any_other_is_booted_as_it_is(tmp_path: Path, payload: bytes) -> None:
    given = packed(tmp_path / "bzImage", payload)
    kernel = kernels.find(str(given), {cache.OVERRIDE: str(tmp_path / "cache")})
    assert kernel.unpacked is None
    command = Machine(kernel).command(Path("/q"), tmp_path)
    assert command[command.index("-kernel") + 1] == str(given)
