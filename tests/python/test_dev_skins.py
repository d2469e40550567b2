# SPDX-License-Identifier: LGPL-2.1-or-later
"""check_skins.py finds what a skin's table does not say; skin_tables.py refuses bad tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DEV = Path(__file__).resolve().parents[2] / "dev"
TABLE = "skins/x/calls.toml"
HEADER = "skins/x/include/x.h"
SOURCE = "build/skins/sim/x.c"
FLAGS = "build/skins/x.flags"
TEST = "tests/skins/x/test.c"
PAGE = "docs/reference/skins/x.md"
ORDER = {
    TABLE: """\
[skin]
name = "x"
title = "The interface X"
[sources.REF]
title = "Manual of X"
address = "https://example.org/x"
opened = 2026-11-30
[codes.X_ID]
value = "5"
meaning = "the id names nothing"
source = "REF: codes"
[codes.X_LATE]
value = "6"
meaning = "the \\"time\\" passed"
source = "REF: codes"
[translate.wait]
EBADF = "X_ID"
other = "X_LATE"
[[call]]
name = "x_take"
header = "x.h"
prototype = "int x_take(int id)"
summary = "Take it."
context = "task"
source = "REF: x_take()"
[call.errors]
X_ID = "id names nothing"
X_LATE = "it took too long"
[[call]]
name = "x_none"
header = "x.h"
prototype = "int x_none(void)"
summary = "It is not here."
context = "any"
source = "unsourced"
assumption = "Nobody uses it."
state = "refused"
instead = "use x_take()"
[[call]]
name = "x_id"
header = "x.h"
prototype = "x_id(i)"
summary = "An id."
context = "any"
source = "REF: x_id()"
state = "macro"
[[call]]
name = "read"
header = "x.h"
prototype = "long read(int fd)"
summary = "Read."
context = "task"
source = "REF: read()"
state = "wrapped"
wraps = "read64 __read_chk"
[[call]]
name = "x_inner"
source = "unsourced"
state = "internal"
why = "of another implementation"
""",
    HEADER: """\
#define X_ID 5
#define X_LATE 6
#define x_id(i) (i)
int x_take(int id);
long read(int fd);
int x_none(void) __attribute__((error("use x_take()")));
""",
    SOURCE: """\
int x_take(int id) { return id; }
long __wrap_read(int fd) { return fd; }
long __wrap_read64(int fd) { return fd; }
long __wrap___read_chk(int fd) { return fd; }
""",
    FLAGS: "skin_libs='-Wl,--wrap=read -Wl,--wrap=read64 -Wl,--wrap=__read_chk -lx'\n",
    TEST: """\
