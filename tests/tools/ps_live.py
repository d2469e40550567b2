#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""`tactus ps` on a live program: every task with its state. usage: ps_live.py ABI_JSON PROGRAM"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from look import ROOT, Skip, running, tap

from tactus.abi.layout import load
from tactus.ps.find import Found, find
from tactus.ps.segment import Program, Task
from tactus.ps.table import WIDTH, as_json, render

PROC = Path("/proc")
LAYOUT = load(Path(sys.argv[1]))
EXPECTED = {
    "dormant": ("primary", {"dormant"}, ""),
    "waiter": ("primary", {"waiting"}, "gate"),
    "light": ("light", {"waiting"}, ""),
    "sleeper": ("primary", {"sleeping"}, ""),
    "joiner": ("primary", {"waiting"}, "light"),
    "linux": ("secondary", {"linux"}, ""),
    "stopped": ("primary", {"suspended"}, ""),
    "beat": ("primary", {"running", "ready", "sleeping"}, ""),
    "preempted": ("primary", {"ready"}, ""),
    "computer": ("primary", {"running", "ready"}, ""),
}


def look(pid: int) -> Program:
    found = find(PROC, LAYOUT)
    mine = [p for p in found.programs if p.pid == pid]
    assert len(mine) == 1, f"{pid} is there {len(mine)} times in {found}"
    return mine[0]


def tasks(program: Program) -> dict[str, Task]:
    return {task.name: task for task in program.tasks}


def every_state_is_shown(pid: int) -> None:
    seen = tasks(look(pid))
    for name, (mode, states, waits) in EXPECTED.items():
        task = seen[name]
        assert task.mode == mode, f"{name}: mode {task.mode}, expected {mode}"
        assert task.state in states, f"{name}: state {task.state}, expected one of {states}"
        assert task.waits_name == waits, f"{name}: waits for {task.waits_name!r}, not {waits!r}"
    assert seen["light"].waits_for, "light waits for an object without a name, by its handle"
    assert seen["linux"].mode_switches == 1
    assert (seen["waiter"].base_priority, seen["waiter"].sched_class) == (40, "fifo")


def counters_go_on(pid: int) -> None:
    before = tasks(look(pid))
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        after = tasks(look(pid))
        beats = after["beat"].switches > before["beat"].switches
        if beats and after["computer"].run_ns > before["computer"].run_ns:
            return
        time.sleep(0.01)
    raise AssertionError(f"nothing moved: {before['beat']} {before['computer']}")


def looking_disturbs_nothing(pid: int) -> None:
    """The segment is opened and mapped for reading only; the program's mode switches stay."""
    before = {t.name: (t.mode_switches, t.faults) for t in look(pid).tasks}
    for _ in range(50):
        look(pid)
    assert {t.name: (t.mode_switches, t.faults) for t in look(pid).tasks} == before


def table_is_80_wide(pid: int) -> None:
    text = render(Found((look(pid),), ()))
    wide = [line for line in text.splitlines() if len(line) > WIDTH]
    assert not wide, wide
    assert f"scenery ({pid})" in text, text
    for name in EXPECTED:
        assert any(line.startswith(name) for line in text.splitlines()), f"{name} not in\n{text}"


def json_holds_every_task(pid: int) -> None:
    document = as_json(Found((look(pid),), ()))
    (program,) = document["programs"]  # type: ignore[misc]
    assert document["schema"] == 1
    assert {t["name"] for t in program["tasks"]} >= set(EXPECTED)


def other_users_are_noted() -> None:
    """As nobody: root's programs cannot be read, and that is said."""
    if os.geteuid() != 0:
        raise Skip("not root: every other user's programs are closed to this one anyway")
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n"
        "from pathlib import Path\n"
        "from tactus.abi.layout import Layout\n"
        "from tactus.ps.find import find\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "found = find(Path('/proc'), Layout({}, {}))\n"
        "print(len(found.programs)); print(*found.notes)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("0\n") and "as root" in done.stdout, done


def gone_after_the_end(pid: int) -> None:
    assert all(p.pid != pid for p in find(PROC, LAYOUT).programs)


def main() -> int:
    with running(sys.argv[2]) as process:
        pid = process.pid
        return tap(
            [
                ("every_state_is_shown", lambda: every_state_is_shown(pid)),
                ("counters_go_on", lambda: counters_go_on(pid)),
                ("looking_disturbs_nothing", lambda: looking_disturbs_nothing(pid)),
                ("table_is_80_wide", lambda: table_is_80_wide(pid)),
                ("json_holds_every_task", lambda: json_holds_every_task(pid)),
                ("other_users_are_noted", other_users_are_noted),
                ("gone_after_the_end", lambda: (stop(process), gone_after_the_end(pid))[1]),
            ]
        )


def stop(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.close()
    process.wait(30)


if __name__ == "__main__":
    sys.exit(main())
