# SPDX-License-Identifier: LGPL-2.1-or-later
"""Facts from git: the commit of the tree, and how many commits with content came since another."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tactus.project import UserError

# A path is one word, so that a move changes one word in each line that names the file.
WORD = re.compile(r"[\w./-]*\w[\w./-]*|\S")


class NoHistoryError(UserError):
    """Git has no answer here: no repository, no git, or the commits do not exist."""


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), "-c", "core.quotePath=false", *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
    except FileNotFoundError:
        raise NoHistoryError("git is not on PATH") from None
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["git failed"])[0]
        raise NoHistoryError(said)
    return done.stdout


def head(root: Path) -> str:
    """The commit that is checked out."""
    return _git(root, "rev-parse", "HEAD").strip()


def changed(root: Path) -> list[str]:
    """Files under git that differ from the commit."""
    return _git(root, "diff", "--name-only", "HEAD").splitlines()


def commits_since(root: Path, commit: str) -> list[str]:
    """Commits of the tree that are not in the named one, without merges."""
    return _git(root, "rev-list", "--no-merges", f"{commit}..HEAD").split()


def lag(root: Path, commit: str, enough: int) -> int:
    """How many of them change more than names, counted up to `enough`."""
    counted = 0
    for newer in commits_since(root, commit):
        counted += not only_moves(root, newer)
        if counted >= enough:
            break
    return counted


def only_moves(root: Path, commit: str) -> bool:
    """Does the commit only move files or rename things?

    Each changed word is replaced by one new word everywhere, and no two words by the same one. The
    old word is gone from the tree, and the new one was not in it. So no value took another's place.
    """
    moved = dict[str, str]()
    for status, *paths in _files(root, commit):
        if status == "M":
            continue
        if not status.startswith("R"):
            return False
        moved[paths[0]] = paths[1]
    renamed = dict[str, str]()
    for old, new in _hunks(root, commit):
        before, after = WORD.findall(old), WORD.findall(new)
        if len(before) != len(after):
            return False
        for one, other in zip(before, after, strict=True):
            if one != other and renamed.setdefault(one, other) != other:
                return False
    if not moved and not renamed:
        return False
    if len(set(renamed.values())) != len(renamed):
        return False
    return all(_is_rename(root, commit, old, new) for old, new in renamed.items())


def _is_rename(root: Path, commit: str, old: str, new: str) -> bool:
    if not re.search(r"\w", old) or not re.search(r"\w", new) or old.isdigit() or new.isdigit():
        return False
    return not _names(root, commit, old) and not _names(root, f"{commit}~", new)


def _names(root: Path, commit: str, word: str) -> bool:
    """Does a file of the commit contain the word, alone?"""
    try:
        found = _git(root, "grep", "-h", "-F", "-e", word, commit)
    except NoHistoryError:
        return False
    return any(word in WORD.findall(line) for line in found.splitlines())


def _files(root: Path, commit: str) -> Iterator[Sequence[str]]:
    listing = _git(
        root, "diff-tree", "-r", "--no-commit-id", "--root", "-M50%", "--name-status", commit
    )
    for line in listing.splitlines():
        yield line.split("\t")


def _hunks(root: Path, commit: str) -> Iterator[tuple[str, str]]:
    """The old and the new text of each changed place."""
    text = _git(root, "diff-tree", "-r", "--no-commit-id", "--root", "-M50%", "-p", "-U0", commit)
    for hunk in re.split(r"^@@ .*$", text, flags=re.M)[1:]:
        lines = re.split(r"^diff --git ", hunk, flags=re.M)[0].splitlines()
        yield (
            "\n".join(line[1:] for line in lines if line.startswith("-")),
            "\n".join(line[1:] for line in lines if line.startswith("+")),
        )
