# SPDX-License-Identifier: LGPL-2.1-or-later
"""Folders of results: all readable results, a line for each unreadable file, and merging."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tactus.lab.model import Row, RunResult, Series
from tactus.lab.results.files import SUFFIX, ResultError, read, unfinished_file
from tactus.project import UserError


@dataclass(frozen=True, slots=True)
class Measured:
    """A row with its samples and its run."""

    row: Row
    series: Series | None
    run: RunResult


@dataclass(frozen=True, slots=True)
class Loaded:
    """The content of one or several folders."""

    results: tuple[RunResult, ...]
    problems: tuple[str, ...]
    """One line for each file that could not be used."""
    paths: tuple[Path, ...]
    """Runs of the results, in their order."""

    def rows(self, *, valid_only: bool = True) -> list[Measured]:
        return [
            Measured(row, series, run)
            for run in self.results
            if run.valid or not valid_only
            for row, series in zip(run.rows, run.series, strict=True)
        ]

    def failures(self) -> list[RunResult]:
        """Invalid runs, unless the same job ended well in another run."""
        done = {run.job.id for run in self.results if run.valid}
        return [run for run in self.results if not run.valid and run.job.id not in done]


def files_of(sources: Sequence[Path]) -> list[Path]:
    """The result files that `sources` (folders, files) name, each once, oldest names first."""
    found: dict[Path, None] = {}
    for source in sources:
        if source.is_dir():
            inside = sorted(p for p in source.glob(f"*{SUFFIX}") if p.is_file())
            found.update(dict.fromkeys(inside))
        elif source.is_file():
            found[source] = None
        else:
            raise UserError(f"there are no results at {source}: name a folder that `lab run` wrote")
    return list(found)


def load(sources: Sequence[Path]) -> Loaded:
    """Reads all result files; one that cannot be used is a problem and harms no other. The same run
    in two folders counts once."""
    results: list[RunResult] = []
    problems: list[str] = []
    paths: list[Path] = []
    seen: set[str] = set()
    for path in files_of(sources):
        try:
            result = read(path)
        except ResultError as error:
            problems.append(str(error))
            continue
        if result.file_name not in seen:
            seen.add(result.file_name)
            results.append(result)
            paths.append(path)
    return Loaded(tuple(results), tuple(problems), tuple(paths))


def require(sources: Sequence[Path]) -> Loaded:
    """Like load(), but it is an error if there is no readable result."""
    loaded = load(sources)
    if not loaded.results:
        where = ", ".join(map(str, sources))
        why = f": {loaded.problems[0]}" if loaded.problems else ""
        raise UserError(f"no results in {where}{why or '; start `./tactus lab run` first'}")
    return loaded


def merge(sources: Sequence[Path], target: Path) -> tuple[list[Path], list[str]]:
    """Copies the results of `sources` into `target`: returns the new files, and a line for each
    file that could not be used. Existing files stay unchanged."""
    copied: list[Path] = []
    problems: list[str] = []
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path in files_of(sources):
            try:
                name = read(path).file_name
            except ResultError as error:
                problems.append(str(error))
                continue
            with contextlib.suppress(FileExistsError):
                copied.append(_copy(path, target / name))
    except OSError as error:
        raise UserError(
            f"cannot copy results to {target}: {error.strerror}; the copied results are whole, so "
            "free some space and merge again"
        ) from None
    return copied, problems


def _copy(source: Path, target: Path) -> Path:
    """A run has one name and never changes, so a file of that name is that run."""
    with unfinished_file(target.parent) as unfinished:
        shutil.copyfile(source, unfinished)
        os.link(unfinished, target)
    return target
