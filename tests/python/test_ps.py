# SPDX-License-Identifier: LGPL-2.1-or-later
"""`tactus ps` on made-up segments; the live program is in tests/tools."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tactus.abi.layout import Layout, load
from tactus.ps import segment
from tactus.ps.find import Found, find
from tactus.ps.segment import SegmentError, read
from tactus.ps.table import WIDTH, render, short_count, short_time

ROOT = Path(__file__).resolve().parents[2]
Values = Mapping[str, int | str]
IDLE = 0xFFFFFFFF


@pytest.fixture(scope="session")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """In the form of the build's generator, from the current headers."""
    place = tmp_path_factory.mktemp("abi")
    roots = [f"-I{ROOT / 'abi/include'}", f"-I{ROOT / 'nucleus/include'}"]
    source = str(ROOT / "tools/abi/layout.c")
    subprocess.run(["cc", *roots, source, "-o", str(place / "layout")], check=True)
    printed = subprocess.run([place / "layout"], check=True, capture_output=True).stdout
    (place / "abi.json").write_bytes(printed)
    return load(place / "abi.json")


def make(
    layout: Layout, *tasks: Values, current: int = IDLE, header: Values | None = None
) -> bytearray:
    """A segment of one CPU with these tasks."""
    sizes = {name: s.size_bytes for name, s in layout.structures.items()}
    cpu_at = sizes["tact_status_header"]
    slot_at = cpu_at + sizes["tact_status_cpu"]
    data = bytearray(slot_at + sizes["tact_status_task"] * len(tasks))
    layout.structures["tact_status_header"].write(
        data,
        0,
        {
            "magic": layout.constants["TACT_STATUS_MAGIC"],
            "revision": layout.constants["TACT_STATUS_REVISION"],
            "pid": 77,
            "program": "made",
            "start_ns": 1000,
            "start_ticks": 5000,
            "tick_mult": 1 << 31,  # two ticks a nanosecond
            "bytes": len(data),
            "cpus": 1,
            "slots_per_cpu": len(tasks),
            "cpu_offset": cpu_at,
            "cpu_stride": sizes["tact_status_cpu"],
            "slot_offset": slot_at,
            "slot_stride": sizes["tact_status_task"],
            **(header or {}),
        },
    )
    layout.structures["tact_status_cpu"].write(
        data,
        cpu_at,
        {"linux_cpu": 3, "current_slot": current, "current_since_ticks": 6000},
    )
    for number, values in enumerate(tasks):
        at = slot_at + number * sizes["tact_status_task"]
        layout.structures["tact_status_task"].write(data, at, {"handle": 1 + number, **values})
    return data


def never() -> None:
    return None


def test_layout_is_what_the_headers_say(layout: Layout) -> None:
    assert layout.structures["tact_status_header"].size_bytes == 128
    assert layout.structures["tact_status_task"].fields["name"].offset_bytes == 16
    assert layout.names("TACT_SCHED_")[2] == "edf"


@pytest.mark.parametrize(
    ("bits", "light", "mode", "state"),
    [
        ((), 0, "primary", "ready"),
        (("waiting",), 1, "light", "waiting"),
        (("waiting", "suspended"), 0, "primary", "suspended"),
        (("relaxed",), 0, "secondary", "linux"),
        (("relaxed", "suspended"), 0, "secondary", "suspended"),
        (("ended", "faulted"), 0, "primary", "faulted"),
        (("sleeping",), 0, "primary", "sleeping"),
        (("throttled",), 0, "primary", "throttled"),
        (("moving",), 0, "primary", "moving"),
        (("dormant",), 0, "primary", "dormant"),
    ],
)
def test_state_and_mode(
    layout: Layout, bits: tuple[str, ...], light: int, mode: str, state: str
) -> None:
    value = sum(layout.constants[f"TACT_TASK_STATE_{bit.upper()}"] for bit in bits)
    (task,) = read(make(layout, {"state": value, "light": light}), layout, never).tasks
    assert (task.mode, task.state) == (mode, state)


@pytest.mark.parametrize(
    ("value", "core", "title"),
    [
        (0, "unknown", "made (77): CPU 0 on Linux CPU 3"),
        (3, "bare", "made (77), core bare: CPU 0 on Linux CPU 3"),
        # Of a later library.
        (9, "unknown", "made (77): CPU 0 on Linux CPU 3"),
    ],
)
def test_core_is_named(layout: Layout, value: int, core: str, title: str) -> None:
    program = read(make(layout, {}, header={"core": value}), layout, never)
    assert program.core == core
    assert render(Found((program,), ())).splitlines()[0] == title


