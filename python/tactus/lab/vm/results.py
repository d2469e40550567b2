# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guest's results as they come through its second serial port: a line with the number of bytes
and their SHA-256, then a tar archive, which may be compressed."""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from pathlib import Path

from tactus.project import UserError

HEADER = re.compile(rb"tactus-results (\d+) ([0-9a-f]{64})")
HEADER_BYTES_MAX = 200


class Damaged(Exception):
    """The results that arrived differ from those that were sent."""


def parse(data: bytes) -> bytes:
    """The archive, if it is complete."""
    line, _, _ = data[:HEADER_BYTES_MAX].partition(b"\n")
    match = HEADER.fullmatch(line)
    if match is None:
        raise Damaged("no results arrived" if not data else "the results have no header")
    size = int(match[1])
    archive = data[len(line) + 1 :]
    if len(archive) != size:
        raise Damaged(f"{len(archive)} of {size} bytes of the results arrived")
    if hashlib.sha256(archive).hexdigest().encode() != match[2]:
        raise Damaged("the checksum of the results differs from the one that was sent")
    return archive


def unpack(path: Path, out: Path) -> None:
    """Fills the folder `out`. Nothing in an archive is written outside of it."""
    try:
        archive = parse(path.read_bytes())
    except FileNotFoundError:
        raise Damaged("no results arrived") from None
    extract(archive, out)


def extract(archive: bytes, out: Path) -> None:
    """Like unpack(), for an archive that arrived in another way."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for member in tar:
                _extract(tar, member, out)
    except tarfile.TarError as error:
        raise Damaged(f"the results are no archive: {error}") from None
    except OSError as error:
        raise UserError(f"cannot write to {out} ({error.strerror}): free space") from None


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, out: Path) -> None:
    # Python 3.11.2 has no extraction filters yet.
    target = out / member.name
    if not target.resolve().is_relative_to(out.resolve()):
        raise Damaged(f"a result lies outside of the folder for results: {member.name}")
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
    elif member.isreg():
        target.parent.mkdir(parents=True, exist_ok=True)
        content = tar.extractfile(member)
        target.write_bytes(content.read() if content else b"")
