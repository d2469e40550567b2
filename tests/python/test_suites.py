# SPDX-License-Identifier: LGPL-2.1-or-later
"""Suites of other projects: how they are fetched, and the results of their tests."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tactus import cli
from tactus.project import Project, UserError
from tactus.suites import catalog, place, table
from tactus.suites.fetch import fetch
from tactus.suites.run import Ending, Result, Workshop, run_all

PROOF = place.XENOMAI.proof
CATALOG = Project.here().root / "tests/skins/xenomai/tests.toml"
REPORT = Project.here().root / "docs/reports/xenomai-tests.md"


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits: the wanted one, and a later one with another text."""
    folder = tmp_path / "repository"
    (folder / PROOF).parent.mkdir(parents=True)
    git(folder, "init", "--quiet")
    for text in ("wanted", "later"):
        (folder / PROOF).write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", text)
    return folder


@pytest.fixture
def suite(repository: Path) -> place.Suite:
    return replace(place.XENOMAI, commit=git(repository, "rev-parse", "--short=8", "HEAD~1"))


def environ(tmp_path: Path) -> dict[str, str]:
    return {"TACTUS_SUITES": str(tmp_path / "suites"), "PATH": os.environ["PATH"]}


def fails(suite: place.Suite, source: Path | None, tmp_path: Path) -> str:
    with pytest.raises(UserError) as error:
        fetch(suite, source, environ(tmp_path))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "suites" / suite.folder).exists()
    return str(error.value)


def test_the_commit_comes_from_a_clone(
    suite: place.Suite, repository: Path, tmp_path: Path
) -> None:
    folder, is_new = fetch(suite, repository, environ(tmp_path))
    assert is_new
    assert folder == tmp_path / "suites" / "xenomai-3.3"
    assert (folder / PROOF).read_text() == "wanted"
    assert sorted(path.name for path in folder.iterdir()) == ["testsuite"]
    assert place.find(suite, environ(tmp_path)) == folder
    assert fetch(suite, repository, environ(tmp_path)) == (folder, False)


def test_the_commit_comes_from_a_bundle_and_from_a_bare_clone(
    suite: place.Suite, repository: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "all.bundle"
    git(repository, "bundle", "create", "--quiet", str(bundle), "--all")
    assert (fetch(suite, bundle, environ(tmp_path / "a"))[0] / PROOF).read_text() == "wanted"
    bare = tmp_path / "bare"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    assert (fetch(suite, bare, environ(tmp_path / "b"))[0] / PROOF).read_text() == "wanted"


def test_the_commit_comes_from_the_public_repository(
    suite: place.Suite, repository: Path, tmp_path: Path
) -> None:
    """It is fetched as by the network: the server serves what is requested."""
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    public = replace(suite, url=f"file://{repository}")
    assert (fetch(public, None, environ(tmp_path))[0] / PROOF).read_text() == "wanted"


@pytest.fixture
def copy(tmp_path: Path) -> tuple[place.Suite, Path]:
    """A folder without git, and a suite that names its files."""
    source = tmp_path / "copy"
    contents = {}
    for name in (PROOF, "testsuite/latency/latency.c"):
        (source / name).parent.mkdir(parents=True)
        (source / name).write_text(f"text of {name}")
        contents[name] = git(tmp_path, "hash-object", "--no-filters", str(source / name))
    (source / "README").write_text("not looked at")
    return replace(place.XENOMAI, contents=contents), source


def test_files_come_from_a_folder_without_git(
    copy: tuple[place.Suite, Path], tmp_path: Path
) -> None:
    suite, source = copy
    folder, _ = fetch(suite, source, environ(tmp_path))
    assert (folder / PROOF).read_text() == f"text of {PROOF}"
    assert (folder / "README").is_file()


def test_folder_of_another_version_is_refused_by_what_it_has(
    copy: tuple[place.Suite, Path], tmp_path: Path
) -> None:
    suite, source = copy
    latency = source / "testsuite/latency/latency.c"
    latency.write_text("older")
    expected = f"{source} is no copy of xenomai 3.3 (commit 8e20f677)"
    end = "give a copy of that commit"
    text = "the text of testsuite/latency/latency.c differs"
    assert fails(suite, source, tmp_path) == f"{expected}: {text}; {end}"
    (source / "configure.ac").write_text(
        "dnl x\nAC_INIT([Xenomai],[3.2.4],[xenomai@xenomai.org])\n"
    )
    said = f"{expected} but of version 3.2.4, by its configure.ac: {text}; {end}"
    assert fails(suite, source, tmp_path) == said
    latency.unlink()
    (source / "configure.ac").unlink()
    (source / PROOF).write_text("older, too")
    said = f"{expected}: the text of {PROOF} and 1 more differs; {end}"
    assert fails(suite, source, tmp_path) == said


def test_suite_that_is_here_is_a_copy_of_its_commit(tmp_path: Path) -> None:
    here = place.find(place.XENOMAI, os.environ)
    if here is None:
        pytest.skip("no suites")
    assert fetch(place.XENOMAI, here, environ(tmp_path))[1]


def test_a_clone_without_the_commit_is_refused(repository: Path, tmp_path: Path) -> None:
    said = fails(place.XENOMAI, repository, tmp_path)
    assert said == (
        f"{repository} has no commit 8e20f677 of xenomai 3.3: give a clone that has this commit"
    )


def test_without_a_network_one_line_says_what_to_do(tmp_path: Path) -> None:
    nowhere = replace(place.XENOMAI, url="https://nowhere.invalid/xenomai.git")
    said = fails(nowhere, None, tmp_path)
    assert said.startswith("cannot clone https://nowhere.invalid/xenomai.git (")
    assert said.endswith("): name a local copy with --from DIR")


def test_what_is_no_copy_is_refused(tmp_path: Path) -> None:
    assert "is no folder and no bundle" in fails(place.XENOMAI, tmp_path / "none", tmp_path)
    (tmp_path / "other").mkdir()
    assert fails(place.XENOMAI, tmp_path / "other", tmp_path) == (
        f"{tmp_path}/other is no copy of xenomai 3.3 (commit 8e20f677): "
        f"no {PROOF} and {len(place.XENOMAI.contents) - 1} more; give a copy of that commit"
    )
    (tmp_path / "text").write_text("no bundle")
    assert fails(place.XENOMAI, tmp_path / "text", tmp_path).startswith("cannot clone ")


def test_what_is_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "suites/xenomai-3.3").mkdir(parents=True)
    with pytest.raises(UserError, match="move it away and start again"):
        fetch(place.XENOMAI, None, environ(tmp_path))


