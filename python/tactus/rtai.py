# SPDX-License-Identifier: LGPL-2.1-or-later
"""Talks to the process that holds the modules of a session of RTAI.

The process has an abstract socket, so nothing of it is left when it ends in any way. A request is
one message of words that end with a 0; answers begin with a letter: B the request was taken, L the
log, T text, E errors, S the error number, which is the last one. A process that ends, as it does
after the last module, may still accept a connection, and takes no request any more.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.project import UserError

HOSTS = {core: f"skins/rtai/tools/rtai-host-{core}" for core in ("thread", "sim")}
DEFAULT_SESSION = "default"
MESSAGE_BYTES = 1 << 16
PEER = struct.Struct("3i")
"""struct ucred: process, user, group."""
START_S = 10.0
LOOK_S = 0.02
_UNITS_NS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the process said to a request."""

    text: str
    errors: str
    status: int


def duration_ns(text: str) -> int:
    """A time as 500ms or 2s; UserError for others."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s)", text)
    value = int(float(match[1]) * _UNITS_NS[match[2]]) if match else 0
    if value < 1:
        raise UserError(f"{text} is no time: write a number and ns, us, ms or s, as 500ms")
    return value


def socket_name(session: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", session):
        raise UserError(f"{session!r} is no name of a session: use letters, digits, _, - and .")
    return f"tactus/rtai/{os.geteuid()}/{session}"


def connect(session: str) -> socket.socket | None:
    """A connection; None: the session has no modules."""
    wire = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        wire.connect("\0" + socket_name(session))
    except OSError as error:
        wire.close()
        if error.errno == errno.ECONNREFUSED:
            return None
        raise UserError(f"session {session}: {error.strerror}") from None
    # The name is free for anybody: what answers must be this user's, or root's.
    told = wire.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
    user = PEER.unpack(told)[1]
    if user not in (os.geteuid(), 0):
        wire.close()
        raise UserError(
            f"session {session}: a process of user {user} has its name: choose another one by "
            "--session"
        )
    return wire


def nothing(_text: str) -> None:
    """For a log that nobody reads."""


def ask(
    wire: socket.socket, words: Sequence[str], log: Callable[[str], None] = nothing
) -> Answer | None:
    """Sends a request and collects its answer; None: the process has ended before it took it. `log`
    gets the log as it comes."""
    request = b"".join(os.fsencode(word) + b"\0" for word in words)
    if len(request) > MESSAGE_BYTES:
        raise UserError(f"{words[0]}: the arguments are too long")
    parts: dict[str, bytearray] = {"T": bytearray(), "E": bytearray()}
    status: int | None = None
    taken = False
    with wire:
        try:
            wire.sendall(request)
            while status is None and (message := wire.recv(MESSAGE_BYTES)):
                kind, text = chr(message[0]), message[1:]
                taken = True
                if kind == "L":
                    log(text.decode(errors="replace"))
                elif kind == "S":
                    status = int(text)
                elif kind != "B":
                    parts[kind] += text
        except ConnectionError:
            pass
    if not taken:
        return None
    if status is None:
        raise UserError(
            f"{words[0]}: the process of the modules has ended; what a module did last is above, "
            "and tactus-gdb shows more"
        )
    said = {kind: text.decode(errors="replace") for kind, text in parts.items()}
    return Answer(said["T"], said["E"], status)


def request(
    session: str,
    words: Sequence[str],
    log: Callable[[str], None] = nothing,
    start: Callable[[], str] | None = None,
) -> Answer | None:
    """Asks the process of a session. None: there is none. start: starts one that is missing, and
    tells why it could not."""
    said = ""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        wire = connect(session)
        if wire is None and start is None:
            return None
        if wire is None and start is not None:
            said = start()
            wire = connect(session)
        answer = ask(wire, words, log) if wire is not None else None
        if answer is not None:
            return answer
        # One that is about to end keeps the name for a moment.
        time.sleep(LOOK_S)
    raise UserError(f"session {session}: no process of modules could be started: {said}")


def start(host: Path, session: str) -> str:
    """Starts the process of a session; what it says, which is "ready" if it could be started."""
    # It stays when this program ends, so nobody waits for it.
    process = subprocess.Popen(
        [host, "serve", socket_name(session)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd="/",
        start_new_session=True,
        text=True,
    )
    assert process.stdout
    with process.stdout:
        said = process.stdout.readline().strip()
    if said != "ready":
        process.wait()
    process.returncode = 0
    return said
