# SPDX-License-Identifier: LGPL-2.1-or-later
"""Folders of runs, on a disk. Each is locked while its owner lives. The folder of an owner that was
killed is not locked, and is removed when the laboratory starts again."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tactus.project import UserError

PLACE = Path("/var/tmp")
PREFIX = "tactus-run-"


@contextmanager
def folder(place: Path = PLACE) -> Iterator[Path]:
    """A folder for the caller, removed at the end."""
    path, lock = _made(place)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _made(place: Path) -> tuple[Path, int]:
    while True:
        try:
            path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        except OSError as error:
            raise UserError(
                f"cannot make a folder in {place} ({error.strerror}): free space there"
            ) from None
        # Between the two steps, another start may take it for a left one.
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.is_dir():
                return path, lock
            os.close(lock)


def clean(place: Path = PLACE) -> None:
    """Removes the folders that killed owners of this user left."""
    for path in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
