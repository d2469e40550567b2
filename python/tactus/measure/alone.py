# SPDX-License-Identifier: LGPL-2.1-or-later
"""One measurement at a time: otherwise loads and spinning instruments of two measurements would
measure each other."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tactus.project import say

FILE = "measure.lock"


def _is_own(folder: Path) -> bool:
    """Makes the folder if it does not exist. A folder in which another user may rename things is no
    place for locks."""
    try:
        folder.mkdir(0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()


def state_folder() -> Path:
    """The folder of the library's CPU leases (hal/linux/lease.c)."""
    folder = Path("/run/tactus")
    try:
        folder.mkdir(0o1777)
        folder.chmod(0o1777)
    except OSError:
        pass
    if os.access(folder, os.W_OK):
        return folder
    for folder in (Path(f"/run/user/{os.geteuid()}/tactus"), Path(f"/tmp/tactus-{os.geteuid()}")):
        if _is_own(folder):
            return folder
    raise PermissionError(f"{folder} belongs to another user")


def _open(path: Path) -> int:
    """First without O_CREAT, because in a sticky folder root may not create over another user's
    file. A file that any user may have put there is written only if it is a plain file with one
    name."""
    warily = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        lock = os.open(path, warily)
    except FileNotFoundError:
        lock = os.open(path, warily | os.O_CREAT | os.O_EXCL, 0o666)
        os.fchmod(lock, 0o666)
        return lock
    status = os.fstat(lock)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        os.close(lock)
        raise PermissionError(f"{path} is no plain file with one name")
    return lock


@contextmanager
def alone() -> Iterator[None]:
    """Waits until no other measurement runs. The lock ends with this process, however it ends;
    without a folder for it, nothing is locked."""
    try:
        lock = _open(state_folder() / FILE)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode(errors="replace").strip() or "?"
            say(f"waiting for another measurement to end (pid {holder}); Ctrl-C ends the wait")
            fcntl.flock(lock, fcntl.LOCK_EX)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(lock)
