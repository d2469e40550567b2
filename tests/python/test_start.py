# SPDX-License-Identifier: LGPL-2.1-or-later
"""The script at the root, up to where it stops before any set-up: its messages for each user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "python/tactus/commands").glob("[a-z]*.py"))
COMMANDS = sorted(file.stem.replace("_", "-") for file in FILES)
# The programs of the script itself; all others are missing on the made-up machine.
TOOLS = ("sh", "readlink", "cat", "cksum", "mkdir", "flock", "tail", "expr")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the script in a folder with a space, and a PATH with few programs."""
    root = tmp_path / "my tree"
    (root / "python/tactus/commands").mkdir(parents=True)
    shutil.copy(ROOT / "tactus", root)
    shutil.copy(ROOT / "python/pyproject.toml", root / "python")
    for file in FILES:
        (root / "python/tactus/commands" / file.name).write_text("")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found, name
        (tools / name).symlink_to(found)
    return root


def fake(place: Path, name: str, script: str) -> None:
    file = place.parent / "bin" / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def start(script: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": str(script.parent / "../bin"), "HOME": "/nonexistent"}
    return subprocess.run(
        [str(script), *args],
        env=env,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def test_user_is_told_the_packages_in_one_line(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    done = start(place / "tactus", "bench")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "sudo apt-get install gcc" in done.stderr
    assert "ninja-build" in done.stderr and "stress-ng" not in done.stderr


def test_measure_wants_the_loads_and_test_the_checkers(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    assert "stress-ng" in start(place / "tactus", "measure").stderr
    assert "clang-format" in start(place / "tactus", "test").stderr


def test_what_is_there_is_not_asked_for(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    fake(place, "gcc", "exit 0")
    said = start(place / "tactus", "bench").stderr
    assert " gcc" not in said and " meson" in said


def test_other_systems_get_the_list_too(place: Path) -> None:
    done = start(place / "tactus", "bench")
    assert done.returncode == 2
    assert "your system's names" in done.stderr and "meson" in done.stderr


def test_root_installs_only_what_is_missing_and_sees_the_log_of_a_failure(
    place: Path,
) -> None:
    fake(place, "id", "echo 0")
    fake(place, "gcc", "exit 0")
    fake(
        place,
        "apt-get",
        f'echo "apt $*" >>"{place}/calls"; case $* in *install*) exit 7; esac',
    )
    done = start(place / "tactus", "bench")
    calls = (place / "calls").read_text().splitlines()
    assert done.returncode == 1
    assert len(calls) == 2 and "update" in calls[0]
    assert " meson" in calls[1] and " gcc" not in calls[1]
    assert "set-up failed" in done.stderr and "setup.log" in done.stderr


def test_script_finds_its_tree_through_a_link(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    link = place.parent / "elsewhere" / "t"
    link.parent.mkdir()
    link.symlink_to(place / "tactus")
    done = start(link, "bench")
    assert "sudo apt-get install gcc" in done.stderr


def make_tree(place: Path) -> Path:
    """With a built launcher that prints its arguments; the stamp is as new as its sources."""
    for folder in (
        "abi",
        "base",
        "hal",
        "nucleus",
        "lib",
        "session",
        "skins/posix/process",
        "build/skins/posix",
    ):
        (place / folder).mkdir(parents=True, exist_ok=True)
    (place / "python/tactus/commands/run.py").write_text("")
    source = place / "skins/posix/process/launcher.c"
    for file in (source, place / "meson.build"):
        file.write_text("")
        os.utime(file, (1000, 1000))
    launcher = place / "build/skins/posix/tactus-run"
    launcher.write_text('#!/bin/sh\necho "launcher $*"\n')
    launcher.chmod(0o755)
    (place / "build/tactus-run-built").touch()
    os.utime(place / "build/tactus-run-built", (2000, 2000))
    fresh = ROOT / "skins/posix/process/fresh.c"
    build = ["cc", "-o", str(launcher.parent / "tactus-fresh"), str(fresh)]
    subprocess.run(build, check=True)
    return source


def test_run_begins_the_launcher_unless_a_source_is_newer(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    source = make_tree(place)
    link = place.parent / "elsewhere" / "t"
    link.parent.mkdir()
    link.symlink_to(place / "tactus")
    for script in (place / "tactus", link):
        done = start(script, "run", "--", "a", "b c")
        assert (done.returncode, done.stdout) == (0, "launcher -- a b c\n"), done.stderr
    (place / "skins/posix/README.md").write_text("newer, and no source")
    assert start(place / "tactus", "run", "--", "a").stdout == "launcher -- a\n"
    os.utime(source, (3000, 3000))
    done = start(place / "tactus", "run", "--", "a")
    assert done.returncode == 2 and done.stdout == ""
    assert "sudo apt-get install" in done.stderr, "the front end builds it first"
    os.utime(source, (1000, 1000))
    (place / "build/tactus-run-built").unlink()
    assert start(place / "tactus", "run", "--", "a").returncode == 2


def test_tree_that_cannot_be_written_is_refused(place: Path) -> None:
    (place.parent / "bin/mkdir").unlink()
    fake(place, "mkdir", 'echo "mkdir: read-only file system" >&2; exit 1')
    done = start(place / "tactus", "doctor")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot write to" in done.stderr


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A clone without a set-up, for a user without a single package."""
    root = tmp_path / "fresh"
    shutil.copytree(
        ROOT / "python/tactus",
        root / "python/tactus",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(ROOT / "tactus", root)
    shutil.copy(ROOT / "python/pyproject.toml", root / "python")
    return root


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)])
def test_help_of_a_fresh_clone_sets_nothing_up(fresh: Path, words: list[str]) -> None:
    done = subprocess.run(
        [str(fresh / "tactus"), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: " in done.stdout
    made = {file.name for file in fresh.rglob("*")} & {
        ".venv",
        ".cache",
        "build",
        "__pycache__",
    }
    assert not made


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], ""),
        (["mesure"], "tactus: no command 'mesure': did you mean measure?"),
        (["--hlep"], "tactus: no option '--hlep'"),
    ],
)
def test_mistake_in_a_fresh_clone_is_told_at_once(fresh: Path, words: list[str], said: str) -> None:
    done = subprocess.run(
        [str(fresh / "tactus"), *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") <= 1
    assert not (fresh / ".venv").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["tune", "--cpu", "1000"],
            "tactus: there is no CPU 1000 online; choose one of ",
        ),
        (
            ["run", "--cpu", "4095", "--", "true"],
            "tactus: --cpu 4095: there is no such CPU",
        ),
        (
            ["measure", "--total", "x"],
            "tactus: argument --total: 'x': use 10 to 864000 seconds",
        ),
        (
            ["bench", "--json", "/nowhere/at/all"],
            "tactus: there is no folder /nowhere/at",
        ),
        (["test", "--backend", "metal"], "tactus: argument --backend"),
    ],
)
def test_fresh_clone_installs_and_builds_nothing_for_words_that_are_wrong(
    fresh: Path, place: Path, words: list[str], said: str
) -> None:
    """It could not build: there is no program that builds, and there are no sources."""
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 0")
    (place.parent / "bin/python3").symlink_to(sys.executable)
    env = {"PATH": str(place.parent / "bin")}
    done = subprocess.run(
        [str(fresh / "tactus"), *words],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1, done.stderr
    made = {file.name for file in fresh.rglob("*")} & {
        ".venv",
        ".cache",
        "build",
        "__pycache__",
    }
    assert not made


def test_help_behind_two_dashes_is_the_programs(place: Path) -> None:
    fake(place, "apt-get", "exit 99")
    fake(place, "id", "echo 1000")
    assert "sudo apt-get install gcc" in start(place / "tactus", "run", "--", "ls", "--help").stderr


def test_packages_of_a_command_are_added_to_an_environment_that_is_in_use(
    place: Path,
) -> None:
    fake(place, "id", "echo 0")
    fake(place, "apt-get", "exit 0")
    (place / ".venv/bin").mkdir(parents=True)
    python = place / ".venv/bin/python"
    python.write_text('#!/bin/sh\necho "$*" >>"${0%/*}/calls"\n')
    python.chmod(0o755)
    text = (place / "python/pyproject.toml").read_text() + f"{place}\n{python}\n"
    key = subprocess.run(["cksum"], input=text, capture_output=True, text=True, check=True).stdout
    (place / ".venv/stamp").write_text(key)
    for time in (1, 2):
        done = start(place / "tactus", "test", "--quick")
        assert done.returncode == 0, done.stderr
        calls = (python.parent / "calls").read_text()
        assert (calls.count("pip install"), calls.count("--editable")) == (1, 0)
        assert calls.count("-m tactus test --quick") == time
