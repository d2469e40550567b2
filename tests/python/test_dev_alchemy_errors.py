# SPDX-License-Identifier: LGPL-2.1-or-later
"""The check of the native skin's error codes finds planted mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_dev_checks import DEV, write

LIST = """\
import sys, pathlib, alchemy_errors
print(*alchemy_errors.faults(pathlib.Path(sys.argv[1])), sep="\\n")
"""
HEADER = """\
/* Take. Returns 0, -EINVAL (not a door). */
int rt_door_take(void *door);

/* Take when it opens. Returns as rt_door_take(), and -EINTR. */
ssize_t rt_door_await(void *door);

/* Who knocks. */
void *rt_door_look(void *door);
"""
TABLE = """\
[reasons]
room = "there is enough"
[codes]
{codes}
"""
TAKE = 'rt_door_take = "EINVAL ENOMEM:room"\n'
AWAIT = 'rt_door_await = "EINTR EINVAL"\n'


def told(root: Path, codes: str) -> list[str]:
    write(root, "skins/alchemy/include/alchemy/door.h", HEADER)
    write(root, "tests/skins/alchemy/documented.toml", TABLE.format(codes=codes))
    command = [sys.executable, "-B", "-c", LIST, str(root)]
    done = subprocess.run(command, cwd=DEV, capture_output=True, text=True, check=True)
    return [line.partition("documented.toml: ")[2] or line for line in done.stdout.splitlines()]


def test_codes_that_the_manual_has_of_itself_or_of_another_call_are_told(
    tmp_path: Path,
) -> None:
    assert told(tmp_path, TAKE + AWAIT) == [""]


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        (TAKE, "rt_door_await() is not in it"),
        (
            TAKE + AWAIT + 'rt_door_look = ""\n',
            "rt_door_look(): no header has such a call",
        ),
        (
            TAKE + 'rt_door_await = "EINTR EINVAL EPERM"\n',
            "rt_door_await(): its manual does not have -EPERM",
        ),
        (
            TAKE + 'rt_door_await = "EINTR EINVAL:room"\n',
            "rt_door_await EINVAL:room: its manual has it",
        ),
        (
            TAKE + 'rt_door_await = "EINTR EINVAL EPERM:none"\n',
            "rt_door_await EPERM:none: no such reason",
        ),
        ('rt_door_take = "EINVAL"\n' + AWAIT, "nothing has the reason room"),
    ],
)
def test_what_headers_and_table_do_not_have_of_each_other_is_found(
    tmp_path: Path, codes: str, said: str
) -> None:
    assert told(tmp_path, codes) == [said]
