# SPDX-License-Identifier: LGPL-2.1-or-later
"""The results of a suite, as TAP and as the table of a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tactus.project import UserError
from tactus.suites.catalog import GROUNDS, Test
from tactus.suites.run import Ending, Result

BEGIN = "<!-- the table below is written by `./tactus suites run xenomai --report` -->"
END = "<!-- end of the table -->"
NO_SUITES = "no suites"


def tap(number: int, result: Result) -> str:
    """A point, with the output of the test if its result was unexpected."""
    title = result.test.title
    if not result.is_expected:
        said = result.said
        if result.ending is Ending.PASSED:
            said = f"it passes, but the catalog has a reason why it does not: {result.test.reason}"
        notes = "".join(f"\n# {line}" for line in said.splitlines())
        return f"not ok {number} - {title}{notes}"
    if result.ending is Ending.PASSED:
        return f"ok {number} - {title}"
    return f"ok {number} - {title} # SKIP {reason_of(result.test)}"


def reason_of(test: Test) -> str:
    """Why it does not pass, or what it needs from the machine."""
    if test.ground:
        return f"{GROUNDS[test.ground]}: {test.reason}"
    return test.lacking


def rows(results: Sequence[Result]) -> list[str]:
    lines = ["| test | result | |", "|---|---|---|"]
    for result in results:
        reason = "" if result.ending is Ending.PASSED else reason_of(result.test)
        if not result.is_expected:
            reason = reason or (result.said.strip().splitlines() or [""])[-1]
        lines.append(f"| {result.test.title} | {result.ending.value} | {reason} |")
    return lines


def write(file: Path, results: Sequence[Result]) -> None:
    """Puts the table between its two marks in the report."""
    try:
        text = file.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN, 1)
        _, after = rest.split(END, 1)
        table = "\n".join(rows(results))
        file.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
    except ValueError:
        raise UserError(f"{file} has no place for the table: it needs the line {BEGIN}") from None
