#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the functions of the POSIX skin are called in this one, from its version map.

usage: names.py header MAP
       names.py options MAP FUNCTIONS

header: C macros that give each function f of the map the name __wrap_f, and posix_f to those which
this skin puts something of its own before. options: what makes a linker turn calls of these, and of
the functions that have Xenomai's names, into calls of ours.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

OWN = {
    "__read_chk",
    "clock_gettime",
    "close",
    "fcntl",
    "fcntl64",
    "kill",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_create",
    "pthread_kill",
    "pthread_mutex_clocklock",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "read",
    "sched_setscheduler",
    "select",
    "sem_clockwait",
    "sem_post",
    "sem_timedwait",
    "sem_wait",
    "sendmmsg",
    "sendmsg",
    "timerfd_settime",
    "write",
}
# Not wrapped: programs say __RT(malloc()) where they mean it.
NAMED_ONLY = {"free", "malloc"}
# Asked for by a sanitizer, and no function of the C library's.
NOT_CALLED = {"__asan_default_options"}


def of_map(path: str) -> list[str]:
    """The names in a version map's global part."""
    names = re.findall(r"^\s+(\w+);$", Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    if not names:
        raise SystemExit(f"names.py: {path} has no names: is it a version map?")
    return [name for name in names if name not in NOT_CALLED]


def of_list(path: str) -> list[str]:
    """The names in the list of functions."""
    entry = r"^COBALT_FUNCTION(?:_AS)?\((\w+)(?:, \w+)?\)$"
    return re.findall(entry, Path(path).read_text("utf-8"), re.MULTILINE)


def main(argv: list[str]) -> int:
    """Print what was asked for."""
    if argv[1:2] == ["header"] and len(argv) == 3:
        for name in of_map(argv[2]):
            print(f"#define {name} {'posix' if name in OWN else '_' + '_wrap'}_{name}")
        return 0
    if argv[1:2] == ["options"] and len(argv) == 4:
        for name in sorted(({*of_map(argv[2]), *of_list(argv[3])}) - NAMED_ONLY):
            print(f"--wrap={name}")
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
