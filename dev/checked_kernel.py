#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kernel that checks itself, for the module's tests: lockdep, KASAN, hung-task detection.

Debian's source of 6.1 with checked_kernel.config on top of the smallest configuration, built out of
tree into the cache, some 20 minutes of two processors. Prints the path of its bzImage, by which
guests boot it (`--kernel PATH`) and the module finds its build folder; with --built only if it is
there. Wants gcc, make, flex, bison, bc and the headers of libelf and libssl.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from tactus.lab.vm import cache
from tactus.lab.vm.packages import Packages
from tactus.project import UserError

PACKAGE = "linux-source-6.1"
CONFIG = Path(__file__).with_suffix(".config")
IMAGE = "arch/x86/boot/bzImage"
SPACE_BYTES = 6 << 30
TOOLS = ("gcc", "make", "flex", "bison", "bc")
SETTING = re.compile(r"(CONFIG_\w+)=(.*)")


def folder_of(environment: dict[str, str]) -> Path:
    """The folder of the kernel with the present configuration, which may not exist yet."""
    digest = hashlib.sha256(CONFIG.read_bytes()).hexdigest()[:12]
    return cache.folder_of(environment) / "checked" / f"{PACKAGE}-{digest}"


def missing(build: Path) -> list[str]:
    """Settings that Linux did not accept: a name is gone, or depends on another one."""
    made = dict(SETTING.findall((build / ".config").read_text(encoding="utf-8")))
    wanted = SETTING.findall(CONFIG.read_text(encoding="utf-8"))
    return [name for name, value in wanted if made.get(name, "n") != value]


def make(source: Path, build: Path, *words: str) -> None:
    command = ["make", "-s", "-C", str(source), f"O={build}", "KBUILD_BUILD_USER=tactus"]
    done = subprocess.run([*command, *words], stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise UserError(f"make {' '.join(words)} failed in {build}: see its last lines")


def built(environment: dict[str, str]) -> Path:
    """The bzImage, in its build folder; an interrupted build is continued."""
    target = folder_of(environment)
    build = target / "build"
    done = target / "done"
    with cache.locked(target.parent):
        cache.need_space(target.parent, SPACE_BYTES if not done.exists() else 0)
        packages = Packages.of(cache.folder_of(environment))
        source = target / "source"
        if not source.is_dir():
            packages.refresh()
            tree = packages.unpack(packages.candidate(PACKAGE))
            half = target / "half"
            half.mkdir(parents=True, exist_ok=True)
            archive = next((tree / "usr/src").glob("linux-source-*.tar.xz"))
            words = ["tar", "-xf", str(archive), "-C", str(half), "--strip-components=1"]
            subprocess.run(words, check=True)
            half.rename(source)
        if not done.exists():
            build.mkdir(exist_ok=True)
            make(source, build, "tinyconfig")
            with (build / ".config").open("a", encoding="utf-8") as file:
                file.write(CONFIG.read_text(encoding="utf-8"))
            make(source, build, "olddefconfig")
            lost = missing(build)
            if lost:
                raise UserError(f"{CONFIG} and the kernel differ: {', '.join(lost)}")
            make(source, build, "-j2", "bzImage", "modules")
            done.touch()
    return build / IMAGE


def main(words: list[str]) -> int:
    try:
        if words == ["--built"]:
            if not (folder_of(dict(os.environ)) / "done").exists():
                raise UserError("it has not been built: start dev/checked_kernel.py")
            print(folder_of(dict(os.environ)) / "build" / IMAGE)
            return 0
        if words:
            raise UserError(f"no option {words[0]}: start it with --built or without")
        for tool in TOOLS:
            if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
                raise UserError(f"{tool} is not on PATH: install it with libelf-dev and libssl-dev")
        print(built(dict(os.environ)))
    except UserError as error:
        print(f"checked_kernel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
