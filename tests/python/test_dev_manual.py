# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checkers of the manual in the headers find planted mistakes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_dev_checks import DEV, write

ERRORS = "enum tact_error { TACT_EAGAIN = 11, TACT_EBADF = 9, TACT_EINVAL = 22 };\n"
CALL = "int tact_probe(int how, void (*entry)(void *arg));\n"
WHOLE = "/**\n * Probe.\n * Returns 0, {0}.\n * Context: task. Cost: O(1).\n */\n"


def header(root: Path, text: str) -> None:
    write(root, "abi/include/tactus/error.h", ERRORS)
    write(root, "nucleus/include/tactus/tact.h", text)
    write(root, "nucleus/include/tactus/skin.h", "/* No hooks. */\n")


def run(name: str, *arguments: Path) -> tuple[int, list[str]]:
    command = [str(DEV / f"check_{name}.py"), *map(str, arguments)]
    done = subprocess.run(
        ["python3", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize(
    ("manual", "said"),
    [
        ("", "has no comment"),
        ("/** Probe. Context: any. Cost: O(1). */\n", "what it returns"),
        ("/** Probe. Returns 0. Cost: O(1). */\n", "`Context:`"),
        ("/** Probe. Returns 0. Context: any. */\n", "`Cost:`"),
        (WHOLE.format("-TACT_EWRONG"), "TACT_EWRONG"),
        (WHOLE.format("as tact_other()"), "tact_other()"),
    ],
)
def test_call_with_half_a_manual_is_found(tmp_path: Path, manual: str, said: str) -> None:
    header(tmp_path, f"#include <tactus/error.h>\n\n{manual}{CALL}")
    status, lines = run("manual", tmp_path)
    assert (status, len(lines)) == (1, 1)
    assert lines[0].startswith("nucleus/include/tactus/tact.h:")
    assert said in lines[0]


def test_calls_that_stand_together_share_their_manual(tmp_path: Path) -> None:
    header(tmp_path, WHOLE.format("-TACT_EINVAL") + CALL + CALL.replace("probe", "look"))
    assert run("manual", tmp_path) == (0, [])
    header(
        tmp_path,
        WHOLE.format("-TACT_EINVAL") + CALL + "\n" + CALL.replace("probe", "look"),
    )
    assert run("manual", tmp_path)[0] == 1


def test_designed_calls_need_a_manual_too_and_must_not_exist_already(
    tmp_path: Path,
) -> None:
    header(tmp_path, WHOLE.format("-TACT_EINVAL") + CALL)
    later = CALL.replace("probe", "later")
    write(tmp_path, "docs/spec/services/later.h", WHOLE.format("as tact_probe()") + later)
    assert run("manual", tmp_path) == (0, [])
    write(tmp_path, "docs/spec/services/later.h", later)
    status, lines = run("manual", tmp_path)
    assert (status, len(lines)) == (1, 1)
    assert lines[0].startswith("docs/spec/services/later.h:")
    write(tmp_path, "docs/spec/services/later.h", WHOLE.format("-TACT_EINVAL") + CALL)
    status, lines = run("manual", tmp_path)
    assert (status, len(lines)) == (1, 1)
    assert "tact_probe() exists" in lines[0]


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A library and a test of it that gets -22 and -11."""
    folder = tmp_path / "made"
    write(
        folder,
        "lib.c",
        CALL.replace("void *arg", "void *").replace(";", " { return -how; }"),
    )
    write(
        folder,
        "test.c",
        f"{CALL}int main(void) {{ tact_probe(22, 0); tact_probe(11, 0); }}\n",
    )
    (folder / "tests").mkdir()
    lib = ["gcc", "-w", "-shared", "-fPIC", "-o", "libprobe.so", "lib.c"]
    test = [
        "gcc",
        "-o",
        "tests/test_probe_sim",
        "test.c",
        "-L.",
        "-lprobe",
        "-Wl,-rpath,$ORIGIN/..",
    ]
    test.append("-Wl,-rpath,$ORIGIN/..")
    for command in (lib, test):
        subprocess.run(command, cwd=folder, check=True)
    return folder


def test_code_that_no_test_sees_and_one_that_is_not_told_are_found(
    tmp_path: Path, build: Path
) -> None:
    header(tmp_path, WHOLE.format("-TACT_EINVAL, -TACT_EBADF") + CALL)
    status, lines = run("errors", build, tmp_path)
    assert status == 1
    assert [line.partition("tact_probe(): ")[2] for line in lines] == [
        "no test sees -TACT_EBADF",
        "returns -TACT_EAGAIN, which it does not document",
    ]


def test_codes_that_are_all_told_and_seen_pass(tmp_path: Path, build: Path) -> None:
    header(tmp_path, WHOLE.format("-TACT_EINVAL, -TACT_EAGAIN") + CALL)
    assert run("errors", build, tmp_path) == (0, [])


@pytest.mark.parametrize(
    ("manual", "missed"),
    [
        ("Returns as tact_probe()", ["EAGAIN", "EINVAL"]),
        ("Returns their number, or as\n * tact_probe()", ["EAGAIN", "EINVAL"]),
        ("Returns 0, -TACT_EINVAL (as tact_probe())", ["EINVAL"]),
    ],
)
def test_codes_of_the_call_that_is_returned_as_are_to_be_seen_too(
    tmp_path: Path, build: Path, manual: str, missed: list[str]
) -> None:
    other = f"\n/** Look. {manual}. Context: any. Cost: O(1). */\nint tact_look(int how);\n"
    header(tmp_path, WHOLE.format("-TACT_EINVAL, -TACT_EAGAIN") + CALL + other)
    lines = run("errors", build, tmp_path)[1]
    assert [line.partition("tact_look(): ")[2] for line in lines] == [
        f"no test sees -TACT_{code}" for code in missed
    ]


def test_build_without_tests_is_no_proof(tmp_path: Path) -> None:
    header(tmp_path, WHOLE.format("-TACT_EINVAL") + CALL)
    status, lines = run("errors", tmp_path / "empty", tmp_path)
    assert status == 1
    assert "build first" in lines[0]
