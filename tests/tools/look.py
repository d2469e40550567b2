# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of tools share: the program they look at, and results as TAP."""

from __future__ import annotations

import select
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
sys.path.insert(0, str(ROOT / "python"))


class Skip(Exception):
    """The machine does not let the test do its work; the message says what."""


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    """The program, once it has said that it is ready; it ends with its standard input."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdin and process.stdout
    try:
        if not select.select([process.stdout], [], [], START_S)[0]:
            raise AssertionError(f"{command[0]} was not ready after {START_S:.0f} s")
        line = process.stdout.readline()
        assert line == "ready\n", f"{command[0]} said {line!r} and not that it is ready"
        yield process
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def tap(cases: list[tuple[str, Callable[[], None]]]) -> int:
    """Runs the cases in order; one that fails does not keep the others from running."""
    failed = 0
    print(f"1..{len(cases)}")
    for number, (name, case) in enumerate(cases, 1):
        try:
            case()
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}")
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
        else:
            print(f"ok {number} - {name}")
        sys.stdout.flush()
    return 1 if failed else 0
