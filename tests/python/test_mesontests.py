# SPDX-License-Identifier: LGPL-2.1-or-later
"""A small project of five tests through Meson and back, every outcome once."""

from __future__ import annotations

import errno
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tactus.project import LEFT_OVER, Project, UserError
from tactus.suite import checks, longparts, mesontests
from tactus.suite.again import both_tries
from tactus.suite.case import Case, Outcome, count
from tactus.suite.mesontests import (
    Build,
    Selection,
    compile_ahead,
    compiles,
    declared,
    run,
    run_limited,
    run_tests,
)
from tactus.suite.plan import CLANG, GCC, SANITIZERS

BUILD_FILE = """project('small', 'c')
t = executable('t', 't.c')
test('passes', t, suite: ['nucleus', 'sim', 'quick'], protocol: 'tap')
test('passes', t, suite: ['nucleus', 'thread'], protocol: 'tap')
test('fails here', t, args: ['f'], suite: ['nucleus', 'thread'], protocol: 'tap')
test('refuses', t, args: ['r'], suite: 'base')
test('skips', t, args: ['s'], suite: 'base')
"""
SOURCE = r"""#include <stdio.h>
int main(int n, char **v)
{
    char how = n > 1 ? v[1][0] : 0;
    if (how == 's') return 77;
    if (how == 'r') { fprintf(stderr, "expected 1, actual 2\n"); return 1; }
    puts("1..2\nok 1 - one");
    puts(how == 'f' ? "not ok 2 - two\n# expected 1\n# actual 2" : "ok 2 - two");
    return 0;
}
"""
BUILD = Build("gcc", "build")


@pytest.fixture
def small(tmp_path: Path) -> Project:
    root = tmp_path / "a folder"
    root.mkdir()
    (root / "meson.build").write_text(BUILD_FILE)
    (root / "t.c").write_text(SOURCE)
    return Project(root)


def test_every_point_is_counted_and_a_failure_can_be_repeated(small: Project) -> None:
    cases = run(small, BUILD, Selection())
    assert str(count(cases)) == "6 passed, 2 failed, 1 skipped"
    failed = {c.name: c for c in cases if c.outcome is Outcome.FAILED}
    assert failed["nucleus fails here [thread]: two"].detail == "# expected 1\n# actual 2"
    assert (
        failed["nucleus fails here [thread]: two"].repeat
        == "meson test -C build --suite thread -v 'fails here'"
    )
    assert "expected 1, actual 2" in failed["base refuses"].detail


def test_tests_of_one_name_are_told_apart_by_their_layers(small: Project) -> None:
    with (small.root / "meson.build").open("a") as file:
        file.write("test('passes', t, args: ['s'], suite: ['examples', 'thread'])\n")
    cases = run(small, BUILD, Selection(backend="thread"))
    outcomes = {c.name: c.outcome for c in cases if "passes" in c.name}
    assert outcomes == {
        "nucleus passes [thread]: one": Outcome.PASSED,
        "nucleus passes [thread]: two": Outcome.PASSED,
        "examples passes [thread]": Outcome.SKIPPED,
    }
    nucleus = run(small, BUILD, Selection(layer="nucleus", backend="thread"))
    assert not any("examples" in c.name for c in nucleus)


