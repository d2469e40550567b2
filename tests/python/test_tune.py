# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus tune`: the file, read strictly, and the choice of values."""

from __future__ import annotations

import argparse
import errno
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import measure_factory as factory
import numpy as np
import pytest

from tactus.commands import tune
from tactus.measure import instruments
from tactus.measure.instruments import Instruments, Output
from tactus.measure.plan import Setup
from tactus.project import UserError
from tactus.tune import choose, session, store, verify
from tactus.tune.effort import Effort
from tactus.tune.store import Gravity, Key

HERE = Key(1, "6.1.0-test", "Some CPU @ 2.0 GHz")
VALUES = Gravity(31, 32, 47, 42000, 9000)
LINE = "31 32 47 42000 9000 1 6.1.0-test Some CPU @ 2.0 GHz"


def written(folder: Path, *lines: str, end: str = "\n") -> Path:
    path = folder / "gravity"
    path.write_text("\n".join(lines) + end, encoding="utf-8")
    return path


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/gravity"
    store.put(path, HERE, VALUES)
    assert path.read_text() == f"{store.HEADER}\n{LINE}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    other = Key(0, HERE.kernel, HERE.model)
    store.put(path, other, Gravity(1, 1, 1, 1, 1))
    store.put(path, HERE, VALUES)
    assert store.read(path) == {other: Gravity(1, 1, 1, 1, 1), HERE: VALUES}
    assert [p.name for p in path.parent.iterdir()] == ["gravity"]


def test_everybody_reads_the_machines_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tactus/gravity"
    monkeypatch.setattr(store, "SYSTEM_FILE", path)
    own = tmp_path / "own/gravity"
    before = os.umask(0o077)
    try:
        store.put(path, HERE, VALUES)
        store.put(own, HERE, VALUES)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755
    assert stat.S_IMODE(own.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("step", ["fsync", "fchmod"])
def test_a_write_that_fails_leaves_all_as_it_was(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gravity"
    store.put(path, HERE, VALUES)

    def fail(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(f"tactus.tune.store.os.{step}", fail)
    with pytest.raises(UserError, match="No space left"):
        store.put(path, Key(0, HERE.kernel, HERE.model), VALUES)
    monkeypatch.undo()
    assert store.read(path) == {HERE: VALUES}
    assert [p.name for p in tmp_path.iterdir()] == ["gravity"]


def test_no_file_is_no_entry(tmp_path: Path) -> None:
    assert store.read(tmp_path / "gravity") == {}


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["tactus-gravity 2", LINE], 1),
        (["", LINE], 1),
        ([LINE], 1),
        ([store.HEADER, ""], 2),
        ([store.HEADER, LINE, LINE.replace("31", "-31")], 3),
        ([store.HEADER, LINE.replace("31", "0", 1)], 2),
        ([store.HEADER, LINE.replace("42000", "1000001")], 2),
        ([store.HEADER, LINE.replace("42000", "4.2e4")], 2),
        ([store.HEADER, LINE.replace(" 1 ", " 1024 ")], 2),
        ([store.HEADER, LINE.replace("31 32", "31  32")], 2),
        ([store.HEADER, "31 32 47 42000 9000 1 6.1.0-test"], 2),
        ([store.HEADER, "31 32 47 42000 1 6.1.0-test Some CPU"], 2),
        ([store.HEADER, LINE + "x" * 127], 2),
    ],
)
def test_damaged_file_is_refused_with_its_line(
    tmp_path: Path, lines: list[str], number: int
) -> None:
    with pytest.raises(UserError, match=f"line {number}: .*--reset"):
        store.read(written(tmp_path, *lines))


def test_cut_off_file_is_refused(tmp_path: Path) -> None:
    for content in (
        b"",
        store.HEADER.encode(),
        f"{store.HEADER}\n{LINE}".encode(),
        b"\xff\x00",
    ):
        (tmp_path / "gravity").write_bytes(content)
        with pytest.raises(UserError, match="damaged"):
            store.read(tmp_path / "gravity")


def test_place_that_cannot_be_written_is_told_before_the_measuring(
    tmp_path: Path,
) -> None:
    store.check(tmp_path / "new/gravity")
    assert store.read(tmp_path / "new/gravity") == {}
    with pytest.raises(UserError, match="XDG_CONFIG_HOME"):
        store.check(Path("/proc/none/gravity"))
    written(tmp_path, "damaged")
    with pytest.raises(UserError, match="damaged"):
        store.check(tmp_path / "gravity")


def test_damaged_file_is_not_written_over(tmp_path: Path) -> None:
    path = written(tmp_path, "mine")
    with pytest.raises(UserError):
        store.put(path, HERE, VALUES)
    assert path.read_text() == "mine\n"


def test_reset_takes_out_one_cpu_or_all(tmp_path: Path) -> None:
    path = tmp_path / "gravity"
    assert not store.remove(path, None)
    store.put(path, HERE, VALUES)
    store.put(path, Key(0, "k", "m"), VALUES)
    assert not store.remove(path, 7)
    assert store.remove(path, 1)
    assert list(store.read(path)) == [Key(0, "k", "m")]
    written(tmp_path, "damaged")
    assert store.remove(path, None)
    assert not path.exists()


