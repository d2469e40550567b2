# SPDX-License-Identifier: LGPL-2.1-or-later
"""Replacements for the parts of a guest."""

from __future__ import annotations

import re
from pathlib import Path


def bzimage(path: Path, release: str = "6.1.0-test") -> Path:
    """A kernel's file with only the header of the boot protocol."""
    data = bytearray(4096)
    data[0x202:0x206] = b"HdrS"
    data[0x20E:0x210] = (0x600).to_bytes(2, "little")
    text = f"{release} (gcc) #1\0".encode()
    data[0x800 : 0x800 + len(text)] = text
    path.write_bytes(data)
    return path


def slept(said: str, priority: int, times: int) -> bool:
    """Does a summary of `tactus run` show a task of this priority that slept so often?"""
    runs = rf"^tactus: +(\d+) +FIFO +{priority} "
    return bool(re.search(rf"{runs}(?s:.*)^tactus: +\1 +{times} ", said, re.M))
