# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fetches a suite: its commit, whole, into the folder of suites."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tactus.lab.vm import cache
from tactus.project import UserError
from tactus.suites.place import Suite, root


def fetch(suite: Suite, source: Path | None, environ: Mapping[str, str]) -> tuple[Path, bool]:
    """The folder of the suite, and whether it was fetched just now.

    source: a clone or a bundle of the repository, or a folder with its files; None: the public
    repository. Raises UserError if the source lacks that commit, or cannot be reached. A folder
    names no commit, so the files whose contents the suite names must have the text of the commit.
    """
    target = root(environ) / suite.folder
    if (target / suite.proof).is_file():
        return target, False
    if target.exists():
        raise UserError(f"{target} exists, but lacks {suite.proof}: move it away and start again")

    def bring(half: Path) -> None:
        if source is None or _is_repository(source):
            _check_out(suite, source, half, environ)
        else:
            _copy(suite, source, half)

    with cache.locked(target.parent):
        return cache.complete(target, bring), True


def _is_repository(source: Path) -> bool:
    """A bundle is a file; a clone has .git, a bare one its parts."""
    return source.is_file() or (source / ".git").exists() or (source / "objects").is_dir()


def _check_out(suite: Suite, source: Path | None, into: Path, environ: Mapping[str, str]) -> None:
    where = suite.url if source is None else str(source.absolute())
    # Only the files of one commit are requested from the public repository.
    sparing = ["--filter=blob:none"] if source is None else []
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".clone.") as scratch:
        clone = ["clone", "--quiet", "--no-checkout", *sparing, "--", where, scratch]
        hint = "name a local copy with --from DIR" if source is None else "give a clone or a bundle"
        _git(clone, environ, f"cannot clone {where}", hint)
        here = ["-C", scratch]
        wanted = f"{suite.commit}^{{commit}}"
        _git(
            [*here, "rev-parse", "--quiet", "--verify", wanted],
            environ,
            f"{where} has no commit {suite.commit} of {suite.name} {suite.release}",
            "give a clone that has this commit",
        )
        tree = ["checkout", "--quiet", "--force", suite.commit, "--", "."]
        _git(
            [*here, f"--work-tree={into}", *tree],
            environ,
            f"cannot check out {suite.commit} of {where}",
            hint,
        )
    if not (into / suite.proof).is_file():
        raise UserError(f"{where} has no {suite.proof} in {suite.commit}: is it {suite.name}?")


def _git(words: Sequence[str], environ: Mapping[str, str], what: str, hint: str) -> None:
    """Runs git without questions; the error line contains git's own reason."""
    try:
        done = subprocess.run(
            ["git", *words],
            env={**environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise UserError("git is not on PATH: install it, or give --from a folder") from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        fatal = [line for line in said if line.startswith("fatal: ")] or said
        reason = f" ({fatal[0].removeprefix('fatal: ').strip()})" if fatal else ""
        raise UserError(f"{what}{reason}: {hint}")


def _copy(suite: Suite, source: Path, into: Path) -> None:
    """Copies a folder without git if its files are those of the commit."""
    if not source.is_dir():
        raise UserError(f"{source} is no folder and no bundle: give a copy of {suite.name}")
    other = [name for name, content in suite.contents.items() if _content(source / name) != content]
    if other:
        raise UserError(
            f"{source} is no copy of {suite.name} {suite.release} (commit {suite.commit})"
            f"{_version_told(source)}: {_told(source, other)}; give a copy of that commit"
        )
    shutil.copytree(source, into, dirs_exist_ok=True, symlinks=True)
    os.utime(into)


def _content(file: Path) -> str:
    """Git's name for these contents; "" if the file does not exist."""
    try:
        data = file.read_bytes()
    except OSError:
        return ""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _version_told(source: Path) -> str:
    """The version that a whole tree states; many copies contain only the tests."""
    try:
        text = (source / "configure.ac").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(r"AC_INIT\(\s*\[[^]]*\],\s*\[?([\w.-]+)", text)
    return f" but of version {found[1]}, by its configure.ac" if found else ""


def _told(source: Path, other: Sequence[str]) -> str:
    """One of the files that differ from the commit, and the number of the others."""
    more = f" and {len(other) - 1} more" if len(other) > 1 else ""
    if (source / other[0]).is_file():
        return f"the text of {other[0]}{more} differs"
    return f"no {other[0]}{more}"