def test_what_a_build_leaves_is_part_of_the_long_run(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving = replace(BUILD, leaves=lambda test: test.name == "passes" and "sim" in test.suites)
    cases = run(small, leaving, Selection())
    assert not any("passes [sim]" in c.name for c in cases)
    assert any("passes [thread]" in c.name for c in cases)
    monkeypatch.setattr(checks, "collected", lambda _project, _mark: [])
    (small.root / "tests").mkdir()
    (small.root / longparts.COMMANDS).write_text("")
    (part,) = longparts.parts(small, replace(BUILD, accepts=lambda _: False), [leaving])
    assert part.name == "gcc: nucleus passes [sim]"
    assert str(count(part.run())) == "2 passed, 0 failed, 0 skipped"


def test_selection_narrows_by_layer_back_end_and_pace(small: Project) -> None:
    small.ensure_built()
    tests = declared(small.build)

    def names(selection: Selection) -> set[str]:
        return {t.name for t in tests if selection.wants(t)}

    assert names(Selection(layer="base")) == {"refuses", "skips"}
    assert names(Selection(backend="thread")) == {"passes", "fails here"}
    assert names(Selection(quick=True)) == {"passes"}
    assert names(Selection(layer="nucleus", backend="sim")) == {"passes"}
    assert str(count(run(small, BUILD, Selection(quick=True)))) == "3 passed, 0 failed, 0 skipped"


def test_source_that_does_not_compile_is_a_failed_case(small: Project) -> None:
    (small.root / "t.c").write_text("int main(void) { return nothing; }\n")
    (case,) = run(small, BUILD, Selection())
    assert (case.name, case.outcome) == ("gcc compiles", Outcome.FAILED)


def test_half_made_and_moved_build_folders_are_made_anew(small: Project) -> None:
    small.ensure_built()
    (small.build / "build.ninja").unlink()
    small.ensure_built()
    assert small.program("t").is_file()
    moved = small.root.rename(small.root.with_name("moved"))
    there = Project(moved)
    there.ensure_built()
    assert there.run("t").stdout.startswith("1..2")


def test_build_folder_behind_a_link_is_made_anew_there(small: Project) -> None:
    elsewhere = small.root.with_name("another disk")
    elsewhere.mkdir()
    small.build.symlink_to(elsewhere)
    small.ensure_built()
    (small.build / "build.ninja").unlink()
    small.ensure_built()
    assert small.build.is_symlink()
    assert (elsewhere / "build.ninja").is_file()


def test_tree_that_cannot_be_written_runs_as_it_was_built(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    def start() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "mkdir", refuse)
            small.ensure_built()

    with pytest.raises(UserError, match="copy the project"):
        start()
    small.ensure_built()
    start()
    (small.root / "t.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(UserError, match="copy the project"):
        start()


def test_build_is_made_ahead_in_silence(small: Project, capfd: pytest.CaptureFixture[str]) -> None:
    compile_ahead(small, BUILD)
    # Nothing is left to build or to report.
    (compiled,) = compiles(small, BUILD)
    assert compiled.outcome is Outcome.PASSED
    assert capfd.readouterr().err == ""


def test_tests_beside_others_have_more_time(small: Project) -> None:
    small.ensure_built()
    with (small.root / "meson.build").open("a") as file:
        file.write("s = find_program('sleep')\n")
        file.write("test('slow', s, args: '3', suite: ['nucleus', 'bare'], timeout: 1)\n")
    small.ensure_built()
    chosen = Selection(backend="bare")
    (alone,) = run_tests(small, BUILD, chosen, ["bare"])
    (beside,) = run_tests(small, BUILD, chosen, ["bare"], LEFT_OVER)
    assert (alone.outcome, beside.outcome) == (Outcome.FAILED, Outcome.PASSED)


def test_build_ahead_leaves_what_fails_to_the_build(
    small: Project, capfd: pytest.CaptureFixture[str]
) -> None:
    (small.root / "t.c").write_text("int main(void) { return nothing; }\n")
    small.build_ahead(small.build, (), {})
    assert capfd.readouterr().err == ""
    with pytest.raises(UserError, match="ninja failed"):
        small.ensure_built()
    assert "nothing" in capfd.readouterr().err


def test_foreign_build_folder_is_never_deleted(small: Project) -> None:
    small.build.mkdir()
    (small.build / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="move it away"):
        small.ensure_built()
    assert (small.build / "thesis.txt").is_file()


@pytest.mark.parametrize("build", [GCC, CLANG, SANITIZERS], ids=lambda b: b.name)
def test_every_build_of_the_suite_can_be_made(small: Project, build: Build) -> None:
    counts = count(run(small, build, Selection(layer="nucleus", backend="sim")))
    assert str(counts) == "3 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize(
    ("mistake", "named"),
    [
        ("char *volatile p = malloc(4); free(p); return p[1];", "heap-use-after-free"),
        (
            "volatile int most = 2147483647; return most + n == 0;",
            "signed integer overflow",
        ),
    ],
)
def test_sanitizers_find_a_planted_mistake(small: Project, mistake: str, named: str) -> None:
    source = f"#include <stdlib.h>\nint main(int n, char **v) {{ (void)v; {mistake} }}\n"
    (small.root / "t.c").write_text(source)
    cases = run(small, SANITIZERS, Selection(layer="base"))
    failed = [c for c in cases if c.outcome is Outcome.FAILED]
    assert len(failed) == 2
    assert named in failed[0].detail
    assert "ASAN_OPTIONS=" in failed[0].repeat


ONCE = r"""#include <stdio.h>
int main(void)
{
    FILE *been = fopen("been", "r");
    puts("1..2\nok 1 - one");
    if (been) { puts("ok 2 - two"); return 0; }
    fclose(fopen("been", "w"));
    puts("not ok 2 - two\n# too late");
    return 0;
}
"""


def test_what_fails_on_threads_runs_once_more_alone(small: Project) -> None:
    (small.root / "once.c").write_text(ONCE)
    with (small.root / "meson.build").open("a") as file:
        file.write("o = executable('o', 'once.c')\n")
        file.write("test('at times', o, suite: ['nucleus', 'thread'], protocol: 'tap')\n")
    cases = run(small, BUILD, Selection(backend="thread"))
    assert str(count(cases)) == "5 passed, 1 failed, 0 skipped, 1 unsteady"
    (unsteady,) = [c for c in cases if c.outcome is Outcome.UNSTEADY]
    assert (unsteady.name, unsteady.detail) == (
        "nucleus at times [thread]: two",
        "# too late",
    )


def test_many_failures_are_no_accident(small: Project) -> None:
    (small.root / "once.c").write_text(
        ONCE.replace('"been"', "v[1]").replace("void", "int n, char **v")
    )
    with (small.root / "meson.build").open("a") as file:
        file.write("o = executable('o', 'once.c')\n")
        for name in "abc":
            line = (
                f"test('{name}', o, args: '{name}', suite: ['nucleus', 'thread'], protocol: 'tap')"
            )
            file.write(f"{line}\n")
    cases = run(small, BUILD, Selection(backend="thread"))
    assert count(cases).failed == 4


def test_group_that_does_not_end_is_a_failure(
    small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mesontests, "GROUP_LIMIT_S", 5.0)
    (small.root / "ever.c").write_text("#include <unistd.h>\nint main(void){for(;;)pause();}\n")
    with (small.root / "meson.build").open("a") as file:
        file.write("e = executable('e', 'ever.c')\n")
        file.write("test('for ever', e, suite: ['nucleus', 'bare'], timeout: 0)\n")
    stopped, ever = run(small, BUILD, Selection(backend="bare"))[1:]
    assert stopped.outcome is ever.outcome is Outcome.FAILED
    assert stopped.detail.startswith("stopped after 5 s")
    assert ever.name == "nucleus for ever [bare]"
    assert "INTERRUPT" in ever.detail


def test_what_a_test_leaves_behind_keeps_no_group(tmp_path: Path) -> None:
    said, ended = run_limited(["sh", "-c", "setsid sleep 300 & echo $!"], {}, tmp_path)
    assert ended
    os.kill(int(said), signal.SIGTERM)  # fails if the test waited for it


def test_second_try_that_ends_out_of_order_does_not_excuse_the_first() -> None:
    first = [Case("a: one", Outcome.PASSED), Case("a: two", Outcome.FAILED, "late")]
    torn = [
        Case("a: one", Outcome.PASSED),
        Case("a: ends in order", Outcome.FAILED, "signal 6"),
    ]
    assert [c.outcome for c in both_tries(first, torn)] == [
        Outcome.PASSED,
        Outcome.FAILED,
        Outcome.FAILED,
    ]
    whole = [Case("a: one", Outcome.PASSED), Case("a: two", Outcome.PASSED)]
    assert [c.outcome for c in both_tries(torn, whole)] == [
        Outcome.PASSED,
        Outcome.PASSED,
        Outcome.UNSTEADY,
    ]
