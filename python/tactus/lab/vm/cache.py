# SPDX-License-Identifier: LGPL-2.1-or-later
"""The folder for everything that is fetched or built once: kernels, packages, images of guests."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tactus.project import UserError

OVERRIDE = "TACTUS_CACHE"


def folder_of(environment: Mapping[str, str]) -> Path:
    """Its path: $TACTUS_CACHE, or `tactus` in the cache folder of the XDG Base Directory
    specification, which ignores a path that is not absolute."""
    own = environment.get(OVERRIDE, "")
    if own:
        return Path(own).absolute()
    for variable, below in (("XDG_CACHE_HOME", ""), ("HOME", ".cache")):
        base = Path(environment.get(variable, ""))
        if base.is_absolute():
            return base / below / "tactus"
    raise UserError(f"there is no folder for kernels: set {OVERRIDE} or HOME")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Runs that start together must not fetch or build the same thing into one folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("w")
    except OSError as error:
        raise UserError(
            f"cannot write to {folder} ({error.strerror}): set {OVERRIDE} to a folder that you "
            "may write"
        ) from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def complete(target: Path, make: Callable[[Path], None]) -> Path:
    """The folder `target`, made by `make` if it does not exist. It appears only when it is
    complete, so that an interrupted start leaves nothing that looks finished."""
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            make(half)
            half.chmod(0o755)
            half.rename(target)
        except OSError as error:
            raise _cannot_fill(target, error) from None
        finally:
            shutil.rmtree(half, ignore_errors=True)
    return target


def need_space(folder: Path, count: int) -> None:
    """Raises UserError if the file system of the existing folder has fewer bytes free."""
    free = shutil.disk_usage(folder).free
    if free < count:
        raise UserError(
            f"{folder} has {free >> 20} MiB free and needs {count >> 20}: free space, or set "
            f"{OVERRIDE}"
        )


def written(path: Path, text: str) -> None:
    """Writes a small file in the cache; an interruption leaves the old one."""
    half = path.with_name(f".{path.name}.new")
    try:
        half.write_text(text, encoding="utf-8")
        half.rename(path)
    except OSError as error:
        raise _cannot_fill(path, error) from None


def _cannot_fill(target: Path, error: OSError) -> UserError:
    return UserError(f"cannot fill {target} ({error.strerror}): free space, or set {OVERRIDE}")
