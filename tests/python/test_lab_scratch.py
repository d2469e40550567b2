# SPDX-License-Identifier: LGPL-2.1-or-later
"""Folders of runs: removed at the end, and after an owner that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tactus.lab import scratch
from tactus.project import UserError

OWNER = """
import os, pathlib, signal, sys
from tactus.lab import scratch
with scratch.folder(pathlib.Path(sys.argv[1])) as folder:
    (folder / "deep").mkdir()
    (folder / "deep/file").write_text("x")
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    with scratch.folder(tmp_path) as folder:
        (folder / "file").write_text("x")
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_place_that_takes_no_folder_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"cannot make a folder in .*/gone \(No such file"),
        scratch.folder(tmp_path / "gone"),
    ):
        pass


def test_next_start_removes_what_a_killed_one_left_and_no_more(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == -signal.SIGKILL
    left = Path(done.stdout.strip())
    assert (left / "deep/file").is_file()
    other = tmp_path / "somebody-else"
    other.mkdir()
    link = tmp_path / f"{scratch.PREFIX}link"
    link.symlink_to(other)
    with scratch.folder(tmp_path) as folder:
        scratch.clean(tmp_path)
        assert set(tmp_path.iterdir()) == {folder, other, link}