def test_the_folder_is_the_variable_s_or_the_cache_s(tmp_path: Path) -> None:
    assert place.root({"TACTUS_SUITES": str(tmp_path)}) == tmp_path
    assert place.root({"HOME": "/home/a"}) == Path("/home/a/.cache/tactus/suites")
    assert place.find(place.XENOMAI, {"HOME": str(tmp_path)}) is None


def test_running_without_the_suite_says_how_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TACTUS_SUITES", str(tmp_path))
    assert cli.main(["suites", "run", "xenomai"]) == cli.USAGE_STATUS
    assert "./tactus suites fetch xenomai fetches it" in capsys.readouterr().err
    assert cli.main(["suites", "run", "none"]) == cli.USAGE_STATUS
    assert "no suite 'none': choose one of xenomai" in capsys.readouterr().err


TESTS = """
[group.one]
sources = ["{name}.c"]
options = ["--skin"]
says = "^{plugin} OK$"

[[test]]
name = "passes-well"
group = "one"

[[test]]
name = "fails"
group = "one"

[[test]]
name = "excused"
group = "one"
ground = "driver"
reason = "a card"

[[test]]
name = "wrongly-excused"
group = "one"
ground = "kernel"
reason = "a heap"

[[test]]
name = "broken"
group = "one"

[[test]]
name = "lacks"
group = "one"
lacks = "no such thing"
lacking = "the machine has no thing"

[[test]]
name = "hangs"
group = "one"
limit_s = 0.5

[[test]]
name = "with-parts"
group = "one"
args = ["{folder}"]
parts = [{ output = "helper", sources = ["helper.c"] }]
"""


def program(text: str, status: int = 0) -> str:
    return f'#include <stdio.h>\nint main(void) {{ puts("{text}"); return {status}; }}\n'


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, text in {
        "passes-well": program("passes_well OK"),
        "fails": program("fails OK", 3),
        "excused": program("excused skipped"),
        "wrongly-excused": program("wrongly_excused OK"),
        "broken": "int main(void) { return undeclared(); }\n",
        "lacks": program("there is no such thing", 1),
        "hangs": "int main(void) { for (;;) ; }\n",
        "helper": program("helper"),
        "with-parts": program("with_parts OK"),
    }.items():
        (sources / f"{name}.c").write_text(text)
    config = tmp_path / "xeno-config"
    config.write_text("#!/bin/sh\necho -DSKIN\n")
    config.chmod(0o755)
    return Workshop(sources, tmp_path / "scratch", config)


