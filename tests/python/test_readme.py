# SPDX-License-Identifier: LGPL-2.1-or-later
"""The README is right: its commands are understood, its folders and files exist."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tactus import cli

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    \./tactus (.+)$", README, re.MULTILINE)
FOLDERS = re.findall(r"^\| `([\w/]+)/` \|", README, re.MULTILINE)
LINKS = re.findall(r"\]\(([^)#:]+)\)", README)


def test_first_screen_says_for_whom_what_it_wins_and_how_to_check() -> None:
    first = README.partition("\n## ")[0]
    assert first.count("\n") <= 45
    for words in (
        "**For whom.**",
        "**Not for whom.**",
        "No real hardware has been seen yet",
        "bound",
    ):
        assert words in first, words
    rows = [line for line in first.splitlines() if line.startswith("| ")]
    # One table; the rows that Tactus wins come first, and rows that a peer wins are marked.
    assert [row.count("|") for row in rows] == [5] * len(rows)
    winners = [[cell.startswith(" **") for cell in row.split("|")[2:5]] for row in rows[1:]]
    assert winners[0] == [True, False, False]
    assert any(row[1] for row in winners) and any(row[2] for row in winners)
    blocks = re.findall(r"(?:^    \./tactus .+\n)+", first, re.MULTILINE)
    assert [block.count("\n") for block in blocks] == [3, 2]
    assert "docs/prior-art.md" in first


def test_the_reader_found_something() -> None:
    assert {"measure", "test"} <= set(COMMANDS)
    assert len(FOLDERS) >= 5
    assert LINKS


@pytest.mark.parametrize("line", COMMANDS)
def test_command_is_understood(line: str) -> None:
    argv = shlex.split(line)
    if argv == ["--help"]:
        assert cli.main(argv) == 0
    elif argv[1:] == ["--help"]:
        with pytest.raises(SystemExit, match=r"^0$"):
            cli.parse(argv)
    else:
        assert cli.parse(argv).command.SUMMARY


@pytest.mark.parametrize("path", [*FOLDERS, *LINKS])
def test_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    "path",
    re.findall(r"`((?:dev|lab)/[\w/.]+)`", (ROOT / "INVIOLABLES.md").read_text("utf-8")),
)
def test_checker_of_a_rule_exists(path: str) -> None:
    assert (ROOT / path).is_file()


# What programs see; and for those who write a skin, what the skins share.
GUIDE_INCLUDES = (
    "nucleus/include",
    "abi/include",
    "skins/runtime/include",
    "base/include",
)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/guide").glob("*.md")), ids=lambda p: p.stem)
def test_programs_of_the_guide_compile(page: Path) -> None:
    blocks = r"^```(c|cpp)\n(.*?)^```"
    programs = re.findall(blocks, page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert programs
    includes = [f"-I{ROOT / folder}" for folder in GUIDE_INCLUDES]
    compilers = {
        "c": ("gcc", "-xc", "-std=c11"),
        "cpp": ("g++", "-xc++", "-std=c++20", "-fno-exceptions", "-fno-rtti"),
    }
    for language, program in programs:
        command = [*compilers[language], "-Wall", "-Wextra", "-Werror", *includes]
        done = subprocess.run(
            [*command, "-fsyntax-only", "-"],
            input=program,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
