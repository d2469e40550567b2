# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds and runs the unedited tests of a suite in a scratch folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tactus.project import UserError
from tactus.suites.catalog import Part, Test
from tactus.suites.command import run_and_end

# Another program has the real-time CPU.
BUSY = re.compile(r"is leased|are leased")
BUSY_TRIES = 60
COMPILE_S = 120
# A function that a header lacks is an error, for each compiler.
WARNINGS = (
    "-std=gnu17",
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
)


class Ending(Enum):
    PASSED = "passes"
    NOT_BUILT = "does not build"
    FAILED = "fails"
    NOT_RUN = "is not run"
    LACKING = "cannot be run here"


@dataclass(frozen=True, slots=True)
class Result:
    test: Test
    ending: Ending
    said: str = ""

    @property
    def is_expected(self) -> bool:
        """Passed, or has a reason; a reason that no longer holds is a failure."""
        if self.ending is Ending.LACKING:
            return True
        return (self.ending is Ending.PASSED) != bool(self.test.reason)


@dataclass(frozen=True, slots=True)
class Workshop:
    """The folder of the suite, the folder of its build, and the xeno-config of an installed
    tree."""

    suite: Path
    scratch: Path
    xeno_config: Path

    def build(self, test: Test) -> str:
        """Builds every part of a test; returns the compiler's message if it refused one."""
        folder = self.folder(test)
        folder.mkdir(parents=True, exist_ok=True)
        for part in test.parts:
            if said := self._compile(part, folder):
                return said
        return ""

    def folder(self, test: Test) -> Path:
        return self.scratch / test.group / test.name

    def _compile(self, part: Part, folder: Path) -> str:
        target = folder / part.output
        if part.sources and part.sources[0].endswith(".in"):
            return self._fill_in(part, folder)
        sources = []
        for pattern in part.sources:
            found = sorted(self.suite.glob(pattern))
            if not found:
                return f"the suite has no {pattern}"
            sources += [str(path) for path in found]
        compile_flags = self._flags([*part.options, "--cflags"]) if part.options else []
        link_flags = self._flags([*part.options, "--ldflags"]) if part.options else []
        words = [word.format(folder=folder, suite=self.suite) for word in part.words]
        command = ["cc", "-O2", *WARNINGS, *compile_flags, "-o", str(target), *sources, *words]
        status, said = run_and_end([*command, *link_flags], folder, {}, COMPILE_S)
        return said or f"cc ended with {status}" if status else ""

    def _fill_in(self, part: Part, folder: Path) -> str:
        """A script with places for folders, filled in as by configure."""
        text = (self.suite / part.sources[0]).read_text(encoding="utf-8")
        target = folder / part.output
        target.write_text(text.replace("@testdir@", str(folder)), encoding="utf-8")
        target.chmod(0o755)
        for source in part.sources[1:]:
            shutil.copy(self.suite / source, folder)
        return ""

    def _flags(self, options: Sequence[str]) -> list[str]:
        done = subprocess.run(
            [str(self.xeno_config), *options], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise UserError(f"xeno-config {' '.join(options)}: {done.stderr.strip()}")
        return done.stdout.split()

    def run(self, test: Test) -> Result:
        """Runs the built program; more than once if the machine may disturb a sound run."""
        result = Result(test, Ending.NOT_RUN)
        for _ in range(test.tries if test.run else 0):
            result = self._run_once(test)
            if result.ending is not Ending.FAILED or test.reason:
                break
        return result

    def _run_once(self, test: Test) -> Result:
        """Waits while another program has the real-time CPU."""
        folder = self.folder(test)
        command = [*test.within, str(folder / test.parts[-1].output), *test.args]
        # Names and ports belong to a session: other programs of the user have their own.
        session = {"TACTUS_SESSION": f"suite-{os.getpid()}"}
        for _ in range(BUSY_TRIES):
            status, said = run_and_end(
                command, folder, {**session, **dict(test.environment)}, test.limit_s
            )
            if not BUSY.search(said):
                break
            time.sleep(1)
        if status == 0 and re.search(test.says, said, re.M):
            return Result(test, Ending.PASSED, said)
        if test.lacks and re.search(test.lacks, said):
            return Result(test, Ending.LACKING, said)
        return Result(test, Ending.FAILED, f"{said.rstrip()}\n{_how(status, test)}")


def _how(status: int | None, test: Test) -> str:
    if status is None:
        return f"not ended after {test.limit_s:g} s"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    if status > 0:
        return f"exit status {status}"
    return f"exit status 0, without a line {test.says!r}"


def run_all(
    workshop: Workshop, tests: Sequence[Test], tell: Callable[[Result], None]
) -> list[Result]:
    """The tests one after the other, because each needs the real-time CPU for itself."""
    results = []
    for test in tests:
        refused = workshop.build(test)
        result = Result(test, Ending.NOT_BUILT, refused) if refused else workshop.run(test)
        tell(result)
        results.append(result)
    return results
