# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus vx-shell`, attached to a program on the thread back end."""

from __future__ import annotations

import io
import os
import socket
import subprocess
from collections.abc import Iterator

import pytest

from tactus import cli
from tactus.project import Project

PROGRAM = "tests/skins/vxworks_shell_program"

pytestmark = pytest.mark.alone


@pytest.fixture
def program() -> Iterator[subprocess.Popen[str]]:
    path = Project.here().program(PROGRAM)
    with subprocess.Popen([path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def said(
    capfd: pytest.CaptureFixture[str], process: subprocess.Popen[str], *lines: str
) -> list[str]:
    words = [word for line in lines for word in ("-c", line)]
    assert cli.main(["vx-shell", str(process.pid), *words]) == 0
    return capfd.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("add 1, 2, 3", "value = 6 = 0x6"),
        ("add (1, 2)", "value = 3 = 0x3"),
        ("add add (1, 2), -0x10, 'a'", "value = 84 = 0x54"),
        ("counter", "value = 7 = 0x7"),
        ("small_number", "value = -2 = 0xfffffffe"),
        ("big_number", "value = 4886718345 = 0x123456789"),
        ("counter = add 40, 1", "value = 41 = 0x29"),
        ('length "three\\n\\"x\\""', "value = 9 = 0x9"),
        ("length text_of_program", "value = 4 = 0x4"),
        ("nothing", "undefined symbol: nothing (is the program linked with -rdynamic?)"),
        ("add 1 2", "',' is missing before '2'"),
        ("add (1, 2", "')' is missing"),
        ("add(1) 2", "not understood: '2'"),
        ('length "open', "'\"' is missing at the end of a text"),
        ("12x", "not understood: '12x'"),
        ("'a", '"\'" is missing after a character'),
        ("add 1,2,3,4,5,6,7,8,9,10,11", "a function has at most 10 arguments"),
        ("real_number = 1", "value = 1 = 0x1"),
        ("text_of_program = 1", "text_of_program is no variable of 1, 2, 4 or 8 bytes"),
        ("&gone", "undefined symbol: gone"),
        ("constant = 1", "constant cannot be written"),
        ("_end", "_end is no function, and no variable with a size"),
        ("counter = " + "-" * 40 + "1", "more than 32 expressions in one another"),
        ("99999999999999999999", "the number is too large: '99999999999999999999'"),
        ("n" * 70 + " = 1", "a name has at most 62 characters"),
        ("x" * 2000, "a line has at most 1022 characters"),
    ],
)
def test_lines(
    program: subprocess.Popen[str], capfd: pytest.CaptureFixture[str], line: str, value: str
) -> None:
    assert said(capfd, program, line) == [value]


def test_objects_and_tasks_are_shown_and_used(
    program: subprocess.Popen[str], capfd: pytest.CaptureFixture[str]
) -> None:
    shown = said(
        capfd,
        program,
        "s = semBCreate 0, 0",
        "waiter s",
        "semShow s, 1",
        "i",
        'ti taskNameToId("tWaiter")',
    )
    assert any("count 0 of 1, 1 tasks wait" in line for line in shown), shown
    assert any(line.split()[:1] == ["tWaiter"] and "PEND" in line for line in shown), shown
    assert any(line.endswith("tWaiter waits") for line in shown)
    assert any(line.split()[:1] == ["tShell"] for line in shown)
    assert any("entry" in line for line in shown)
    assert said(capfd, program, "semGive s", "semShow s, 0")[0] == "value = 0 = 0x0"
    shown = said(capfd, program, "waiter s", 'tt taskNameToId("tWaiter")', "w", "show s, 1")
    assert any(" semTake+0x" in line for line in shown), shown
    assert any(line.split()[:1] == ["tWaiter"] and "semaphore" in line for line in shown), shown
    assert any(line.endswith("tWaiter waits") for line in shown), shown
    spawned = said(capfd, program, "sp add, 1, 2")
    assert "name = u0" in spawned[0] and spawned[1].startswith("value = ")


def test_devices_are_opened_read_and_shown(
    program: subprocess.Popen[str], capfd: pytest.CaptureFixture[str]
) -> None:
    shown = said(
        capfd,
        program,
        'pipeDevCreate "/pipe/shell", 3, 8',
        'f = open "/pipe/shell", 2, 0',
        'write f, "text", 4',
        "show iosFdValue (f)",
        "devs",
        "iosFdShow",
        "d text_of_program, 16, 1",
    )
    assert shown[0] == "value = 0 = 0x0", shown
    assert shown[2] == "value = 4 = 0x4", shown
    assert any("/pipe/shell, 1 of 3 messages" in line for line in shown), shown
    assert any(line.split()[1:] == ["/pipe/shell"] for line in shown), shown
    assert any("74 65 78 74" in line for line in shown), shown


def test_input_is_read_and_a_second_terminal_comes_later(
    program: subprocess.Popen[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("add 1, 1\n\nquit\nadd 2, 2\n"))
    assert cli.main(["vx-shell", str(program.pid)]) == 0
    assert capfd.readouterr().out == "value = 2 = 0x2\n"
    assert said(capfd, program, "add 3, 3") == ["value = 6 = 0x6"]


def test_terminal_that_vanishes_does_no_harm(
    program: subprocess.Popen[str], capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(f"\0tactus-vx.{program.pid}")
        wire.sendall(b"taskDelay 1\n" * 100)
    assert said(capfd, program, "add 1, 1") == ["value = 2 = 0x2"]


def test_program_that_ends_is_told(
    program: subprocess.Popen[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["vx-shell", str(program.pid), "-c", "abort"]) == 2
    assert "the program has ended" in capfd.readouterr().err
    program.wait()


def test_program_without_a_shell_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["vx-shell", str(os.getpid())]) == 2
    assert "start it with TACTUS_VX_SHELL=yes" in capfd.readouterr().err
