#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the launcher says to mistakes and to programs it cannot run. TAP.

usage: launcher.py LAUNCHER STATIC_PROGRAM PROGRAM
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

LAUNCHER, STATIC, PROGRAM = sys.argv[1:4]


def foreign(folder: Path) -> Path:
    """The same program, but for another machine, by its header."""
    path = folder / "foreign"
    data = bytearray(Path(PROGRAM).read_bytes())
    data[18:20] = (183).to_bytes(2, "little")
    path.write_bytes(data)
    path.chmod(0o755)
    return path


def with_bit(folder: Path) -> Path:
    path = folder / "setuid"
    shutil.copy(PROGRAM, path)
    if os.getuid() == 0:
        os.chown(path, 65534, 65534)
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
    yield ["-xyz"], 2, "no option -x;"
    yield ["--cpu"], 2, "--cpu needs a value"
    yield ["--trace", "--", PROGRAM], 2, "--trace needs a value"
    yield ["--cpu", "--summary", "--", PROGRAM], 2, "--cpu needs a value"
    yield ["--light", "--deny-switch", "--", PROGRAM], 2, "--light and --deny-switch: "
    yield ["--cpu", "1,", "--", PROGRAM], 2, "--cpu 1,: give numbers with commas"
    yield ["--cpu", "x", "--", PROGRAM], 2, "--cpu x: give numbers with commas"
    yield ["--idle", "lazy", "--", PROGRAM], 2, "--idle lazy: give hybrid, sleep or spin"
    yield ["--core", "moon", "--", PROGRAM], 2, "--core moon"


def fault(arguments: list[str], status: int, said: str) -> str | None:
    done = subprocess.run(
        [LAUNCHER, *arguments], capture_output=True, text=True, timeout=20, check=False
    )
    if done.returncode != status:
        return f"status {done.returncode}, expected {status}; said {done.stderr!r}"
    lines = done.stderr.splitlines()
    if said and (len(lines) != 1 or said not in lines[0]):
        return f"said {done.stderr!r}, expected one line with {said!r}"
    if not said and done.stderr:
        return f"said {done.stderr!r}, expected nothing"
    return None


with tempfile.TemporaryDirectory() as name:
    all_cases = list(cases(Path(name)))
    print(f"1..{len(all_cases)}")
    for number, case in enumerate(all_cases, 1):
        wrong = fault(*case)
        label = " ".join(case[0][-2:]) or "no arguments"
        print(f"{'not ok' if wrong else 'ok'} {number} - {label}")
        if wrong:
            print(f"# {wrong}")
