# SPDX-License-Identifier: LGPL-2.1-or-later
"""Debian packages, fetched and unpacked into the cache; nothing of them is installed.

apt runs with its own lists here, so that this needs no rights and does not touch the machine's apt.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.vm import cache, sources
from tactus.project import UserError, say

LISTS_AGE_S = 24 * 3600.0
# Lists and a kernel take 200 MiB. apt does not end on a disk that becomes full meanwhile.
SPACE_BYTES = 400 << 20
LIMIT_S = 1800.0
OS_RELEASE = Path("/etc/os-release")
REMEDY = (
    "give a kernel by its path (--kernel FILE) and install QEMU 10 yourself, or "
    "fetch both once on a machine that reaches the packages"
)


@dataclass(frozen=True, slots=True)
class Package:
    """A version of a package, as apt describes it."""

    name: str
    version: str
    depends: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{self.name}_{self.version.replace(':', '%3a')}"


@dataclass(frozen=True, slots=True)
class Packages:
    """apt with the sources of a release (the machine's, `own`, or another) and its backports, and
    the folder of that release in the cache."""

    folder: Path
    codename: str
    own: str

    @classmethod
    def of(cls, folder: Path, os_release: Path = OS_RELEASE, release: str = "") -> Packages:
        match = None
        if os_release.is_file():
            text = os_release.read_text(encoding="utf-8")
            match = re.search(r"^VERSION_CODENAME=\"?([a-z]+)", text, re.M)
        if match is None:
            raise UserError(f"this system has no Debian packages: {REMEDY}")
        if release in ("", match[1]):
            return cls(folder, match[1], match[1])
        return cls(folder / "releases" / release, release, match[1])

    @property
    def suite(self) -> str:
        return self.codename + sources.BACKPORTS

    def options(self, *, backports: bool = False) -> list[str]:
        """Options that make apt use our lists, in our folder."""
        apt = self.folder / "apt"
        places = {
            "Dir::State::lists": apt / "lists",
            "Dir::Cache": apt,
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": apt / "sources.d",
        }
        words = [word for name, path in places.items() for word in ("-o", f"{name}={path}")]
        # Otherwise apt downloads as another user, who cannot write into our folder.
        words += ["-o", "APT::Sandbox::User=root"]
        return [*words, "-t", self.suite] if backports else words

    def refresh(self) -> None:
        """Reads the package lists anew if they are older than a day, or of other sources."""
        apt = self.folder / "apt"
        text = sources.render(sources.of_release(sources.read(), self.own, self.codename))
        with cache.locked(apt):
            stamp = apt / "stamp"
            listed = apt / "sources.d/tactus.sources"
            same = listed.is_file() and listed.read_text(encoding="utf-8") == text
            if same and stamp.is_file() and time.time() - stamp.stat().st_mtime < LISTS_AGE_S:
                return
            cache.need_space(apt, SPACE_BYTES)
            for name in ("lists/partial", "archives/partial", "sources.d"):
                (apt / name).mkdir(parents=True, exist_ok=True)
            cache.written(listed, text)
            say("reading the package lists")
            command = ["apt-get", *self.options(), "-q", "-o", "APT::Update::Error-Mode=any"]
            run([*command, "update"])
            stamp.touch()

    def candidate(self, name: str, *, backports: bool = False) -> Package:
        """The newest version that apt would take, from the release or from its backports."""
        command = ["apt-cache", *self.options(backports=backports)]
        return parse(name, run([*command, "show", "--no-all-versions", name]))

    def fetch(self, package: Package) -> Path:
        """The file of the package, downloaded if it is not in the cache."""
        folder = self.folder / "packages"
        with cache.locked(folder):
            found = sorted(folder.glob(f"{package.label}_*.deb"))
            if not found:
                cache.need_space(folder, SPACE_BYTES)
                say(f"fetching {package.name} {package.version}")
                wanted = f"{package.name}={package.version}"
                run(["apt-get", *self.options(), "-q", "download", wanted], folder)
                found = sorted(folder.glob(f"{package.label}_*.deb"))
            if not found:
                raise UserError(f"apt fetched no {package.name}: delete {folder} and start again")
            return found[0]

    @property
    def archives(self) -> Path:
        """The folder for the downloads of closure()."""
        return self.folder / "apt/archives"

    def closure(self, names: Sequence[str]) -> list[Path]:
        """The files of these packages and of all their dependencies, as for a system that has
        nothing; downloaded if they are not in the cache."""
        apt = self.folder / "apt"
        with cache.locked(apt):
            cache.need_space(apt, SPACE_BYTES)
            nothing = apt / "nothing-installed"
            nothing.touch()
            words = ["apt-get", *self.options(), "-o", f"Dir::State::status={nothing}"]
            words += ["-o", "Debug::NoLocking=true", "-qy", "--no-install-recommends"]
            run([*words, "--download-only", "install", *names])
            listed = run([*words, "--simulate", "install", *names])
        found = re.findall(r"^Inst (\S+) \((\S+) .*\[(\w+)\]\)", listed, re.M)
        return [
            self.archives / f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"
            for name, version, architecture in found
        ]

    def named(self, pattern: str) -> list[str]:
        """The packages of the release whose names match the regular expression."""
        command = ["apt-cache", *self.options(), "search", "--names-only", pattern]
        return sorted(line.split(" ", 1)[0] for line in run(command).splitlines())

    def unpack(self, package: Package, parts: Sequence[str] = (), name: str = "") -> Path:
        """The folder with the package's files, or only with those that match `parts`; `name`
        distinguishes folders with other parts of one package."""
        archive = self.fetch(package)
        folder = self.folder / "unpacked"

        def make(half: Path) -> None:
            if not parts:
                run(["dpkg-deb", "-x", str(archive), str(half)])
                return
            with subprocess.Popen(
                ["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE
            ) as process:
                words = ["tar", "-x", "-C", str(half), "--wildcards", *parts]
                run(words, stdin=process.stdout)

        with cache.locked(folder):
            return cache.complete(folder / f"{package.label}{name}", make)


def parse(name: str, text: str) -> Package:
    """The first stanza of `apt-cache show`."""
    fields = dict(
        line.split(": ", 1) for line in text.split("\n\n")[0].splitlines() if ": " in line
    )
    try:
        own, version = fields["Package"], fields["Version"]
    except KeyError:
        raise UserError(f"apt knows no package {name}: {REMEDY}") from None
    depends = tuple(re.findall(r"(?:^|[,|]\s*)([a-z0-9][a-z0-9+.-]*)", fields.get("Depends", "")))
    return Package(own, version, depends)


def run(
    command: Sequence[str], folder: Path | None = None, stdin: object = subprocess.DEVNULL
) -> str:
    """The output of a program of Debian; its failure becomes one line with its last message."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=stdin,  # type: ignore[call-overload]
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"},
            timeout=LIMIT_S,
            check=False,
        )
    except FileNotFoundError:
        raise UserError(f"this system has no {command[0]}: {REMEDY}") from None
    except subprocess.TimeoutExpired:
        raise UserError(f"{command[0]} did not end within {LIMIT_S:g} s: {REMEDY}") from None
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if line.startswith("E:")]
        last = (errors or done.stderr.strip().splitlines() or ["without a message"])[0]
        raise UserError(f"{command[0]} failed ({last.removeprefix('E:').strip()}): {REMEDY}")
    return str(done.stdout)
