# SPDX-License-Identifier: LGPL-2.1-or-later
"""The C tests: which exist, how some of them run, and their results, point by point."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tactus.project import Project, UserError
from tactus.suite import tap
from tactus.suite.again import MOST_TRIED_AGAIN, both_tries
from tactus.suite.case import Case, Outcome

BACK_ENDS = ("sim", "thread", "bare")
# Run on request: the stand-in for the module is not dependable yet (hal/bare/README.md).
ON_REQUEST = ("bare",)
QUICK = "quick"
# Only in the long run.
LONG = "long"
# Its CPUs are those of the machine, so failed tests are tried again.
ON_MACHINE_TIME = "thread"
# A few times the duration of the longest group, so that a group that hangs is reported as a
# failure.
GROUP_LIMIT_S = 1500.0
END_LIMIT_S = 60.0
PATIENCE_BESIDE = 5
# Enough for a sanitizer's report with its two backtraces.
TAIL_LINES = 60


@dataclass(frozen=True, slots=True)
class Test:
    """A test as meson.build declares it; its suites name its layer, back end and pace."""

    name: str
    suites: frozenset[str]
    is_tap: bool

    @property
    def back_end(self) -> str | None:
        return next((name for name in BACK_ENDS if name in self.suites), None)

    @property
    def layers(self) -> frozenset[str]:
        return self.suites - {QUICK, LONG, *BACK_ENDS}

    @property
    def label(self) -> str:
        """With its layer, because a mutex of the nucleus and one of a skin have the same name."""
        back_end = f" [{self.back_end}]" if self.back_end else ""
        return f"{' '.join(sorted(self.layers))} {self.name}{back_end}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The wanted tests; None and False stand for all."""

    quick: bool = False
    layer: str | None = None
    backend: str | None = None

    def wants(self, test: Test) -> bool:
        return (
            (not self.quick or QUICK in test.suites)
            and (self.layer is None or self.layer in test.layers)
            and (self.backend is None or self.backend in test.suites)
            and (self.backend in ON_REQUEST or test.back_end not in ON_REQUEST)
            and LONG not in test.suites
        )


@dataclass(frozen=True, slots=True)
class Build:
    """One way to build and run the C tests: those that it accepts, except those that it leaves to
    the long run."""

    name: str
    folder: str
    options: tuple[str, ...] = ()
    build_env: Mapping[str, str] | None = None
    test_env: Mapping[str, str] | None = None
    accepts: Callable[[Test], bool] = lambda _: True
    leaves: Callable[[Test], bool] = lambda _: False


