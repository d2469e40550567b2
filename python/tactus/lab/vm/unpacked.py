# SPDX-License-Identifier: LGPL-2.1-or-later
"""The kernel that is packed in a bzImage. Its unpacking takes five of the seven thousand million
instructions of a guest's boot. So it is unpacked here, once, if the kernel can be entered without
the bzImage's own code: by the entry for PVH guests.

Source: Documentation/arch/x86/boot.rst of Linux;
docs/misc/pvh.pandoc of Xen.
"""

from __future__ import annotations

import hashlib
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tactus.lab.vm import cache

SECTOR = 512
SETUP_SECTORS = 0x1F1
PAYLOAD = 0x248
"""In the header: the place of the packed kernel, after the setup code, and its length."""
# The packed data are followed by their length.
READERS: Mapping[bytes, Callable[[bytes], bytes]] = {
    b"\xfd7zXZ": lambda data: lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(data),
    b"\x1f\x8b": lambda data: zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data),
}
ELF64 = b"\x7fELF\x02\x01"
NOTES = 4
ENTRY = (b"Xen\0", 18)
"""The note with the entry: XEN_ELFNOTE_PHYS32_ENTRY."""


def unpack(image: bytes) -> bytes | None:
    """None: the kernel is packed in a way that Python's library does not support, or is no ELF
    file."""
    begin = ((image[SETUP_SECTORS] or 4) + 1) * SECTOR
    offset, size = struct.unpack_from("<II", image, PAYLOAD)
    packed = image[begin + offset : begin + offset + size]
    for magic, read in READERS.items():
        if packed.startswith(magic):
            try:
                found = read(packed)
            except (lzma.LZMAError, zlib.error):
                return None
            return found if found.startswith(ELF64) else None
    return None


def _notes(file: bytes) -> Iterator[tuple[bytes, int]]:
    """Name and type of each note of an ELF file."""
    at, _, _, _, size, count = struct.unpack_from("<QQIHHH", file, 0x20)
    for header in range(at, at + size * count, size):
        kind, _, begin, _, _, length = struct.unpack_from("<IIQQQQ", file, header)
        end = begin + length
        while kind == NOTES and begin < end:
            name, told, type_ = struct.unpack_from("<III", file, begin)
            yield file[begin + 12 : begin + 12 + name], type_
            begin += 12 + (name + 3 & ~3) + (told + 3 & ~3)


def find(image: Path, environment: Mapping[str, str]) -> Path | None:
    """The file to boot instead of the bzImage, in the cache; None: only the bzImage can be
    booted."""
    data = image.read_bytes()
    folder = cache.folder_of(environment) / "unpacked-kernels"
    target = folder / hashlib.sha256(data).hexdigest()[:24]

    def make(half: Path) -> None:
        found = unpack(data)
        if found is not None and ENTRY in _notes(found):
            (half / "vmlinux").write_bytes(found)

    with cache.locked(folder):
        file = cache.complete(target, make) / "vmlinux"
    return file if file.is_file() else None
