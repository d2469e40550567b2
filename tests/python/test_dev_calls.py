# SPDX-License-Identifier: LGPL-2.1-or-later
"""check_calls.py finds what a table of calls leaves out, and what it names too much."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "dev" / "check_calls.py"
CALLS = "skins/posix/libc/calls.def"
FUNCTIONS = "skins/cobalt/functions.def"
HEADER = "skins/cobalt/include/cobalt/unistd.h"
POSIX = "skins/posix/libtactus-run.so.p/x.c"
COBALT = "skins/cobalt/libcobalt_renamed.a.p/x.c"
ORDER = {
    CALLS: """\
POSIX_CALL(close, YES, NEEDED, EVERY, see_close)
POSIX_CALL(execl, YES, NO,     NO,    NO)
POSIX_CALL(mlock, NO,  NEEDED, NO,    NO)
""",
    FUNCTIONS: """\
COBALT_FUNCTION(close, WRAPPED, OWN)
COBALT_FUNCTION_AS(pthread_yield, sched_yield, WRAPPED, NO)
""",
    HEADER: "COBALT_SAME(close);\nCOBALT_DECL(int, pthread_yield, (void));\n",
    "skins/posix/fd.c": "posix_real.close(0); posix_real.mlock(0, 0);\n",
    POSIX: "void close(void) {} void execl(void) {} void posix_say(void) {}\n",
    COBALT: "void posix_close(void) {} void __wrap_close(void) {}\n",
}


def said(root: Path, files: dict[str, str]) -> list[str]:
    """What the check says of a tree, where sources in the folders of objects are compiled."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if path.parent.suffix == ".p":
            command = [
                "gcc",
                "-fno-builtin",
                "-c",
                "-o",
                str(path.with_suffix(".o")),
                str(path),
            ]
            subprocess.run(command, check=True)
    command = [sys.executable, str(CHECK), str(root), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == bool(done.stdout), done.stderr
    return done.stdout.splitlines()


def test_tables_in_order_are_accepted(tmp_path: Path) -> None:
    assert said(tmp_path, ORDER) == []


@pytest.mark.parametrize(
    ("file", "former", "text", "fault"),
    [
        (
            POSIX,
            "void close",
            "void open(void) {} void close",
            "open() is defined and has no row",
        ),
        (POSIX, "void execl(void) {}", "", "execl() is not defined"),
        (POSIX, "void execl", "static inline void execl", "execl() is not defined"),
        (
            "skins/posix/fd.c",
            "posix_real.mlock(0, 0);",
            "",
            "nothing calls mlock's slot",
        ),
        (CALLS, "mlock, NO,  NEEDED", "mlock, NO,  NO", "mlock: the row says nothing"),
        (CALLS, "(mlock,", "(dup,", "dup does not come after execl"),
        (CALLS, "(execl,", "(close,", "close does not come after close"),
        (
            COBALT,
            "__wrap_close",
            "__wrap_open",
            "is OWN, and __wrap_close() is not defined",
        ),
        (
            COBALT,
            "posix_close",
            "posix_open",
            "is OWN, and posix_close() is not defined",
        ),
        (HEADER, "COBALT_SAME(close)", "COBALT_SAME(dup)", "declares the names of dup"),
    ],
)
def test_what_a_table_does_not_tell_is_found(
    tmp_path: Path, file: str, former: str, text: str, fault: str
) -> None:
    changed = ORDER[file].replace(former, text)
    assert changed != ORDER[file]
    lines = said(tmp_path, {**ORDER, file: changed})
    assert any(fault in line for line in lines), lines


def test_build_without_objects_is_refused(tmp_path: Path) -> None:
    files = {name: text for name, text in ORDER.items() if name != POSIX}
    with pytest.raises(AssertionError, match="build first"):
        said(tmp_path, files)
