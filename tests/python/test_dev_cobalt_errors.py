# SPDX-License-Identifier: LGPL-2.1-or-later
"""The check of the POSIX skin's error codes finds planted mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from test_dev_checks import DEV

LIST = """\
import sys, pathlib, cobalt_errors
print(*cobalt_errors.faults(pathlib.Path(sys.argv[1])), sep="\\n")
"""
TABLE = """\
[reasons]
memory = "there is enough"
[helpers]
bind = "bind_to"
[codes]
{call} = "{codes}"
"""


def faults(root: Path, call: str, codes: str, test: str) -> str:
    folder = root / "tests/skins/cobalt"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "documented.toml").write_text(TABLE.format(call=call, codes=codes))
    (folder / "calls.c").write_text(test)
    command = [sys.executable, "-B", "-c", LIST, str(root)]
    told = subprocess.run(command, cwd=DEV, capture_output=True, text=True, check=True).stdout
    return told.replace(f"{folder.relative_to(root)}/documented.toml: ", "").strip()


def test_a_code_that_is_expected_of_a_call_is_seen(tmp_path: Path) -> None:
    for statement in (
        "expect_errno(bind(fd), EINVAL);",
        "expect_errno(__RT(bind)(fd), EINVAL);",
        "expect_errno(bind_to(fd, 3), EINVAL);",
        "until(bind(fd) == -EINVAL);",
    ):
        assert faults(tmp_path, "bind", "EINVAL ENOMEM:memory", statement) == ""


def test_a_code_that_is_only_mentioned_is_not(tmp_path: Path) -> None:
    for statement in (
        "/* expect_errno(bind(fd), EINVAL); */",
        'puts("expect_errno(bind(fd), EINVAL)");',
        "expect_eq(errno, EINVAL); bind(fd);",
        "if (bind(fd) != EINVAL) return;",
        "expect_errno(connect(fd, bind), EINVAL);",
    ):
        assert faults(tmp_path, "bind", "EINVAL ENOMEM:memory", statement) == (
            "bind(): no test has EINVAL"
        )


def test_a_reason_is_none_where_a_test_has_the_code(tmp_path: Path) -> None:
    statement = "expect_errno(bind(fd), ENOMEM);"
    assert faults(tmp_path, "bind", "ENOMEM:memory", statement) == (
        "bind ENOMEM:memory: a test has it"
    )
    told = faults(tmp_path, "bind", "EPERM:none", "")
    assert "bind EPERM:none: no such reason" in told
    assert "nothing has the reason memory" in told
