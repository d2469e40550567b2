# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus vx-shell`: exit status 0, also if a command was wrong; 1 if the program has ended."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from tactus.project import Project, UserError

SUMMARY = "call functions of a running VxWorks program, as its shell does"
UNIX = Path("/proc/net/unix")
NAME = "tactus-vx."
PROMPT = "-> "
LEAVE = ("exit", "quit", "logout")
GONE = "the program has ended"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pid", nargs="?", type=int, help="the program, if several have a shell")
    parser.add_argument(
        "-c",
        metavar="LINE",
        dest="lines",
        action="append",
        help="run this line, then end; may be given several times",
    )


def shells(table: Path = UNIX) -> list[int]:
    """The processes that have a shell."""
    try:
        text = table.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{table}: {error.strerror}") from None
    found = set[int]()
    for line in text.splitlines():
        name = line.rpartition(" ")[2]
        if name.startswith(f"@{NAME}") and name.removeprefix(f"@{NAME}").isdigit():
            found.add(int(name.removeprefix(f"@{NAME}")))
    return sorted(found)


def chosen(pid: int | None, running: list[int]) -> int:
    if pid is not None:
        if pid not in running:
            raise UserError(
                f"process {pid} has no shell: start it with TACTUS_VX_SHELL=yes, or let it call "
                "shellInit()"
            )
        return pid
    if not running:
        raise UserError(
            "no program has a shell: start one with TACTUS_VX_SHELL=yes, or let it call shellInit()"
        )
    if len(running) > 1:
        raise UserError(f"name one of the programs: {', '.join(map(str, running))}")
    return running[0]


class Terminal:
    """The connection to a program."""

    def __init__(self, pid: int) -> None:
        self.wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.wire.connect(f"\0{NAME}{pid}")
        except OSError as error:
            raise UserError(f"process {pid}: {error.strerror}") from None

    def run(self, line: str) -> str | None:
        """What the line printed; None: the program has ended, or refuses this user."""
        try:
            self.wire.sendall(line.encode(errors="replace") + b"\n")
            answer = bytearray()
            while not answer.endswith(b"\0"):
                piece = self.wire.recv(1 << 16)
                if not piece:
                    return None
                answer += piece
        except ConnectionError:
            return None
        return answer[:-1].decode(errors="replace")


def typed() -> Iterator[str]:
    """The lines of a person, with a history and editing, or of a file."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 -- input() uses it
    while True:
        try:
            line = input(PROMPT if sys.stdin.isatty() else "")
        except EOFError:
            if sys.stdin.isatty():
                print()
            return
        if line.strip() in LEAVE:
            return
        yield line


def run(args: argparse.Namespace, project: Project) -> int:
    del project
    pid = chosen(args.pid, shells())
    terminal = Terminal(pid)
    for line in args.lines if args.lines is not None else typed():
        if not line.strip():
            continue
        answer = terminal.run(line.replace("\n", " "))
        if answer is None:
            owner = place.stat().st_uid if (place := Path(f"/proc/{pid}")).exists() else None
            refused = owner is not None and os.geteuid() not in (0, owner)
            raise UserError("the program belongs to another user" if refused else GONE)
        print(answer, end="", flush=True)
    return 0