FAILS(x_take, X_ID, x_take(0));
FAILS(x_take, X_LATE, x_take(f(")", 1)));
/* FAILS(x_take, X_OLD, x_take(3)); */
WORKS(x_id, x_id(1));
WORKS(read, read(1));
""",
}


def skin_tables(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEV / "skin_tables.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def said(root: Path, files: dict[str, str], *, page: bool = True) -> list[str]:
    """What the check says of a tree, whose library is compiled and whose page is made."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    library = (root / SOURCE).with_name("libx.so")
    subprocess.run(["gcc", "-shared", "-o", str(library), str(root / SOURCE)], check=True)
    if page:
        skin_tables("--write", str(root))
    command = [sys.executable, str(DEV / "check_skins.py"), str(root / "build"), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == bool(done.stdout), done.stderr
    return done.stdout.splitlines()


def changed(file: str, former: str, text: str) -> dict[str, str]:
    assert former in ORDER[file]
    return {**ORDER, file: ORDER[file].replace(former, text, 1)}


def test_skin_in_order_is_accepted(tmp_path: Path) -> None:
    assert said(tmp_path, ORDER) == []


def test_tests_of_a_folder_that_the_table_names_count(tmp_path: Path) -> None:
    shared = {**changed(TABLE, 'name = "x"', 'name = "x"\ntests = "both"'), TEST: ""}
    shared["tests/skins/both/test.c"] = ORDER[TEST]
    assert said(tmp_path, shared) == []
    shared["tests/skins/both/test.c"] = ""
    assert any("x_id: no test has" in line for line in said(tmp_path, shared))


@pytest.mark.parametrize(
    ("file", "former", "text", "fault"),
    [
        (HEADER, "int x_take", "int x_new(int);\nint x_take", "x.h:4: x_new() has no row"),
        (HEADER, "int x_take(int id);", "", "x_take: x.h:"),
        (HEADER, "int x_take(int id);", "int x_take(long id);", "x_take: x.h: conflicting types"),
        (HEADER, "#define x_id(i) (i)", "", "x_id: x.h:"),
        (HEADER, "use x_take()", "no", "x_none: x.h does not refuse it with 'use x_take()'"),
        (FLAGS, "-Wl,--wrap=read64 ", "", "read64: the flags of programs do not wrap it"),
        (FLAGS, "-lx", "-Wl,--wrap=write -lx", "write: the flags of programs wrap it"),
        (SOURCE, "__wrap_read64", "read64", "__wrap_read64: the library does not export it"),
        (TEST, "WORKS(read, read(1));", "", "read: no test has FAILS or WORKS of it"),
        (HEADER, "X_LATE 6", "X_LATE 7", "codes.X_LATE: static assertion failed"),
        (SOURCE, "int x_take", "static inline int x_take", "x_take: the library does not export"),
        (SOURCE, "int x_take", "int x_new; int x_take", "x_new: the library exports it"),
        (TEST, "WORKS(x_id, x_id(1));", "", "x_id: no test has FAILS or WORKS of it"),
        (TEST, "X_LATE", "X_ID", "x_take: no test has FAILS(x_take, X_LATE"),
        (TEST, "x_take, X_LATE", "x_take, X_EARLY", "the row of x_take has no X_EARLY"),
        (TEST, "x_take(0)", "y(0)", "test.c:1: the expression does not call x_take"),
        (TEST, "WORKS(x_id,", "WORKS(x_idd,", "test.c:4: x_idd has no row"),
        (TABLE, 'name = "x"', 'name = "y"', "skin: name is 'y', not that of the folder"),
        (TABLE, "[translate.wait]", "[codes.X_NEW]\nvalue = 5\nmeaning = 'n'\nsource = 'REF: x'\n"
         "[translate.wait]", "codes.X_NEW: "),
        (TABLE, 'header = "x.h"', 'header = "y.h"', "y.h: there is no such header"),
    ],
)  # fmt: skip
def test_what_differs_from_the_table_is_found(
    tmp_path: Path, file: str, former: str, text: str, fault: str
) -> None:
    lines = said(tmp_path, changed(file, former, text))
    assert any(fault in line for line in lines), lines


@pytest.mark.parametrize(
    ("former", "text", "fault"),
    [
        ("[skin]", "[skin", "skins/x/calls.toml: Expected"),
        ("title", "titel", "skins/x/calls.toml: skin: title is missing"),
        ("title =", "titel = 'x'\ntitle =", "skin: titel is no key of it"),
        ("2026-11-30", "'today'", "sources.REF: opened is no date"),
        ('summary = "Take it."', "", "call x_take: summary is missing"),
        ('summary = "Take it."', 'summary = " "', "call x_take: summary is empty"),
        ('summary = "Take it."', "summary = []", "call x_take: summary is no text"),
        ('"task"', '"ISR"', "call x_take: context is 'ISR', not one of any, task, start"),
        ('"REF: x_take()"', '"RFE: x"', "call x_take: source 'RFE: x' is not KEY: PLACE"),
        ('"REF: x_take()"', '"REF:"', "call x_take: source 'REF:' is not KEY: PLACE"),
        ('assumption = "Nobody uses it."', "", "call x_none: assumption is missing"),
        ('source = "REF: codes"', 'source = "unsourced"', "codes.X_ID: assumption is missing"),
        ("x_take(int id)", "x_give(int id)", "call x_take: the prototype is not of x_take"),
        ('X_ID = "id', 'X_IDD = "id', "call x_take: X_IDD is not in [codes]"),
        ('other = "X_LATE"', 'other = "X_LTE"', "translate.wait: X_LTE is not in [codes]"),
        ('instead = "use x_take()"', "", "call x_none: instead is missing"),
        ('why = "of another implementation"', "", "call x_inner: why is missing"),
        ('name = "x_none"', 'name = "x_take"', "call x_take: "),
        ("[translate.wait]", "[translation.wait]", "[translation] is no part of a table"),
    ],
)
def test_bad_table_is_told_in_one_line(tmp_path: Path, former: str, text: str, fault: str) -> None:
    files = changed(TABLE, former, text)
    lines = said(tmp_path, files)
    assert len(lines) == 1 and fault in lines[0], lines
    made = skin_tables("errors", str(tmp_path / TABLE))
    assert made.returncode == 1 and fault.removeprefix("skins/x/") in made.stderr
    assert not made.stdout


def test_old_page_is_found(tmp_path: Path) -> None:
    assert said(tmp_path, ORDER, page=False) == [
        f"{TABLE}: {PAGE} is old: python3 dev/skin_tables.py --write"
    ]
    (tmp_path / PAGE).parent.mkdir(parents=True)
    assert said(tmp_path, {**ORDER, PAGE: "# X\n"}, page=False)
    assert said(tmp_path, ORDER) == []
    assert "| `X_ID` | id names nothing |" in (tmp_path / PAGE).read_text()


def test_header_of_errors_translates(tmp_path: Path) -> None:
    (tmp_path / "calls.toml").write_text(ORDER[TABLE])
    made = skin_tables("errors", str(tmp_path / "calls.toml")).stdout
    (tmp_path / "x_errors.h").write_text(made)
    (tmp_path / "x.h").write_text(ORDER[HEADER])
    (tmp_path / "main.c").write_text(
        """\
#include <string.h>
#include "x.h"
#include "x_errors.h"
#define ONE(code, meaning) {code, meaning},
static const struct { int code; const char *meaning; } codes[] = {X_CODES(ONE)};
int main(void)
{
	if (x_wait_errors[0].from != -TACT_EBADF || x_wait_errors[0].to != 5)
		return 1;
	if (x_wait_errors[1].from || x_wait_errors[1].to != 6 || codes[1].code != 6)
		return 1;
	return strcmp(codes[1].meaning, "the \\"time\\" passed") != 0;
}
"""
    )
    root = DEV.parent
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-o", str(tmp_path / "main")]
    command += [f"-I{root}/skins/runtime/include", f"-I{root}/abi/include"]
    subprocess.run([*command, str(tmp_path / "main.c")], check=True)
    subprocess.run([str(tmp_path / "main")], check=True)


def test_map_exports_what_is_served(tmp_path: Path) -> None:
    (tmp_path / "calls.toml").write_text(ORDER[TABLE])
    made = skin_tables("map", str(tmp_path / "calls.toml")).stdout
    names = "".join(f"\t__wrap_{name};\n" for name in ("__read_chk", "read", "read64"))
    assert made == f"X_0 {{\nglobal:\n{names}\tx_take;\nlocal:\n\t*;\n}};\n"


def test_usage_is_told() -> None:
    assert skin_tables().returncode == 2
    assert "usage: skin_tables.py" in skin_tables("make", "x").stderr
