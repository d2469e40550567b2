# SPDX-License-Identifier: LGPL-2.1-or-later
"""The compiler of a Debian release, whatever this machine has: its packages are unpacked into a
folder, none of them is installed, and commands run there. It needs no rights except user
namespaces."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache
from tactus.lab.vm.packages import Packages, run
from tactus.project import UserError

TOOLS = (
    *("base-files", "dash", "coreutils", "sed", "grep", "mawk", "findutils", "diffutils"),
    *("make", "gcc", "binutils"),
)
# Without configuration, /usr is not merged.
PATH = "/usr/bin:/bin"
ENTER = """
set -e
root=$1 work=$2
shift 2
for name in dev proc; do mount --rbind /$name "$root/$name"; done
mount --bind "$work" "$root/work"
exec chroot "$root" "$@"
"""
SPACE_BYTES = 3 << 30


@dataclass(frozen=True, slots=True)
class Root:
    """The folder of a release."""

    packages: Packages

    @property
    def folder(self) -> Path:
        return self.packages.folder / "root"

    def add(self, *names: str) -> None:
        """Unpacks these packages of the release and their dependencies, unless they are there
        already; also the tools."""
        self.packages.refresh()
        with cache.locked(self.folder):
            cache.need_space(self.folder, SPACE_BYTES)
            for name in ("dev", "proc", "work", "tmp", "usr/bin"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            archives = self.packages.closure([*TOOLS, *names])
            # Its links stand for folders of other packages.
            archives.sort(key=lambda path: not path.name.startswith("base-files_"))
            marks = self.folder / ".unpacked"
            marks.mkdir(exist_ok=True)
            for archive in archives:
                mark = marks / archive.name
                if not mark.exists():
                    run(["dpkg-deb", "-x", str(archive), str(self.folder)])
                    mark.touch()
            awk = self.folder / "usr/bin/awk"
            if not awk.is_symlink():
                awk.symlink_to("mawk")

    def forget(self, prefix: str) -> None:
        """Removes, from /usr/src and /usr/lib, the files of packages whose names begin so, and
        their archives; they are unpacked anew on request."""
        with cache.locked(self.folder):
            for place in ("usr/src", "usr/lib"):
                for path in (self.folder / place).glob(f"{prefix}*"):
                    run(["rm", "-rf", str(path)])
            for path in (self.folder / ".unpacked").glob(f"{prefix}*"):
                path.unlink()
                (self.packages.archives / path.name).unlink(missing_ok=True)

    def run(self, command: Sequence[str], work: Path) -> subprocess.CompletedProcess[str]:
        """Runs a command of the release, with `work` as /work; returns its output and errors as
        one."""
        words = ["unshare", "--map-root-user", "--mount", "sh", "-c", ENTER, "sh"]
        words += [str(self.folder), str(work), *command]
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={"PATH": f"{PATH}:{os.environ.get('PATH', '')}", "LC_ALL": "C"},
                check=False,
            )
        except FileNotFoundError:
            raise UserError("this system has no unshare: install util-linux") from None
        if done.stdout.startswith("unshare:"):
            raise UserError(
                f"{done.stdout.strip()}: start this as root, or allow user namespaces "
                "(sysctl kernel.unprivileged_userns_clone=1)"
            )
        return done
