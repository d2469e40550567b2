# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs for VxWorks without main(), on the thread back end."""

from __future__ import annotations

import subprocess

import pytest

from tactus.project import Project

pytestmark = pytest.mark.alone


def run(root: str) -> subprocess.CompletedProcess[str]:
    path = Project.here().program(f"tests/skins/vxworks_root_{root}")
    return subprocess.run([path], capture_output=True, text=True, timeout=60, check=False)


def test_module_begins_and_is_cleaned_up() -> None:
    done = run("module")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["init", "task", "cleanup"]


def test_program_without_a_root_function_is_told() -> None:
    # The C library has a function init_module() of its own.
    done = run("none")
    assert done.returncode == 1
    assert "there is no usrAppInit(), usrRoot() or init_module()" in done.stderr
