#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The launcher's answers to mistakes, and to programs that it cannot run. TAP.

usage: launcher.py LAUNCHER STATIC_PROGRAM PROGRAM
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

LAUNCHER, STATIC, PROGRAM = sys.argv[1:4]
LINKER = Path("/lib64/ld-linux-x86-64.so.2")
NOBODY = 65534


def foreign(folder: Path) -> Path:
    """The same program, but for another machine, by its header."""
    path = folder / "foreign"
    data = bytearray(Path(PROGRAM).read_bytes())
    data[18:20] = (183).to_bytes(2, "little")
    path.write_bytes(data)
    path.chmod(0o755)
    return path


def linked_by(folder: Path, name: str, linker: str) -> Path:
    """The same program, which names another dynamic linker: at its end, where there is room."""
    path = folder / name
    data = bytearray(Path(PROGRAM).read_bytes())
    first, count = (int.from_bytes(data[at : at + 8], "little") for at in (32, 56))
    at = next(
        at
        for at in range(first, first + 56 * (count & 0xFFFF), 56)
        if data[at : at + 4] == (3).to_bytes(4, "little")
    )
    data[at + 8 : at + 16] = len(data).to_bytes(8, "little")
    data[at + 32 : at + 40] = (len(linker) + 1).to_bytes(8, "little")
    path.write_bytes(bytes(data) + linker.encode() + b"\0")
    path.chmod(0o755)
    return path


def far_linker(folder: Path) -> str:
    """As in systems in which each package has its own folder."""
    store = folder / ("0123456789abcdefghijklmnopqrstuv-glibc-2.40-66" * 2) / "lib"
    store.mkdir(parents=True)
    (store / LINKER.name).symlink_to(LINKER)
    return str(store / LINKER.name)


def is_for_nobody(folder: Path) -> bool:
    """Root is not restricted by capabilities; may another user start the launcher at its place?"""
    folder.chmod(0o755)
    try:
        command = [LAUNCHER, "--help"]
        done = subprocess.run(command, user=NOBODY, capture_output=True, check=False)
        return not done.returncode
    except OSError:
        return False


def capable(folder: Path) -> bool:
    """False: a file cannot have capabilities here. One of version 2: net_raw, effective."""
    path = folder / "capable"
    shutil.copy(PROGRAM, path)
    try:
        os.setxattr(path, "security.capability", struct.pack("<5I", 0x2000001, 1 << 13, 0, 0, 0))
    except OSError:
        return False
    return True


def with_bit(folder: Path) -> Path:
    path = folder / "setuid"
    shutil.copy(PROGRAM, path)
    if os.getuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    path.chmod(0o6755)
    return path


def text(folder: Path, name: str, first: str, mode: int = 0o755) -> Path:
    path = folder / name
    path.write_text(f"{first}\nexit 3\n")
    path.chmod(mode)
    return path


