# SPDX-License-Identifier: LGPL-2.1-or-later
"""The headers for a module of a named kernel: those of the distribution in the same version,
unpacked into the cache side by side; nothing of them is installed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tactus.lab.vm import cache
from tactus.lab.vm.kernels import IMAGE_PREFIX, Kernel
from tactus.lab.vm.packages import Package, Packages, run
from tactus.lab.vm.root import Root
from tactus.project import UserError

PARTS = re.compile(
    r"(linux-headers-[^ ,]*-common[^ ,]*|linux-kbuild-[^ ,]*)(?: \((\S+) ([^ )]+)\))?"
)
ABSOLUTE = "/usr/src/"
MODULE = "tactus.ko"
BUILT = ("arch", "x86", "boot", "bzImage")
SOURCES = ("kmod", "abi/include")


def parts(depends: str) -> list[tuple[str, Package | None]]:
    """Dependencies of the package of headers that a build needs: its name and, if both must have
    one version, the package. Otherwise any newer version serves: a distribution keeps the newest of
    the tools with which all kernels of a series are built."""
    return [
        (name, Package(name, version, ()) if relation == "=" else None)
        for name, relation, version in PARTS.findall(depends)
    ]


def folder_of(kernel: Kernel, environment: Mapping[str, str]) -> Path:
    """The build folder of the kernel (KDIR)."""
    if not kernel.package:
        # A kernel that was built here has its build folder around it.
        build = kernel.image.parents[len(BUILT) - 1]
        if kernel.image.parts[-len(BUILT) :] == BUILT and (build / "Module.symvers").is_file():
            return build
        raise UserError(
            f"{kernel.image} has no headers: give {'/'.join(BUILT)} in the kernel's build folder"
        )
    release = kernel.package.removeprefix(IMAGE_PREFIX)
    packages = Packages.of(cache.folder_of(environment))
    own = Package(f"linux-headers-{release}", kernel.version, ())
    target = packages.folder / "unpacked" / f"build-{own.label}"

    def make(half: Path) -> None:
        packages.refresh()
        archive = packages.fetch(own)
        depends = run(["dpkg-deb", "-f", str(archive), "Depends"])
        for part in (own, *(exact or packages.candidate(name) for name, exact in parts(depends))):
            run(["dpkg-deb", "-x", str(packages.fetch(part)), str(half)])
        build = half / ABSOLUTE.strip("/") / own.name
        for name in ("Makefile", ".kernelvariables"):
            file = build / name
            if file.is_file():
                text = file.read_text(encoding="utf-8")
                file.write_text(text.replace(ABSOLUTE, f"{target}{ABSOLUTE}"), encoding="utf-8")
        # With it, the build needs pahole, for type information that a test does not need.
        (build / "vmlinux").unlink(missing_ok=True)

    with cache.locked(target.parent):
        return cache.complete(target, make) / ABSOLUTE.strip("/") / own.name


def _foreign(kernel: Kernel, environment: Mapping[str, str]) -> Root | None:
    """The folder for builds for a kernel of another release than the machine's."""
    if not kernel.distribution:
        return None
    packages = Packages.of(cache.folder_of(environment), release=kernel.distribution)
    return Root(packages) if packages.codename != packages.own else None


def made_in_root(release: str, *options: str) -> list[str]:
    """Makes the module in /work within the root of the kernel's own distribution. Without vmlinux
    it does not need pahole, for type information that a test does not need."""
    build = f"/usr/src/linux-headers-{release}"
    words = ["make", "-C", build, "M=/work/kmod", *options, "modules"]
    return ["sh", "-c", f'rm -f {build}/vmlinux; exec "$@"', "sh", *words]


def module(
    root: Path, kernel: Kernel, environment: Mapping[str, str], *options: str
) -> tuple[Path, str]:
    """The project's module for the kernel, built if its sources have changed, and the warnings of
    the build. options: words for make."""
    foreign = _foreign(kernel, environment)
    build = None if foreign else folder_of(kernel, environment)
    words = [str(build or kernel.package), kernel.version if foreign else "", *options]
    total = hashlib.sha256("\0".join(words).encode())
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix != ".md":
                total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    target = cache.folder_of(environment) / "modules" / total.hexdigest()[:24]

    def make(half: Path) -> None:
        for folder in SOURCES:
            shutil.copytree(root / folder, half / folder)
        if foreign:
            foreign.add(f"linux-headers-{kernel.package.removeprefix(IMAGE_PREFIX)}")
            done = foreign.run(made_in_root(kernel.release, *options), half)
        else:
            command = ["make", "-C", str(build), f"M={half / 'kmod'}", *options, "modules"]
            env = {**os.environ, "LC_ALL": "C"}
            done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
        said = done.stdout + (done.stderr or "")
        if done.returncode != 0 or not (half / "kmod" / MODULE).is_file():
            raise UserError(f"the module does not build for {kernel.release}:\n{said[-4000:]}")
        (half / "build.log").write_text(said, encoding="utf-8")

    with cache.locked(target.parent):
        made = cache.complete(target, make)
    log = (made / "build.log").read_text(encoding="utf-8")
    warnings = [line for line in log.splitlines() if re.search(r"warning", line, re.I)]
    return made / "kmod" / MODULE, "\n".join(warnings)
