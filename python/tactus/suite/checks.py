# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checks that read sources without running them, and the tests of this package."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from tactus.project import Project, UserError
from tactus.suite import tap
from tactus.suite.again import MOST_TRIED_AGAIN, both_tries
from tactus.suite.case import Case, Outcome

TAIL_LINES = 40
LONGEST_NAME = 100
# Of a check that lacks a program; as Meson has it.
SKIPPED = 77
CONFIG = "python/pyproject.toml"
PYTHON = ("python", "tests/python", "dev")
PLAIN = "not on_request and not guest"
# An emulator that counts instructions keeps one processor busy, whatever the machine has. Each
# takes up to 2 GiB, and the compared figures are counts, not times.
GUESTS = min(4, len(os.sched_getaffinity(0)))
GUESTS_AT_ONCE = ("-n", str(GUESTS), "--dist", "worksteal")
# One more than there are processors, because some wait.
PLAIN_AT_ONCE = ("-n", str(len(os.sched_getaffinity(0)) + 1), "--dist", "worksteal")


# Commands that were started and have not ended.
_running: set[subprocess.Popen[str]] = set()
END_S = 20.0


def _run(root: Path, command: Sequence[str]) -> tuple[int, str]:
    try:
        runs = subprocess.Popen(
            command,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except FileNotFoundError:
        return 127, f"{command[0]} is not on PATH: install it"
    _running.add(runs)
    try:
        output, _ = runs.communicate()
    except BaseException:
        _end(runs)
        raise
    finally:
        _running.discard(runs)
    return runs.returncode, output


def _end(runs: subprocess.Popen[str]) -> None:
    """Like Ctrl-C: the processes that it has started end with it."""
    runs.send_signal(signal.SIGINT)
    try:
        runs.wait(END_S)
    except subprocess.TimeoutExpired:
        runs.kill()
        runs.wait()


def end_running() -> None:
    """Ends the commands for which other threads wait; the calls of these threads then return."""
    for runs in list(_running):
        _end(runs)


def _one(root: Path, name: str, command: Sequence[str], before: Sequence[str] = ()) -> Case:
    """A command that passes with exit status 0, or says why it is skipped; before: words that
    start it."""
    status, output = _run(root, [*before, *command])
    if status == 0:
        return Case(name, Outcome.PASSED)
    if status == SKIPPED:
        return Case(name, Outcome.SKIPPED, output.strip())
    tail = "\n".join(output.splitlines()[-TAIL_LINES:])
    return Case(name, Outcome.FAILED, tail, shlex.join(_shown(root, command)))


def _shown(root: Path, command: Sequence[str]) -> list[str]:
    return [word.removeprefix(f"{root}/") for word in command]


def headers(project: Project) -> list[Case]:
    """Every public header alone, by every compiler."""
    script = "dev/check_headers.py"
    _, output = _run(project.root, [sys.executable, script])
    report = tap.parse(output, "header")
    cases = [Case(c.name, c.outcome, c.detail, script) for c in report.cases]
    if report.fault:
        cases.append(Case("headers", Outcome.FAILED, f"{report.fault}\n{output}", script))
    return cases


def static(project: Project) -> list[Case]:
    """Sources against the rules of the house."""
    return [
        _one(project.root, "include directions", [sys.executable, "dev/check_includes.py"]),
        _one(project.root, "circles of files", [sys.executable, "dev/check_circles.py"]),
        _one(project.root, "licences", [sys.executable, "dev/check_spdx.py"]),
        _one(project.root, "layout of C", [sys.executable, "dev/check_layout.py"]),
        _one(project.root, "headers as manual", [sys.executable, "dev/check_manual.py"]),
        _one(project.root, "one cause for a code", [sys.executable, "dev/check_causes.py"]),
        _one(project.root, "tables of files", [sys.executable, "dev/check_tables.py"]),
        _one(project.root, "calls that are fuzzed", [sys.executable, "dev/check_fuzzed.py"]),
        _one(project.root, "calls that are walked", [sys.executable, "dev/check_walked.py"]),
        _one(project.root, "retired words", [sys.executable, "dev/check_words.py"]),
        *headers(project),
    ]


def built(project: Project) -> list[Case]:
    """The checks that need the objects and programs of a build."""
    build = str(project.build)
    return [
        _one(
            project.root,
            "freestanding nucleus",
            [sys.executable, "dev/check_freestanding.py", build],
        ),
        _one(
            project.root,
            "calls above hal/linux",
            [sys.executable, "dev/check_upward.py", build],
        ),
        _one(project.root, "tables of calls", [sys.executable, "dev/check_calls.py", build]),
        _one(project.root, "tables of skins", [sys.executable, "dev/check_skins.py", build]),
        _one(project.root, "exported symbols", [sys.executable, "dev/check_symbols.py", build]),
        _one(project.root, "binary interface", [sys.executable, "dev/check_abi.py", build]),
        _one(project.root, "error codes", [sys.executable, "dev/check_errors.py", build]),
    ]


def python(project: Project, *, quick: bool = False) -> list[Case]:
    """Types, style and tests of this package and of dev/, except tests that boot a guest; quick:
    also except those that repeat an experiment."""
    return python_at_once(project, quick=quick) + pytest_alone(project, quick=quick)


def python_at_once(
    project: Project, before: Sequence[str] = (), *, quick: bool = False
) -> list[Case]:
    """The cases of python() beside which something may run; before: words that start them."""
    module = [sys.executable, "-m"]
    caches = project.cache
    ruff = [*module, "ruff", "check", "--config", CONFIG, "--cache-dir", str(caches / "ruff")]
    mypy = [*module, "mypy", "--config-file", CONFIG, "--cache-dir", str(caches / "mypy")]
    scripts = sorted(str(p.relative_to(project.root)) for p in (project.root / "dev").glob("*.py"))
    return [
        _one(
            project.root, "Python types", [*mypy, "python/tactus", "tests/python", *scripts], before
        ),
        _one(project.root, "Python style", [*ruff, *PYTHON], before),
        _one(
            project.root,
            "Python layout",
            [*module, "ruff", "format", "--check", "--config", CONFIG, "--no-cache", *PYTHON],
            before,
        ),
        *pytest_at_once(project, before, quick=quick),
    ]


def pytest_at_once(
    project: Project, before: Sequence[str] = (), *, quick: bool = False
) -> list[Case]:
    """The everyday tests beside which something may run."""
    only = f"{_plain(quick)} and not alone"
    return _tried(project, [*PLAIN_AT_ONCE, "-m", only], "pytest-at-once", before)


def pytest_alone(project: Project, *, quick: bool = False) -> list[Case]:
    """The tests that make load, or observe changes within a given time."""
    return _tried(project, ["-m", f"{_plain(quick)} and alone"])


def _plain(quick: bool) -> str:
    return PLAIN + (" and not slow" if quick else "")


def guests(project: Project, before: Sequence[str] = ()) -> list[Case]:
    """The everyday tests that boot guests, which run programs of the first build; before: words
    that start them."""
    return _tried(project, [*GUESTS_AT_ONCE, "-m", "not on_request and guest"], "guests", before)


def on_request(project: Project) -> list[Case]:
    """The long tests, one after another, because most of them observe what a guest does in time."""
    return _tried(project, ["-m", "on_request"])


def collected(project: Project, mark: str) -> list[str]:
    """The tests with a mark, by pytest's names."""
    command = [*_command(project), "--collect-only", "-m", mark, "tests/python"]
    _, output = _run(project.root, command)
    tests = [line for line in output.splitlines() if re.match(r"\S+\.py::", line)]
    if not tests:
        last = (output.strip().splitlines() or ["it said nothing"])[-1]
        raise UserError(f"pytest collects no test with the mark {mark}: {last}")
    return tests


def pytest_one(project: Project, test: str) -> list[Case]:
    """One test, by its name in collected()."""
    report = "long-" + re.sub(r"\W+", "-", test)[-LONGEST_NAME:]
    return _tried(project, [], report, tests=[test])


def _tried(
    project: Project,
    options: Sequence[str],
    name: str = "pytest",
    before: Sequence[str] = (),
    tests: Sequence[str] = ("tests/python",),
) -> list[Case]:
    """They start programs on the machine's own time: a few that fail are tried again. name: of the
    report; before: words that start them."""
    cases = _pytest(project, [*options, *tests], name, before)
    failed = [c.name for c in cases if c.outcome is Outcome.FAILED and "::" in c.name]
    if not 0 < len(failed) <= MOST_TRIED_AGAIN:
        return cases
    first = [c for c in cases if c.name in failed]
    second = _pytest(project, failed, name, before)
    return [c for c in cases if c.name not in failed] + both_tries(first, second)


def _pytest(
    project: Project, selection: Sequence[str], name: str, before: Sequence[str]
) -> list[Case]:
    result = project.cache / f"{name}.xml"
    project.cache.mkdir(exist_ok=True)
    result.unlink(missing_ok=True)
    command = [*before, *_command(project)]
    status, output = _run(project.root, [*command, f"--junitxml={result}", *selection])
    if not result.is_file():
        return [Case("pytest", Outcome.FAILED, output, shlex.join(command))]
    cases = junit(result)
    result.unlink()
    if status != 0 and not any(c.outcome is Outcome.FAILED for c in cases):
        cases.append(Case("pytest", Outcome.FAILED, output, shlex.join(command)))
    return cases


def _command(project: Project) -> list[str]:
    command = [sys.executable, "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    where = [f"--rootdir={project.root}", f"-c={project.root / CONFIG}"]
    return [*command, *where]


def junit(file: Path) -> list[Case]:
    """The cases of pytest's XML report."""
    cases: list[Case] = []
    for item in ET.parse(file).iter("testcase"):
        module = item.get("classname", "").replace(".", os.sep)
        name = f"{module}.py::{item.get('name', '')}"
        repeat = shlex.join([".venv/bin/python", "-m", "pytest", "-c", CONFIG, name])
        seconds = float(item.get("time", 0.0))
        problem = item.find("failure")
        if problem is None:
            problem = item.find("error")
        skipped = item.find("skipped")
        if problem is not None:
            tail = "\n".join((problem.text or "").splitlines()[-TAIL_LINES:])
            cases.append(Case(name, Outcome.FAILED, tail, repeat, seconds))
        elif skipped is not None:
            cases.append(Case(name, Outcome.SKIPPED, skipped.get("message", "")))
        else:
            cases.append(Case(name, Outcome.PASSED, repeat=repeat, seconds=seconds))
    return cases