def cases(folder: Path) -> Iterator[tuple[list[str], int, str]]:
    yield ["--", PROGRAM, "-x", "--cpu"], 2, ""
    yield [PROGRAM], 0, ""
    yield ["--", str(text(folder, "script", "#!/bin/sh"))], 3, ""
    if not Path("/dev/tactus").exists():
        yield ["--core", "bare", "--", PROGRAM], 2, "/dev/tactus: No such file"
    yield ["--", STATIC], 126, "is linked statically"
    yield ["--", str(text(folder, "indirect", f"#!{STATIC}"))], 126, "is linked statically"
    if os.getuid() == 0:
        yield ["--", str(with_bit(folder))], 126, "setuid or setgid"
        if is_for_nobody(folder) and capable(folder):
            yield ["--", str(folder / "capable")], 126, "has capabilities of its own"
    yield ["--", str(linked_by(folder, "far", far_linker(folder)))], 0, ""
    other = str(linked_by(folder, "other", "/lib/ld-musl-x86_64.so.1"))
    yield ["--", other], 126, "uses /lib/ld-musl-x86_64.so.1: only programs of the GNU C"
    yield ["--", str(LINKER), PROGRAM, "-x"], 1, ""
    yield ["--", str(foreign(folder))], 126, "another architecture (machine 183"
    yield ["--", str(text(folder, "text", "hello"))], 126, "neither an ELF program nor a script"
    yield ["--", str(text(folder, "rights", "#!/bin/sh", 0o644))], 126, "not an executable file"
    yield ["--", str(folder)], 126, "not an executable file"
    yield ["--", str(folder / "absent")], 127, "No such file"
    yield ["--", "no-such-program"], 127, "no program 'no-such-program' on PATH"
    yield ["--", ""], 127, "name is empty"
    yield [], 2, "no program"
    yield ["--"], 2, "no program"
    yield ["--nonsense"], 2, "no option --nonsense"
    yield ["--sum", "--", PROGRAM], 2, "no option --sum;"
    yield ["--trac=/nowhere", "--", PROGRAM], 2, "no option --trac=/nowhere;"
    yield ["--cp", "1", "--", PROGRAM], 2, "no option --cp;"
    yield ["--summary", "--verb", "--", PROGRAM], 2, "no option --verb;"
    yield ["-xyz"], 2, "no option -x;"
    yield ["--cpu"], 2, "--cpu needs a value"
    yield ["--stay", "often", "--", PROGRAM], 2, "--stay often: give a number of switches"
    yield ["--stay=", "--", PROGRAM], 2, "--stay : give a number of switches"
    yield ["--stay", "1000000", "--", PROGRAM], 2, "--stay 1000000: give a number of switches"
    yield ["--trace", "--", PROGRAM], 2, "--trace needs a value"
    yield ["--cpu", "--summary", "--", PROGRAM], 2, "--cpu needs a value"
    yield ["--light", "--deny-switch", "--", PROGRAM], 2, "--light and --deny-switch: "
    yield ["--cpu", "1,", "--", PROGRAM], 2, "--cpu 1,: give numbers with commas"
    first = min(os.sched_getaffinity(0))
    most = ",".join([str(first)] * 31)
    yield ["--cpu", most, "--", PROGRAM], 0, ""
    yield ["--cpu", "9999", "--", PROGRAM], 2, "--cpu 9999: there is no such CPU online; choose"
    beside = f"{first},9998"
    yield ["--cpu", beside, "--", PROGRAM], 2, "--cpu 9998: there is no such CPU online; choose"
    yield ["--core=bare", "--cpu=9999", "--", PROGRAM], 2, "there is no such CPU present; choose"
    yield ["--cpu", f"{most},31", "--", PROGRAM], 2, "--cpu: 32 CPUs are given, but the maximum"
    yield ["--cpu", "x", "--", PROGRAM], 2, "--cpu x: give numbers with commas"
    yield ["--idle", "lazy", "--", PROGRAM], 2, "--idle lazy: give hybrid, sleep or spin"
    yield ["--core", "moon", "--", PROGRAM], 2, "--core moon"


def fault(arguments: list[str], status: int, said: str) -> str | None:
    done = subprocess.run(
        [LAUNCHER, *arguments],
        user=NOBODY if arguments and arguments[-1].endswith("/capable") else None,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    if done.returncode != status:
        return f"status {done.returncode}, expected {status}; said {done.stderr!r}"
    lines = done.stderr.splitlines()
    if said and (len(lines) != 1 or said not in lines[0]):
        return f"said {done.stderr!r}, expected one line with {said!r}"
    if not said and done.stderr:
        return f"said {done.stderr!r}, expected nothing"
    return None


def libraries_fault(folders: str, expected: str, *options: str) -> str | None:
    """What a program finds instead of these folders of libraries."""
    done = subprocess.run(
        [LAUNCHER, *options, "--", "sh", "-c", 'echo "${LD_LIBRARY_PATH-none}"'],
        env={**os.environ, "LD_LIBRARY_PATH": folders},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    if (done.returncode, done.stdout) != (0, f"{expected}\n"):
        return f"{done.returncode}, {done.stdout!r}, {done.stderr!r}: expected {expected!r}"
    return None


def core_fault() -> str | None:
    """`--core thread` below a program with `--core bare`."""
    here = Path(LAUNCHER).resolve().parent
    bare = f"{here}/../../lib/bare"
    for folders, expected in (
        (f"{bare}:/one:/other", "/one:/other"),
        (f"/one:{here.parent.parent}/lib/bare/", "/one"),
        (f"/one::{bare}", "/one:"),
        (bare, "none"),
        ("/one:/other", "/one:/other"),
    ):
        wrong = libraries_fault(folders, expected, "--core", "thread")
        if wrong:
            return f"{folders}: {wrong}"
    return libraries_fault(bare, bare)


with tempfile.TemporaryDirectory() as name:
    all_cases = list(cases(Path(name)))
    print(f"1..{len(all_cases) + 1}")
    for number, case in enumerate(all_cases, 1):
        wrong = fault(*case)
        label = " ".join(case[0][-2:]) or "no arguments"
        print(f"{'not ok' if wrong else 'ok'} {number} - {label}")
        if wrong:
            print(f"# {wrong}")
    wrong = core_fault()
    print(f"{'not ok' if wrong else 'ok'} {len(all_cases) + 1} - the core that was asked for")
    if wrong:
        print(f"# {wrong}")
