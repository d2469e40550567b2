# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two measurements at once would measure each other."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tactus.measure import alone as module
from tactus.measure.alone import FILE, alone


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "state_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_second_waits_and_names_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    entered = threading.Event()

    def second() -> None:
        with alone():
            entered.set()

    thread = threading.Thread(target=second)
    with alone():
        thread.start()
        assert not entered.wait(0.3)
        assert f"(pid {os.getpid()})" in capsys.readouterr().err
    thread.join(10)
    assert entered.is_set()


def test_lock_is_not_inherited_by_the_instruments(folder: Path) -> None:
    with alone():
        entries = list(Path("/proc/self/fd").iterdir())
        locks = [int(fd.name) for fd in entries if _leads_to(fd, folder / FILE)]
        assert [os.get_inheritable(fd) for fd in locks] == [False]


def test_lock_is_free_after_an_error(folder: Path) -> None:
    with pytest.raises(ValueError, match="broken"), alone():
        raise ValueError("broken")
    with (folder / FILE).open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_without_a_folder_it_measures_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "state_folder", lambda: Path("/nonexistent"))
    with alone():
        pass


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.link(path.parent / "other", path)])
def test_what_is_no_plain_file_is_not_written(folder: Path, make: Callable[[Path], None]) -> None:
    (folder / "other").write_text("kept")
    make(folder / FILE)
    with alone():
        pass
    assert (folder / "other").read_text() == "kept"


def _leads_to(fd: Path, path: Path) -> bool:
    try:
        return fd.samefile(path)
    except OSError:
        return False