def test_each_test_ends_as_the_catalog_has_it(workshop: Workshop, tmp_path: Path) -> None:
    file = tmp_path / "tests.toml"
    file.write_text(TESTS)
    results = run_all(workshop, catalog.load(file), lambda _: None)
    assert [(r.test.name, r.ending, r.is_expected) for r in results] == [
        ("passes-well", Ending.PASSED, True),
        ("fails", Ending.FAILED, False),
        ("excused", Ending.FAILED, True),
        ("wrongly-excused", Ending.PASSED, False),
        ("broken", Ending.NOT_BUILT, False),
        ("lacks", Ending.LACKING, True),
        ("hangs", Ending.FAILED, False),
        ("with-parts", Ending.PASSED, True),
    ]
    points = [table.tap(i + 1, result) for i, result in enumerate(results)]
    assert points[0] == "ok 1 - one/passes-well"
    assert points[1] == "not ok 2 - one/fails\n# fails OK\n# exit status 3"
    assert points[2] == "ok 3 - one/excused # SKIP needs a driver that Tactus does not have: a card"
    assert "has a reason why it does not: a heap" in points[3]
    assert "undeclared" in points[4]
    assert points[5] == "ok 6 - one/lacks # SKIP the machine has no thing"
    assert "# not ended after 0.5 s" in points[6]
    assert (workshop.folder(results[7].test) / "helper").is_file()
    report = tmp_path / "report.md"
    report.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n")
    table.write(report, results)
    text = report.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "| one/excused | fails | needs a driver that Tactus does not have: a card |" in text
    assert "| one/passes-well | passes |  |" in text


def test_a_report_without_a_place_for_the_table_is_told(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text("nothing\n")
    with pytest.raises(UserError, match="has no place for the table"):
        table.write(report, [])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('reason = "because"', "a reason needs a ground"),
        (
            'ground = "laziness"\nreason = "no"',
            "a reason needs a ground, one of driver, kernel",
        ),
        ('colour = "red"', "no key 'colour'"),
        ("limit_s =", r"tests.toml:5:10: 'limit_s =' is no TOML .Invalid value"),
        ('limit_s = "long"', "a: limit_s = 'long' is no number"),
        (
            "parts = [{ output = 'x' }]",
            "'sources' is missing in a test or one of its parts",
        ),
    ],
)
def test_a_wrong_test_of_a_catalog_is_told(line: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "tests.toml"
    file.write_text(f'[group.one]\n[[test]]\nname = "a"\ngroup = "one"\n{line}\n')
    with pytest.raises(UserError, match=complaint):
        catalog.load(file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a table \\[group.NAME\\] and a list \\[\\[test\\]\\] are needed"),
        ("[group.one]\n[[test]]\n", "a test has no name"),
        (
            '[group.one]\n[[test]]\nname = "a"\n',
            "a: there is no group None: write one of one",
        ),
        ('test = ["a"]\n[group.one]\n', "is a table"),
    ],
)
def test_a_wrong_catalog_is_told(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "tests.toml"
    file.write_text(text)
    with pytest.raises(UserError, match=complaint):
        catalog.load(file)


def test_a_wrong_name_is_told() -> None:
    every = catalog.load(CATALOG)
    assert [test.name for test in catalog.select(every, ("smokey/iddp",))] == ["iddp"]
    with pytest.raises(UserError, match="no test 'idpp'"):
        list(catalog.select(every, ("idpp",)))


def test_the_report_names_each_test_and_its_reason() -> None:
    """`./tactus suites run xenomai --report` writes it."""
    told = REPORT.read_text(encoding="utf-8").split(table.BEGIN)[1].split(table.END)[0]
    lines = {line.split(" | ")[0].removeprefix("| "): line for line in told.splitlines()}
    for test in catalog.load(CATALOG):
        line = lines[test.title]
        if test.ground:
            assert line.endswith(f"| {table.reason_of(test)} |")
        elif not test.lacks:
            assert line == f"| {test.title} | passes |  |"


def test_a_result_is_not_expected_when_its_reason_is_gone() -> None:
    [test] = catalog.select(catalog.load(CATALOG), ("can",))
    assert Result(test, Ending.NOT_BUILT).is_expected
    assert not Result(test, Ending.PASSED).is_expected
