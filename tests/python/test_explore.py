# SPDX-License-Identifier: LGPL-2.1-or-later
"""Planted bugs: the form of a plant, and that all plants of the project still fit their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactus import cli
from tactus.explore import plants
from tactus.project import UserError

ROOT = Path(__file__).resolve().parents[2]
GOOD = "bug = 'b'\nfile = 'f.c'\nfind = 'x'\nreplace = 'y'\nscenario = 's'\n"


def plant(find: str) -> plants.Plant:
    return plants.Plant("p", "a bug", "f.c", find, "new", "s")


def test_a_plant_replaces_its_text() -> None:
    assert plant("old").apply("an old one") == "an new one"


@pytest.mark.parametrize(("text", "times"), [("none", 0), ("old old", 2)])
def test_a_plant_whose_text_is_not_there_once_is_refused(text: str, times: int) -> None:
    with pytest.raises(UserError, match=f"occurs {times} times in f.c"):
        plant("old").apply(text)


def test_there_are_enough_plants_and_each_fits_its_file() -> None:
    every = plants.load(ROOT / plants.FOLDER)
    folder = ROOT / "tests/explore/scenarios"
    scenarios = "".join(p.read_text(encoding="utf-8") for p in folder.glob("*.c"))
    assert len(every) >= 12
    headers = [one.file.endswith(".h") for one in every]
    assert headers == sorted(headers, reverse=True), "one in a header is not among the first"
    for one in every:
        source = (ROOT / one.file).read_text(encoding="utf-8")
        assert one.apply(source) != source, one.name
        assert f"EXPLORE({one.scenario}," in scenarios, one.name


@pytest.mark.parametrize(
    "text",
    [
        "bug = ",
        GOOD + "more = 'm'\n",
        GOOD.replace("bug = 'b'\n", ""),
        GOOD.replace("'x'", "1"),
    ],
)
def test_a_malformed_plant_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"p\.toml"):
        plants.load(tmp_path)


def test_a_copy_keeps_the_times_of_what_is_equal(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "folder"
    for name in ("kept.c", "gone.c", "build/made.o", ".git/config"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, encoding="utf-8")
    plants.prepare(root, folder)
    before = (folder / "source/kept.c").stat().st_mtime_ns
    (root / "gone.c").unlink()
    plants.prepare(root, folder)
    assert [p.name for p in (folder / "source").iterdir()] == ["kept.c"]
    assert (folder / "source/kept.c").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--plants", "weed"], "no plant 'weed'"),
        (["--plants", "--seed", "1"], "leave the other options out"),
        (["--folder", "x"], "--folder is only for --plants"),
    ],
)
def test_mistakes(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explore", *argv]) == 2
    assert said in capsys.readouterr().err