def test_running_task_is_charged_up_to_now(layout: Layout) -> None:
    data = make(layout, {"run_ticks": 400}, {"run_ticks": 400}, current=0)
    # 1500 ns after the start the counter stands at 8000; the task runs since 6000.
    first, second = read(data, layout, lambda: 2500).tasks
    assert (first.state, first.run_ns) == ("running", 200 + 1000)
    assert (second.state, second.run_ns) == ("ready", 200)
    assert read(data, layout, never).tasks[0].run_ns == 200


def test_free_slots_are_no_tasks(layout: Layout) -> None:
    program = read(make(layout, {"handle": 0, "name": "old"}, {"name": "new"}), layout, never)
    assert [task.name for task in program.tasks] == ["new"]
    assert (program.pid, program.name, program.cpus[0].linux_cpu) == (77, "made", 3)


class Changing(bytearray):
    """A segment whose first slot's sequence changes at every read, for so many reads."""

    looks = 0
    at = 0

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and key.start == self.at and self.looks:
            self.looks -= 1
            self[self.at] = (super().__getitem__(self.at) + 1) % 256
        return super().__getitem__(key)


def changing(layout: Layout, looks: int) -> Changing:
    data = Changing(make(layout, {"name": "busy"}, {"name": "calm"}))
    data.at = (
        layout.structures["tact_status_header"].size_bytes
        + layout.structures["tact_status_cpu"].size_bytes
    )
    data.looks = looks
    return data


def test_torn_slot_is_read_again(layout: Layout) -> None:
    program = read(changing(layout, 6), layout, never)
    assert [task.name for task in program.tasks] == ["busy", "calm"]
    assert program.torn == 0


def test_slot_that_never_holds_still_is_left_out_and_counted(layout: Layout) -> None:
    program = read(changing(layout, 3 * segment.TRIES), layout, never)
    assert [task.name for task in program.tasks] == ["calm"]
    assert program.torn == 1


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"magic": 1}, "is starting"),
        ({"revision": 99}, "revision 99"),
        ({"slots_per_cpu": 1000}, "its header says"),
    ],
)
def test_segment_that_cannot_be_read_says_why(layout: Layout, header: Values, said: str) -> None:
    with pytest.raises(SegmentError, match=said):
        read(make(layout, {}, header=header), layout, never)


def test_waits_for_shows_name_or_handle_in_80_columns(layout: Layout) -> None:
    waiting = layout.constants["TACT_TASK_STATE_WAITING"]
    long_name = "a-name-of-thirty-one-characters"
    program = read(
        make(
            layout,
            {
                "name": "x" * 31,
                "state": waiting,
                "waits_for": 0x40003,
                "waits_name": long_name,
            },
            {
                "state": waiting,
                "waits_for": 0x40004,
                "base_priority": 255,
                "priority": 256,
            },
            {"waits_name": "stale", "sched_class": 3, "run_ticks": 1 << 63},
            {"switches": 2**63, "mode_switches": 10**15, "overruns": 123456789},
        ),
        layout,
        never,
    )
    text = render(Found((program,), ("a note " * 20,)))
    assert all(len(line) <= WIDTH for line in text.splitlines()), text
    assert "a-name" in text
    assert "0x40004" in text
    assert "255/256" in text
    assert "stale" not in text


def test_nothing_running_is_said() -> None:
    assert render(Found((), ())) == "no Tactus program is running"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (99_999, "99999"), (100_000, "100k"), (2**64 - 1, "18E")],
)
def test_short_count(value: int, text: str) -> None:
    assert short_count(value) == text


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0.000"),
        (1_999_999_999, "1.999"),
        (3_700 * 10**9, "1h01m40"),
        (10**18, "277777h46"),
    ],
)
def test_short_time(ns: int, text: str) -> None:
    assert short_time(ns) == text


def test_process_of_another_user_is_noted_and_one_that_ended_is_not(
    tmp_path: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pid in ("10", "11", "12"):
        (tmp_path / pid).mkdir()
    (tmp_path / "12" / "fd").mkdir()
    real = Path.iterdir

    def closed(path: Path) -> object:
        if path == tmp_path / "10" / "fd":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    found = find(tmp_path, layout)
    assert found.programs == ()
    (note,) = found.notes
    assert note.startswith("no permission to read 1 processes")


def test_segment_is_found_once_though_a_child_holds_it_too(layout: Layout) -> None:
    file = os.memfd_create("tactus-status")
    os.write(file, make(layout, {"name": "one"}, header={"pid": os.getpid()}))
    child = subprocess.Popen(["sleep", "60"], pass_fds=[file])
    try:
        mine = [p for p in find(Path("/proc"), layout).programs if p.pid == os.getpid()]
    finally:
        child.kill()
        child.wait()
        os.close(file)
    assert [p.tasks[0].name for p in mine] == ["one"]