def test_users_have_their_own_file() -> None:
    assert store.file_of(0, {"HOME": "/root"}) == store.SYSTEM_FILE
    own = {"HOME": "/home/u", "XDG_CONFIG_HOME": "/conf"}
    assert store.file_of(1000, own) == Path("/conf/tactus/gravity")
    assert store.file_of(1000, {"HOME": "/home/u"}) == Path("/home/u/.config/tactus/gravity")
    with pytest.raises(UserError, match="HOME"):
        store.file_of(1000, {"XDG_CONFIG_HOME": "relative"})


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("processor\t: 0\nmodel name\t: A  B \nmodel name\t: C\n", "A  B"),
        ("model\t\t: 2\n", "unknown"),
        ("model name\t:\n", "unknown"),
    ],
)
def test_model_is_the_first_name(tmp_path: Path, text: str, model: str) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert Key.here(0, tmp_path / "cpuinfo").model == model


def test_environment_has_the_order_of_the_file() -> None:
    assert VALUES.environment() == {"TACTUS_GRAVITY": "31:32:47:42000:9000"}


def test_anticipation_leaves_a_margin() -> None:
    assert choose.anticipation(100) == 100 - 13
    assert choose.anticipation(40) == 40 - choose.MARGIN_NS
    assert choose.anticipation(3) == choose.LOWEST_NS


def test_early_start_lowers_the_value() -> None:
    assert choose.after_check(80, 20) == 80
    assert choose.after_check(80, choose.MARGIN_NS // 2) == 80
    assert choose.after_check(80, 2) == 80 - (choose.MARGIN_NS - 2)
    assert choose.after_check(80, -30) == 80 - (choose.MARGIN_NS + 30)
    assert choose.after_check(5, -30) == choose.LOWEST_NS


def test_shorter_periods_are_looked_at_where_the_cpu_can_sleep() -> None:
    shorter = {1000: 100, 500: 50, 200: 50, 50: 50, 40: 40}
    assert {us: Effort.within(10, us).short_us for us in shorter} == shorter


def test_lead_serves_the_worse_load_up_to_a_limit() -> None:
    calm, busy = np.arange(1, 101), np.arange(1001, 1101)
    assert choose.lead([calm, busy], 0.99, 10_000) == 1099
    assert choose.lead([calm], 0.99, 10_000) == 99
    assert choose.lead([calm, busy], 0.99, 500) == 500


class Made:
    """Instruments whose starts are late by given amounts, with tuned or built-in values."""

    keeper = Path()

    def __init__(self, tuned_ns: int, built_in_ns: int) -> None:
        self.late_ns = {"stored": tuned_ns, "built-in": built_in_ns}
        self.asked: list[tuple[str, str]] = []

    def measure(self, setup: Setup, *_: Any, environment: dict[str, str], **__: Any) -> Output:
        self.asked.append((setup.context, setup.gravity))
        assert bool(environment) == (setup.gravity == "stored")
        return factory.output([self.late_ns[setup.gravity]] * 100)


def tuner(made: Made) -> session.Tuner:
    said: list[str] = []
    return session.Tuner(cast(Instruments, made), 1, Effort(("idle",), 0.5), said.append)


def test_values_stand_beside_the_built_in_ones_in_turns() -> None:
    made = Made(36, 201)
    compared = tuner(made).beside_built_in(VALUES)
    assert [each.context for each in compared] == ["handler", "light", "task"]
    assert [gravity for context, gravity in made.asked if context == "task"] == [
        *("built-in", "stored", "stored", "built-in", "built-in", "stored")
    ]
    assert all(each.is_better for each in compared) and not verify.worse(compared)
    assert verify.sentence(compared).startswith("The tuned values start handler and light and task")


def test_worse_values_are_not_stored() -> None:
    made = Made(439, 201)
    with pytest.raises(UserError, match=r"starts 238 ns later .* nothing is stored"):
        tuner(made)._check(VALUES)


def test_what_rounds_differ_by_is_no_difference() -> None:
    noisy = verify.Compared("task", (36.0, 439.0, 250.0), (92.0, 201.0, 150.0))
    assert not noisy.is_worse and not noisy.is_better
    assert "No start is nearer" in verify.sentence([noisy])
    alike = verify.Compared("task", (60.0, 60.0, 60.0), (39.0, 39.0, 39.0))
    assert not alike.is_worse


def test_built_in_gravity_of_a_run_overrides_file_and_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TACTUS_OPTIONS", "power=off")
    built_in = Setup("thread", "task", 1, "idle", "hybrid", 500, gravity="built-in")
    assert instruments._gravity_of(built_in) == {
        "TACTUS_OPTIONS": "power=off,gravity=none",
        "TACTUS_GRAVITY": "0:0:0:0:0",
    }
    assert instruments._gravity_of(replace(built_in, gravity="stored")) == {}


@pytest.mark.parametrize("kept", ["--show", "--reset"])
@pytest.mark.parametrize("option", [["--duration", "5"], ["--period", "200"], ["--no-load"]])
def test_options_of_measuring_are_refused_where_nothing_is_measured(
    kept: str, option: list[str]
) -> None:
    parser = argparse.ArgumentParser()
    tune.configure(parser)
    with pytest.raises(UserError, match=f"{option[0]} is only for tuning: leave it or {kept} out"):
        tune.check(parser.parse_args([kept, *option]))
    tune.check(parser.parse_args([kept]))