def declared(build: Path) -> list[Test]:
    """The tests of a configured build folder."""
    command = ["meson", "introspect", "--tests", str(build)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{shlex.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return [
        Test(
            item["name"],
            frozenset(suite.split(":")[-1] for suite in item["suite"]),
            item["protocol"] == "tap",
        )
        for item in json.loads(done.stdout)
    ]


def run(project: Project, build: Build, selection: Selection) -> list[Case]:
    """Brings the build up to date and runs the selected tests."""
    cases = compiles(project, build)
    if cases[0].outcome is Outcome.PASSED:
        cases += run_tests(project, build, selection)
    return cases


def compiles(project: Project, build: Build) -> list[Case]:
    """Brings the build up to date, as a separate case."""
    folder = project.root / build.folder
    try:
        project.ensure_built(folder, build.options, build.build_env)
    except UserError as error:
        configured = (folder / "build.ninja").is_file()
        again = shlex.join(["ninja", "-C", build.folder] if configured else ["./tactus", "test"])
        return [Case(f"{build.name} compiles", Outcome.FAILED, str(error), again)]
    return [Case(f"{build.name} compiles", Outcome.PASSED)]


def compile_ahead(project: Project, build: Build) -> None:
    """The same with the processor time that others leave; compiles() reports the result."""
    project.build_ahead(project.root / build.folder, build.options, build.build_env or {})


def run_tests(
    project: Project,
    build: Build,
    selection: Selection,
    back_ends: Sequence[str | None] = (*BACK_ENDS, None),
    before: Sequence[str] = (),
) -> list[Case]:
    """Runs the selected tests of a build that is up to date; before: words that start them."""
    folder = project.root / build.folder
    every = declared(folder)
    wanted = [t for t in every if build.accepts(t) and not build.leaves(t) and selection.wants(t)]
    cases: list[Case] = []
    for back_end in back_ends:
        group = [t for t in wanted if t.back_end == back_end]
        whole = len(group) == sum(t.back_end == back_end for t in every)
        if group:
            came_out = _run_group(build, folder, back_end, group, whole, before)
            if back_end == ON_MACHINE_TIME:
                came_out = _try_again(build, folder, group, came_out)
            cases += came_out
    return cases


def run_one(build: Build, folder: Path, test: Test) -> list[Case]:
    """Runs a test alone; if it needs the machine's time and fails, twice."""
    cases = _run_group(build, folder, test.back_end, [test], whole=False)
    if test.back_end == ON_MACHINE_TIME:
        return _try_again(build, folder, [test], cases)
    return cases


def _try_again(build: Build, folder: Path, group: Sequence[Test], cases: list[Case]) -> list[Case]:
    """The cases; those of a failed test are replaced by the results of its second run, alone."""
    failed = {c.repeat for c in cases if c.outcome is Outcome.FAILED}
    names = {t.name for t in group if _repeat(build, ON_MACHINE_TIME, t.name) in failed}
    if len(names) > MOST_TRIED_AGAIN:
        return cases
    for name in sorted(names):
        own = _repeat(build, ON_MACHINE_TIME, name)
        tests = [t for t in group if t.name == name]
        second = _run_group(build, folder, ON_MACHINE_TIME, tests, whole=False)
        first = [c for c in cases if c.repeat == own]
        cases = [c for c in cases if c.repeat != own] + both_tries(first, second)
    return cases


def _suite_options(back_end: str | None) -> list[str]:
    if back_end is None:
        return [word for name in BACK_ENDS for word in ("--no-suite", name)]
    return ["--suite", back_end]


def _run_group(
    build: Build,
    folder: Path,
    back_end: str | None,
    group: Sequence[Test],
    whole: bool,
    before: Sequence[str] = (),
) -> list[Case]:
    """Runs tests of one back end; those of another one may have the same names."""
    base = f"testlog-{back_end or 'host'}"
    log = folder / "meson-logs" / f"{base}.json"
    log.unlink(missing_ok=True)
    names = [] if whole else sorted({t.name for t in group})
    command = ["meson", "test", "-C", str(folder), "--no-rebuild", "--quiet", "--logbase", base]
    # Tests that have only the time that others leave may need many times their usual time.
    slowly = ["--timeout-multiplier", str(PATIENCE_BESIDE)] if before else []
    command = [*before, *command, *slowly, *_suite_options(back_end), *names]
    said, ended = run_limited(command, {**os.environ, **(build.test_env or {})}, folder)
    label = f"{build.name} tests{f' [{back_end}]' if back_end else ''}"
    if not log.is_file():
        return [Case(label, Outcome.FAILED, said[-2000:], shlex.join(command))]
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    cases = _cases(build, back_end, group, records)
    if not ended:
        why = (
            f"stopped after {GROUP_LIMIT_S:.0f} s; the tests that follow were running or had not "
            "begun"
        )
        cases.insert(0, Case(label, Outcome.FAILED, why, shlex.join(command)))
    return cases


def run_limited(command: Sequence[str], env: Mapping[str, str], folder: Path) -> tuple[str, bool]:
    """Meson's output, and whether it ended by itself. The output goes to a file, because a pipe
    stays open as long as any process that a test left behind."""
    with tempfile.TemporaryFile("w+", dir=folder, encoding="utf-8", errors="replace") as output:
        runner = subprocess.Popen(
            command,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            ended = _has_ended(runner, GROUP_LIMIT_S)
        finally:
            # Meson ends its tests, and records which they were.
            runner.terminate()
            if not _has_ended(runner, END_LIMIT_S):
                runner.kill()
                runner.wait()
        output.seek(0)
        return output.read(), ended


def _has_ended(runner: subprocess.Popen[bytes], limit_s: float) -> bool:
    try:
        runner.wait(limit_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _cases(
    build: Build, back_end: str | None, group: Sequence[Test], records: Sequence[dict[str, Any]]
) -> list[Case]:
    left = {(test.name, test.suites): test for test in group}
    cases: list[Case] = []
    for record in records:
        test = left.pop(_identity(record["name"]), None)
        # Another test has the same name, in a layer that is not wanted.
        if test is None:
            continue
        seconds = float(record.get("duration", 0.0))
        for case in of_record(test.label, test.is_tap, record):
            repeat = _repeat(build, back_end, test.name)
            cases.append(replace(case, repeat=repeat, seconds=seconds))
            seconds = 0.0
    for test in left.values():
        why = "was not run"
        cases.append(Case(test.label, Outcome.FAILED, why, _repeat(build, back_end, test.name)))
    return cases


def _identity(record: str) -> tuple[str, frozenset[str]]:
    """Meson writes "project:suites / name", with + between the suites."""
    where, _, name = record.rpartition(" / ")
    return name, frozenset(where.split(":", 1)[-1].split("+"))


def of_record(name: str, is_tap: bool, record: Mapping[str, Any]) -> list[Case]:
    """The cases in one record of Meson's testlog.json."""
    result = str(record["result"])
    tail = _tail(record)
    if not is_tap:
        if result in ("OK", "EXPECTEDFAIL"):
            return [Case(name, Outcome.PASSED)]
        if result == "SKIP":
            return [Case(name, Outcome.SKIPPED, tail)]
        return [Case(name, Outcome.FAILED, f"{_ending(record)}\n{tail}")]
    report = tap.parse(str(record.get("stdout", "")), name)
    cases = list(report.cases)
    failed = any(case.outcome is Outcome.FAILED for case in cases)
    if report.fault or (result not in ("OK", "SKIP") and not failed) or not cases:
        why = ", ".join(filter(None, [_ending(record), report.fault]))
        cases.append(Case(f"{name}: ends in order", Outcome.FAILED, f"{why}\n{tail}"))
    return cases


def _ending(record: Mapping[str, Any]) -> str:
    code = record.get("returncode", 0)
    how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
    return f"{record['result']} after {record.get('duration', 0):.1f} s, {how}"


def _tail(record: Mapping[str, Any]) -> str:
    text = f"{record.get('stdout', '')}{record.get('stderr', '')}"
    return "\n".join(text.splitlines()[-TAIL_LINES:])


def _repeat(build: Build, back_end: str | None, name: str) -> str:
    env = [f"{key}={shlex.quote(value)}" for key, value in (build.test_env or {}).items()]
    suite = ["--suite", back_end] if back_end else []
    return " ".join([*env, shlex.join(["meson", "test", "-C", build.folder, *suite, "-v", name])])
