# SPDX-License-Identifier: LGPL-2.1-or-later
"""The long run: parts, resumption, report and lag, in a repository that the test makes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tactus.project import Project, UserError
from tactus.suite import checks, history, longlag, longparts, longrun
from tactus.suite.case import Case, Outcome, count
from tactus.suite.longparts import Command, Part

COMMAND = '[[part]]\nname = "a"\nwhy = "b"\ncommand = ["true"]\nlimit_s = 9\n'

MARKED = """
import pytest

@pytest.mark.on_request
@pytest.mark.parametrize("n", [1, 2])
def test_long(n):
    assert n == 1

def test_short():
    pass
"""


def git(root: Path, *words: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(root), *own, *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def commit(root: Path, **files: str) -> str:
    for name, text in files.items():
        (root / name).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x", "--allow-empty")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "docs/reports").mkdir(parents=True)
    git(root, "init", "-q")
    commit(root, one="int limit = 3;\nuse(limit);\nbool on = true;\nbool off = false;\n")
    return root


def part(name: str, *outcomes: Outcome) -> Part:
    return Part(name, lambda: [Case(name, outcome, "why") for outcome in outcomes])


def quiet(_part: Part, _number: int, _cases: list[Case]) -> None:
    pass


def test_interrupted_run_goes_on_where_it_was(tree: Path) -> None:
    ran: list[str] = []

    def counted(name: str) -> Part:
        def run() -> list[Case]:
            ran.append(name)
            if ran == ["a", "b"]:
                raise KeyboardInterrupt
            return [Case(name, Outcome.PASSED)]

        return Part(name, run)

    parts = [counted(name) for name in "abc"]
    with pytest.raises(KeyboardInterrupt):
        longrun.run(longrun.start(tree, parts), quiet)
    again = longrun.start(tree, parts)
    assert [part.name for _, part in again.left()] == ["b", "c"]
    assert longrun.run(again, quiet)
    assert ran == ["a", "b", "b", "c"]
    assert "| result | 3 passed, 0 failed, 0 skipped |" in (tree / longrun.REPORT).read_text()
    assert len(longrun.start(tree, parts).left()) == 3


def test_oldest_result_is_renewed_first_on_a_later_commit(tree: Path) -> None:
    names = [part(name, Outcome.PASSED) for name in "abc"]
    longrun.run(longrun.start(tree, names[1:]), quiet)
    commit(tree, two="x")
    longrun.run(longrun.start(tree, [names[2]]), quiet)
    assert list(longrun.read(tree / longrun.REPORT)) == ["c"]
    longrun.run(longrun.start(tree, names[1:]), quiet)
    commit(tree, two="y")
    longrun.run(longrun.start(tree, names[2:]), quiet)
    commit(tree, two="z")
    state = longrun.start(tree, names)
    assert [part.name for _, part in state.left()] == ["a", "b", "c"]


def test_no_part_begins_when_the_time_is_over(tree: Path) -> None:
    parts = [
        part("a", Outcome.PASSED),
        Part("b", lambda: [Case("b", Outcome.PASSED)], beside=True),
    ]
    state = longrun.start(tree, parts)
    assert not longrun.run(state, quiet, minutes=0)
    assert not (tree / longrun.REPORT).exists()
    assert longrun.run(state, quiet, minutes=9)
    assert list(longrun.read(tree / longrun.REPORT)) == ["a", "b"]


def test_parts_that_may_run_beside_one_another_do(tree: Path) -> None:
    met = threading.Barrier(2, timeout=20)
    ran: list[str] = []

    def beside(name: str, wait: Callable[[], object]) -> Part:
        def run() -> list[Case]:
            wait()
            ran.append(name)
            return [Case(name, Outcome.PASSED)]

        return Part(name, run, beside=True)

    parts = [
        beside("a", met.wait),
        part("alone", Outcome.PASSED),
        beside("b", met.wait),
    ]
    state = longrun.start(tree, parts)
    longrun.run(state, quiet, 2)
    assert sorted(ran) == ["a", "b"]
    assert next(iter(state.done)) == "alone" and len(state.done) == 3


def test_interruption_ends_those_that_run_and_keeps_nothing_of_them(tree: Path) -> None:
    ends = threading.Event()
    ended: list[str] = []

    def waits() -> list[Case]:
        assert ends.wait(20)
        return [Case("a", Outcome.FAILED)]

    def interrupted() -> list[Case]:
        raise KeyboardInterrupt

    parts = [Part("a", waits, beside=True), Part("b", interrupted, beside=True)]

    def end() -> None:
        ended.append("all")
        ends.set()

    with pytest.raises(KeyboardInterrupt):
        longrun.run(longrun.start(tree, parts), quiet, 2, end)
    assert ended == ["all"] and not longrun.start(tree, parts).done


def test_programs_that_others_wait_for_are_ended() -> None:
    program = [sys.executable, "-c", "import time; time.sleep(60)"]
    with ThreadPoolExecutor(1) as pool:
        given = pool.submit(checks._run, Path("/"), program)
        while not checks._running:
            time.sleep(0.01)
        checks.end_running()
        assert given.result(20)[0] != 0
    assert not checks._running


def test_result_of_an_unknown_commit_is_renewed_first(tree: Path) -> None:
    report(tree, history.head(tree), "0" * 40)
    parts = [part("part 0", Outcome.PASSED), part("part 1", Outcome.PASSED)]
    assert [part.name for _, part in longrun.start(tree, parts).left()] == ["part 1"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("| part |", "| other |", "is missing; take the file from git again"),
        ("| passed | 1 |", "| passed | x |", "not a row of the table"),
        ("| passed | 1 |", "| good | 1 |", "not a row of the table"),
        ("| passed | 1 | 0 |", "| passed | 1 |", "not a row of the table"),
    ],
)
def test_spoilt_report_is_told_and_not_believed(tree: Path, old: str, new: str, said: str) -> None:
    report(tree, history.head(tree))
    file = tree / longrun.REPORT
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(UserError, match=said):
        longrun.start(tree, [])


def test_tree_that_differs_from_its_commit_is_refused(tree: Path) -> None:
    (tree / "one").write_text("other")
    with pytest.raises(UserError, match="one is not committed"):
        longrun.start(tree, [])


def test_report_names_commit_and_what_failed(tree: Path) -> None:
    def told() -> list[Case]:
        return [Case("a", Outcome.PASSED), Case("b", Outcome.FAILED, "this | that")]

    parts = [Part("a", told), part("b", Outcome.SKIPPED)]
    longrun.run(longrun.start(tree, parts), quiet)
    text = (tree / longrun.REPORT).read_text()
    assert f"| a | failed | 1 | 1 | 0 | 0 | 0 | {history.head(tree)[:12]} |" in text
    assert "| result | 1 passed, 1 failed, 1 skipped |" in text
    assert longrun.read(tree / longrun.REPORT)["a"].note == "this | that"


def report(tree: Path, *of: str) -> None:
    rows = [
        longrun.Done(f"part {n}", "passed", 1, 0, 0, 0, 1, commit, "2026-01-01", "")
        for n, commit in enumerate(of)
    ]
    (tree / longrun.REPORT).write_text("\n".join([*longrun.HEAD, *(row.row() for row in rows)]))


def test_lag_is_told_then_warned_of_then_fails(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longlag, "WARNS_OVER", 1)
    monkeypatch.setattr(longlag, "FAILS_AT", 3)
    began = history.head(tree)
    report(tree, began)
    for number, (outcome, begin) in enumerate(
        [
            (Outcome.PASSED, "  oldest of the long run"),
            (Outcome.PASSED, "  warning: oldest of the long run"),
            (Outcome.FAILED, None),
        ],
        1,
    ):
        commit(tree, two=f"content {number}")
        said: list[str] = []
        assert longlag.case(tree, said.append).outcome is outcome
        assert [line.startswith(begin) for line in said if begin] == [True] * len(said)
    report(tree, began, history.head(tree))
    assert f"1 parts at {began[:8]}" in longlag.case(tree).detail


def test_tree_without_history_is_skipped_and_a_report_without_commit_fails(
    tmp_path: Path,
) -> None:
    (tmp_path / "docs/reports").mkdir(parents=True)
    report(tmp_path, "0" * 40)
    assert longlag.case(tmp_path).outcome is Outcome.SKIPPED
    (tmp_path / longrun.REPORT).write_text("no table")
    assert longlag.case(tmp_path).outcome is Outcome.FAILED
    (tmp_path / longrun.REPORT).unlink()
    assert longlag.case(tmp_path).outcome is Outcome.FAILED


def test_report_of_this_tree_is_read() -> None:
    root = Project.here().root
    assert longrun.read(root / longrun.REPORT)


def test_move_with_the_lines_that_name_it_does_not_count(tree: Path) -> None:
    text = "".join(f"line {n}\n" for n in range(20))
    began = commit(tree, **{"a.c": text, "build": "files('a.c')\ninclude('a.c', 'b.c')\n"})
    git(tree, "mv", "a.c", "z.c")
    commit(tree, build="files('z.c')\ninclude('z.c', 'b.c')\n")
    assert history.lag(tree, began, 9) == 0


def test_rename_of_a_word_everywhere_does_not_count(tree: Path) -> None:
    began = history.head(tree)
    commit(tree, one="int bound = 3;\nuse(bound);\nbool on = true;\nbool off = false;\n")
    assert history.lag(tree, began, 9) == 0


@pytest.mark.parametrize(
    "text",
    [
        # A changed value, a value replaced by an existing one, a word at one place of two, a merge
        # of two words.
        "int limit = 4;\nuse(limit);\nbool on = true;\nbool off = false;\n",
        "int limit = 3;\nuse(limit);\nbool on = false;\nbool off = false;\n",
        "int limit = 3;\nuse(bound);\nbool on = true;\nbool off = false;\n",
        "int limit = 3;\nuse(limit);\nbool x = true;\nbool x = false;\n",
        "int limit = 3;\nuse(limit);\nbool on = true;\nbool off = false;\nmore();\n",
    ],
)
def test_change_of_content_counts(tree: Path, text: str) -> None:
    began = history.head(tree)
    commit(tree, one=text)
    assert history.lag(tree, began, 9) == 1


def test_move_that_also_changes_content_counts(tree: Path) -> None:
    text = "".join(f"line {n}\n" for n in range(20))
    began = commit(tree, **{"a.c": text})
    git(tree, "mv", "a.c", "z.c")
    commit(tree, **{"z.c": text + "more\n"})
    assert history.lag(tree, began, 9) == 1


def test_command_passes_is_skipped_fails_and_is_ended(tmp_path: Path) -> None:
    def one(script: str, limit_s: int = 20, tap: bool = False) -> Case:
        entry = Command("c", "why", ("sh", "-c", script), limit_s, tap)
        return longparts.run_command(tmp_path, "build", entry)[-1]

    assert one("exit 0").outcome is Outcome.PASSED
    assert one("echo not here; exit 77") == Case("c", Outcome.SKIPPED, "not here")
    assert "exit status 3\nlast words" in one("echo last words; exit 3").detail
    assert "did not end in 1 s" in one("sleep 20", 1).detail
    assert one("echo 1..1; echo not ok 1 - x", tap=True).outcome is Outcome.FAILED
    assert one("echo 1..1; echo ok 1 - x; exit 1", tap=True).outcome is Outcome.FAILED
    gone = Command("c", "why", ("/nonexistent",), 1)
    assert "is not there" in longparts.run_command(tmp_path, "build", gone)[0].detail


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (COMMAND.replace("why", "because"), "why is missing"),
        (COMMAND.replace("9", '"9"'), "limit_s must be of type int"),
        (COMMAND + "more = 1\n", "no key 'more'"),
        (COMMAND + COMMAND, "two parts are called 'a'"),
        (COMMAND.replace('["true"]', "[]"), "a list of words"),
        ("[part", "long.toml:1: "),
    ],
)
def test_mistake_in_the_file_of_commands_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "long.toml"
    file.write_text(text)
    with pytest.raises(UserError) as told:
        longparts.read_commands(file)
    assert said in str(told.value) and "\n" not in str(told.value)


def test_commands_of_this_tree_name_files_that_are_there() -> None:
    root = Project.here().root
    for entry in longparts.read_commands(root / longparts.COMMANDS):
        for word in entry.command:
            if word.endswith(".py"):
                assert (root / word).is_file(), word


def test_marked_tests_are_collected_and_run_alone(tmp_path: Path) -> None:
    (tmp_path / "python").mkdir()
    (tmp_path / "tests/python").mkdir(parents=True)
    settings = '[tool.pytest.ini_options]\nmarkers = ["on_request", "guest"]\n'
    (tmp_path / "python/pyproject.toml").write_text(settings)
    (tmp_path / "tests/python/test_own.py").write_text(MARKED)
    project = Project(tmp_path)
    tests = checks.collected(project, "on_request")
    assert tests == [f"tests/python/test_own.py::test_long[{n}]" for n in (1, 2)]
    first, second = (count(checks.pytest_one(project, test)) for test in tests)
    assert (first.passed, second.failed) == (1, 1)
