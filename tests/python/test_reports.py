# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports that name commits: each is a commit of this tree, found by its title."""

from __future__ import annotations

import re
import subprocess

import pytest

from tactus.project import Project

ROOT = Project.here().root
STRANGERS = "docs/reports/strangers.md"
BEGAN = "0724bf75"
"""The tree that was tried from outside: a clone without its commits cannot give their titles."""
NO_COMMIT = re.compile(r"–|\(|kept|found, not mended|(\*\*)?not mended")


def titles() -> set[str]:
    log = ["git", "-C", str(ROOT), "log", "--format=%s", f"{BEGAN}.."]
    done = subprocess.run(log, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("this clone has not the commits")
    return set(done.stdout.splitlines())


def findings() -> list[list[str]]:
    """The cells of each row that has a finding, a cause, a commit, a test and twins."""
    told = []
    header = None
    for line in (ROOT / STRANGERS).read_text(encoding="utf-8").splitlines():
        if not line.startswith("| "):
            # The line below a header is no row, and everything else ends the table.
            header = header if line.startswith("|-") else None
            continue
        row = [cell.strip() for cell in line.strip("|").split(" | ")]
        if header is None:
            header = row[0]
        elif header == "finding":
            told.append(row)
    return told


def test_each_finding_has_five_cells() -> None:
    wrong = [row[0] for row in findings() if len(row) != 5]
    assert not wrong
    assert len(findings()) > 60


def test_each_finding_names_its_commit_or_says_that_there_is_none() -> None:
    known = titles()
    wrong = []
    for finding, _, commit, *_ in findings():
        if NO_COMMIT.match(commit):
            continue
        # Several commits, separated by semicolons or, each in quotes, by commas; some titles
        # contain a semicolon.
        whole, *parts = [
            part.strip("` ").partition(" (")[0] for part in (commit, *re.split(r"; |`, `", commit))
        ]
        if whole not in known and not known.issuperset(parts):
            wrong.append((finding[:60], commit))
    assert not wrong
