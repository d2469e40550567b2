# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guest's first and only file system: busybox, /init and the programs with their libraries.

The same files give the same image, byte for byte, because virtual time repeats only with the same
number of instructions until a program starts.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tactus.lab.vm import cache, cpio
from tactus.lab.vm.packages import Packages
from tactus.project import UserError

INIT = Path(__file__).resolve().parents[4] / "lab/guest/init"
BUSYBOX_PACKAGE = "busybox-static"
FOLDERS = ("dev", "job", "mnt", "out", "proc", "root", "run", "sys", "tmp", "var/tmp")
LIBRARY = re.compile(r"\s*(?:(?P<name>\S+) => )?(?P<path>/\S+) \(0x[0-9a-f]+\)")
VIRTUAL_LIBRARY = re.compile(r"\s*linux-vdso\S* \(0x[0-9a-f]+\)")
STATIC = ("statically linked", "not a dynamic executable")


@dataclass(frozen=True, slots=True)
class Content:
    """The files of a guest beside busybox: programs, which bring their libraries, and plain files;
    both by their path in the guest, without a leading slash."""

    programs: Mapping[str, Path] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)


def libraries(program: Path) -> dict[str, Path]:
    """The shared libraries of a program, by their path in the guest."""
    command = ["ldd", str(program)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False
    )
    return parse_libraries(program, done.stdout + done.stderr)


def parse_libraries(program: Path, text: str) -> dict[str, Path]:
    if any(word in text for word in STATIC):
        return {}
    found: dict[str, Path] = {}
    for line in text.splitlines():
        match = LIBRARY.fullmatch(line)
        if match is not None:
            path = Path(match["path"])
            # The dynamic linker is found by its whole path, a library by its name.
            name = match["name"]
            found[f"lib/{Path(name).name}" if name else str(path).lstrip("/")] = path
        elif not VIRTUAL_LIBRARY.fullmatch(line):
            raise UserError(f"{program} cannot go into a guest: ldd says {line.strip()!r}")
    if not found:
        raise UserError(
            f"{program} cannot go into a guest: ldd finds no libraries of it; "
            "give a dynamically linked program"
        )
    return found


def busybox(environment: Mapping[str, str]) -> Path:
    """A statically linked one, from Debian's package."""
    folder = cache.folder_of(environment)
    for tree in sorted((folder / "unpacked").glob(f"{BUSYBOX_PACKAGE}_*")):
        return tree / "bin/busybox"
    packages = Packages.of(folder)
    packages.refresh()
    return packages.unpack(packages.candidate(BUSYBOX_PACKAGE)) / "bin/busybox"


def applets(program: Path) -> list[str]:
    done = subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split() if name not in ("busybox", "init", "linuxrc")]


def entries(content: Content, shell: Path) -> list[cpio.Entry]:
    """Everything in the image."""
    found = [cpio.folder(name) for name in FOLDERS]
    found.append(cpio.character_device("dev/console", 5, 1))
    found.append(cpio.link("sbin", "bin"))
    found.append(_file("init", INIT, executable=True))
    found.append(_file("bin/busybox", shell, executable=True))
    found += [cpio.link(f"bin/{name}", "busybox") for name in applets(shell)]
    shared: dict[str, Path] = {}
    for name, path in content.programs.items():
        found.append(_file(name, path, executable=True))
        shared |= libraries(path)
    found += [_file(name, path, executable=True) for name, path in shared.items()]
    found += [
        _file(name, path, executable=os.access(path, os.X_OK))
        for name, path in content.files.items()
    ]
    return found


def _file(name: str, path: Path, *, executable: bool) -> cpio.Entry:
    try:
        return cpio.regular(name, path.read_bytes(), executable=executable)
    except OSError as error:
        raise UserError(f"cannot read {path} for the guest ({error.strerror})") from None


def job_entries(folder: Path) -> list[cpio.Entry]:
    """A job folder, as /job of the guest."""
    return [
        _file(f"job/{path.relative_to(folder)}", path, executable=os.access(path, os.X_OK))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def build(content: Content, environment: Mapping[str, str]) -> Path:
    """The image in the cache, under a name that its content determines."""
    folder = cache.folder_of(environment) / "images"
    whole = entries(content, busybox(environment))
    digest = _digest(whole)

    def make(half: Path) -> None:
        with (half / "image").open("wb") as file:
            cpio.write(file, whole)

    with cache.locked(folder):
        return cache.complete(folder / digest, make) / "image"


def _digest(whole: Iterable[cpio.Entry]) -> str:
    total = hashlib.sha256()
    for entry in sorted(whole, key=lambda e: e.name):
        total.update(f"{entry.name}\0{entry.mode}\0{entry.device}\0{len(entry.content)}\0".encode())
        total.update(entry.content)
    return total.hexdigest()[:24]
