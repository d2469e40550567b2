# SPDX-License-Identifier: LGPL-2.1-or-later
"""The report as one HTML file that opens offline and is made only from result files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tactus.lab.naming import INDEX, TIMES, sorted_rows
from tactus.lab.report import crosscheck, figures, loads, published, tables
from tactus.lab.report.bounds import bounds, estimates
from tactus.lab.report.figures import Figure
from tactus.lab.report.summary import sentences
from tactus.lab.report.tables import Table
from tactus.lab.results.folder import Loaded
from tactus.report import page as shared

FOLDER = Path(__file__).parent
WORDS = ("kernel", "load", "measured with", "until", "by", "of", "within 1 µs")
"""Heads of columns that hold words, not numbers."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Report:
    loaded: Loaded
    sentences: tuple[str, ...]
    sections: tuple[Section, ...]
    published: tuple[published.Figure, ...]

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    @property
    def figures(self) -> list[Figure]:
        return [figure for section in self.sections for figure in section.figures]


def make(loaded: Loaded) -> Report:
    """The whole content of the report, before its layout."""
    measured = sorted_rows(loaded.rows())
    rows = [m.row for m in measured]
    extremes = estimates(measured)
    beside = published.compare(published.load(), rows)
    copies = sorted({r.tasks for r in rows if r.instrument == INDEX})
    index = [tables.throughput(rows, count) for count in copies]
    titles = {
        "switch": "Context switch",
        "dispatch": "Dispatch of threads and processes",
        "ipc": "Hand-over between tasks",
        "alloc": "Allocation of memory",
        "core": "Taking a CPU, giving it back, Linux calls from it",
    }
    times = [tables.times(rows, name, titles[name]) for name in TIMES]
    sections = [
        _section(
            "Latency per kernel and load",
            [tables.latency(rows), crosscheck.table(rows)],
            figures.by_load(measured),
        ),
        _section("Latency distributions per kernel", [], figures.by_kernel(measured)),
        _section("Bounds with confidence", [bounds(extremes)], []),
        _section("Throughput", [*index, tables.single_tests(rows)], []),
        _section("Interrupt response", [tables.response(rows)], figures.interrupts(measured)),
        _section("Jitter", [], figures.jitter(measured)),
        _section("Switching, hand-over, dispatch, allocation", times, []),
        _section("Noise of the machine", [tables.noise(rows)], figures.noise(measured)),
    ]
    return Report(
        loaded,
        tuple(sentences(loaded, beside, extremes)),
        tuple(section for section in sections if section.tables or section.figures),
        tuple(beside),
    )


def _section(title: str, found: Sequence[Table | None], drawn: Sequence[Figure]) -> Section:
    return Section(title, tuple(table for table in found if table is not None), tuple(drawn))


def _manifests(loaded: Loaded) -> list[tuple[str, Mapping[str, Any]]]:
    """One for each kernel and target; the manifests of its other runs differ only in the date."""
    found: dict[str, Mapping[str, Any]] = {}
    for run in loaded.results:
        if run.manifest:
            found.setdefault(
                f"{run.job.target}, {run.job.kernel}, {run.job.cpus} CPU", run.manifest
            )
    return list(found.items())


def render(report: Report) -> str:
    """The whole page as text."""
    environment = shared.environment(FOLDER)
    environment.globals["words"] = frozenset(WORDS)
    return environment.get_template("page.html.j2").render(
        report=report,
        runs=len(report.loaded.results),
        started=max((run.started for run in report.loaded.results), default="")[:10],
        plans=list(dict.fromkeys(run.job.plan for run in report.loaded.results)),
        failures=report.loaded.failures(),
        loads=loads.described(run.job.load for run in report.loaded.results),
        manifests=[(name, shared.flat(value)) for name, value in _manifests(report.loaded)],
        style=shared.style() + Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        script=shared.script(),
    )
