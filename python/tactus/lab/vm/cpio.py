# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the archive that Linux unpacks as its first file system: cpio, format "newc".

The same entries give the same bytes on every host: the archive contains no time, owner or inode of
the host, and is in the order of names. Source: Documentation/driver-api/early-userspace/
buffer-format.rst of Linux.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

MAGIC = b"070701"
ALIGNMENT = 4
TRAILER = "TRAILER!!!"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the archive; `name` is relative to its root, without a leading slash."""

    name: str
    mode: int
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def folder(name: str) -> Entry:
    return Entry(name, stat.S_IFDIR | 0o755)


def regular(name: str, content: bytes, *, executable: bool = False) -> Entry:
    return Entry(name, stat.S_IFREG | (0o755 if executable else 0o644), content)


def link(name: str, target: str) -> Entry:
    return Entry(name, stat.S_IFLNK | 0o777, target.encode())


def character_device(name: str, major: int, minor: int) -> Entry:
    return Entry(name, stat.S_IFCHR | 0o600, device=(major, minor))


def write(file: BinaryIO, entries: Iterable[Entry]) -> None:
    """Writes a complete archive, with the folders of its files. Archives may follow each other in
    one file: Linux unpacks them one after another."""
    known = {entry.name: entry for entry in entries}
    for name in list(known):
        for parent in _parents(name):
            known.setdefault(parent, folder(parent))
    # A parent sorts before its content, as Linux needs it, because its name is a prefix.
    for number, name in enumerate(sorted(known), start=1):
        _write_entry(file, known[name], number)
    _write_entry(file, Entry(TRAILER, 0), 0)


def _parents(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _write_entry(file: BinaryIO, entry: Entry, inode: int) -> None:
    name = entry.name.encode() + b"\0"
    fields = [
        inode,
        entry.mode,
        0,  # user
        0,  # group
        2 if stat.S_ISDIR(entry.mode) else 1,
        0,  # time of change
        len(entry.content),
        0,  # the device that holds the file
        0,
        *entry.device,
        len(name),
        0,  # checksum, of another format
    ]
    header = MAGIC + b"".join(b"%08X" % field for field in fields)
    file.write(_padded(header + name))
    file.write(_padded(entry.content))


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % ALIGNMENT)
