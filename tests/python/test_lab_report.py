# SPDX-License-Identifier: LGPL-2.1-or-later
"""The report and the commands that read results."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import lab_factory as factory
import numpy as np
import pytest

from tactus import cli
from tactus.lab.model import Clock, Row, RunResult, Series, measured
from tactus.lab.report import images, page, published, tables
from tactus.lab.report.page import Report
from tactus.lab.report.published import Order
from tactus.lab.results import load
from tactus.project import UserError
from tactus.report import charts, draw
from tactus.report.page import script


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lab")
    factory.save(path, factory.default_plan(count=1000))
    return path


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return page.make(load([folder]))


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    """Its page: all of its charts are drawn."""
    return page.render(report)


class Page(HTMLParser):
    """Tags that are open, texts of the embedded charts."""

    VOID = ("meta", "link", "br", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.charts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.addresses += [v or "" for k, v in attrs if k in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-2:] == ["figure", "script"]:
            self.charts.append(data)


def test_page_is_one_file_with_all_sections(report: Report, text: str) -> None:
    found = Page(text)
    assert found.open == []
    inside = ("#", "data:image/svg+xml;base64,")
    assert all(address.startswith(inside) for address in found.addresses)
    assert not re.search(r"https?://(?!www.w3.org/2000/svg)", text)
    for title in (
        "Latency per kernel",
        "distributions",
        "Bounds",
        "Throughput",
        "Interrupt",
    ):
        assert title in text
    for title in ("Jitter", "Switching", "Noise", "Published", "Runs that failed"):
        assert title in text
    charts = [json.loads(chart) for chart in found.charts]
    assert len(charts) == len(report.figures) >= 12
    assert all(series["points"] for chart in charts for series in chart["series"])
    assert "1 ns is one instruction" in text


def looks(chart: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Colour, and dash or mark, of each series."""
    shape = "mark" if chart["series"][0]["kind"] == "dots" else "dash"

    def look(series: dict[str, Any]) -> Any:
        value = series.get(shape, series["style"])
        return value % 3 if shape == "mark" else charts.DASHES[value]

    return [(series["style"], look(series)) for series in chart["series"]]


def test_no_two_series_look_alike(report: Report) -> None:
    for figure in report.figures:
        assert len(set(looks(figure.chart))) == len(figure.chart["series"]), figure.name
    many = [{"name": str(n), "style": n % 3, "kind": "steps", "points": []} for n in range(12)]
    charts.distinguish(many)
    assert len(set(looks({"series": many}))) == 12


def test_script_and_pictures_have_the_same_dashes() -> None:
    found = re.search(r"const DASHES = (\[.*\]);", str(script()))
    assert found and tuple(json.loads(found[1])) == charts.DASHES


def test_charts_are_there_without_the_script(report: Report, text: str) -> None:
    found = Page(text)
    pictures = [a for a in found.addresses if a.startswith("data:")]
    assert len(pictures) == len(report.figures)
    for picture, figure in zip(pictures, report.figures, strict=True):
        drawn = base64.b64decode(picture.partition(",")[2]).decode()
        assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
        assert all(series["name"] in html.unescape(drawn) for series in figure.chart["series"])


def test_every_figure_of_a_card_has_its_head(text: str) -> None:
    """On a phone the head row is not shown."""
    cells = re.findall(r"<td[^>]*>", text.partition('id="published"')[0])
    assert cells and all("data-head=" in cell for cell in cells)
    assert 'data-head="dohell p99"' in "".join(cells)


def test_comparisons_that_were_not_measured_are_folded(report: Report, text: str) -> None:
    open_ones = [f for f in report.published if f.order is Order.OPEN]
    assert open_ones
    before, _, folded = text.partition(f"{len(open_ones)} that these runs did not measure")
    assert folded
    for figure in open_ones:
        assert html.escape(figure.what) not in before.partition('id="published"')[2]


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>"
    factory.save(tmp_path, [factory.result(range(1000, 2000), kernel=name)])
    assert "<script>alert" not in page.render(page.make(load([tmp_path])))


def test_latency_table_has_the_figures_of_the_rows(report: Report) -> None:
    table = next(t for t in report.tables if t.name == "latency")
    assert [name for name, _ in table.groups] == ["", "idle", "cpu", "dohell"]
    kernels = list(dict.fromkeys(row[0] for row in table.raw))
    assert kernels == ["generic", "server", "lowlatency", "preempt-rt"]
    line = next(row for row in table.raw if row[:2] == ("server", "cyclictest"))
    row = next(
        m.row
        for m in report.loaded.rows()
        if (m.row.kernel, m.row.instrument, m.row.load) == ("server", "cyclictest", "dohell")
    )
    assert line[-3:] == (row.p50_ns, row.p99_ns, row.max_ns)


def test_rows_of_a_core_are_told_apart_by_what_they_count(report: Report) -> None:
    rows = [
        m.row for m in report.loaded.rows() if m.row.metric == "latency" and m.row.core == "thread"
    ]
    bare = replace(rows[0], core="bare")
    own = replace(bare, variant="own instructions", max_ns=1)
    shown = tables.latency([bare, own])
    assert shown is not None
    assert [line[1] for line in shown.rows] == [
        f"Tactus bare {bare.context}",
        f"Tactus bare {bare.context} own instructions",
    ]
    interrupt = next(m.row for m in report.loaded.rows() if m.row.instrument == "irq")
    raised = replace(interrupt, core="bare", variant="edu own instructions")
    answered = tables.response([raised])
    assert answered is not None
    assert answered.rows[0][3:5] == ("device own instructions", "Tactus bare")


def test_run_whose_load_died_is_in_no_figure(report: Report) -> None:
    cells = {cell for table in report.tables for row in table.raw for cell in row}
    died = next(run for run in report.loaded.results if run.status == "load-died")
    assert died.rows[0].avg_ns not in cells
    assert any("2 runs that failed" in sentence for sentence in report.sentences)


def test_plain_thread_is_compared_between_its_instruments(tmp_path: Path) -> None:
    base = factory.latencies("generic", "idle", 100, 1)
    for instrument, more in (("cyclictest", 0), ("jitter", 400), ("latency", 900)):
        for kernel, further in (("generic", 1), ("server", 2)):
            made = factory.result(base + more * further, kernel=kernel, instrument=instrument)
            factory.save(tmp_path, [made])
    report = page.make(load([tmp_path]))
    table = next(t for t in report.tables if t.name == "crosscheck")
    assert [(row[0], row[-2], row[-1]) for row in table.raw] == [
        ("generic", 900, "yes"),
        ("server", 1800, "no"),
    ]
    text = " ".join(report.sentences).replace("\N{NO-BREAK SPACE}", " ")
    assert re.search(r"differ by more than 1 µs .*: server, idle\.", text)


def test_page_says_how_its_loads_are_made(report: Report, text: str) -> None:
    for load_name in sorted({run.job.load for run in report.loaded.results}):
        assert f"<dt><b>{load_name}</b></dt>" in text
    assert "44 fragments" in text


def test_spinning_thread_with_the_same_lead_stands_beside_the_task(
    tmp_path: Path,
) -> None:
    def run(core: str, lead_ns: int, values: range) -> RunResult:
        made = factory.job(instrument="latency", core=core, load="dohell")
        row = Row.of_job(made, extra={"lead_ns": lead_ns})
        return measured(made, [(row, Series(np.array(values)))], manifest=factory.MANIFEST)

    factory.save(
        tmp_path,
        [
            run("thread", 25_000, range(2000, 4000)),
            run("linux-spin", 50_000, range(1, 2001)),
            run("linux-spin", 25_000, range(1000, 3000)),
        ],
    )
    made = page.make(load([tmp_path]))
    said = made.sentences
    (latency,) = [table for table in made.tables if table.name == "latency"]
    assert sorted(row[1:3] for row in latency.rows) == [
        ("Tactus task", "3.00 µs"),
        ("linux-spin, 25.0 µs ahead", "2.00 µs"),
        ("linux-spin, 50.0 µs ahead", "1.00 µs"),
    ]
    assert "linux-spin, a plain thread, also wakes 25.0 µs and 50.0 µs ahead" in latency.note
    assert (
        "Under dohell a Tactus task, beside a plain thread that spins with the same lead: "
        "preempt-rt 1.5× longer at the median and 1.3× longer at the longest." in said
    )


def test_summary_ranks_kernels_and_names_the_stock_ones_limit(report: Report) -> None:
    text = " ".join(report.sentences).replace("\N{NO-BREAK SPACE}", " ")
    ranked = re.search("Under dohell the longest latency of cyclictest is: (.*?)\\.", text)
    assert ranked is not None and ranked[1].startswith("preempt-rt")
    assert "non-preemptible sections" in text
    assert "instruction counts" in text


def test_survival_starts_at_all_and_ends_at_one_sample(report: Report) -> None:
    chart = next(f.chart for f in report.figures if f.name == "tail-dohell")
    for series in chart["series"]:
        assert series["points"][0][1] == 1
        # The last step of cyclictest's clock may hold several samples.
        least = 1 / 1000
        if "Tactus" in series["name"]:
            assert series["points"][-1][1] == pytest.approx(least)
        assert series["points"][-1][1] >= least


def test_bins_hold_every_sample_once(report: Report) -> None:
    for figure in report.figures:
        if figure.name.startswith("distribution"):
            for series in figure.chart["series"]:
                assert sum(share for *_, share in series["points"]) == pytest.approx(1)


def test_images_and_tables_are_files_that_can_be_read(report: Report, tmp_path: Path) -> None:
    some = [f for f in report.figures if f.name in ("tail-cpu", "distribution-server", "noise")]
    paths = images.save(tmp_path / "r", some, report.tables)
    kinds = {path.suffix for path in paths}
    assert kinds == {".png", ".svg", ".csv"}
    for path in paths:
        data = path.read_bytes()
        assert data.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".csv": b""}[path.suffix])
    rows = list(csv.reader(io.StringIO((tmp_path / "r" / "latency.csv").read_text())))
    assert rows[0][:5] == [
        "kernel",
        "measured with",
        "idle p50",
        "idle p99",
        "idle max",
    ]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert draw.image(some[0].chart, "svg") == draw.image(some[0].chart, "svg")


def test_published_order_is_compared_pair_by_pair(report: Report) -> None:
    found = {figure.id: figure for figure in report.published}
    assert found["xenomai3-cyclictest-cpu-max"].order is Order.AGREES
    assert found["fusion-interrupt"].order is Order.OPEN
    assert found["solutions-interrupt"].order is Order.AGREES
    assert found["multicore-index-dual"].systems[1].ours == pytest.approx(0.8, abs=0.01)
    rows = [m.row for m in report.loaded.rows()]
    swapped = [r for r in rows if r.kernel not in ("generic", "preempt-rt")]
    names = {"generic": "preempt-rt", "preempt-rt": "generic"}
    swapped += [replace(r, kernel=names[r.kernel]) for r in rows if r.kernel in names]
    other = {f.id: f for f in published.compare(published.load(), swapped)}
    figure = other["xenomai3-cyclictest-cpu-max"]
    assert figure.order is Order.DIFFERS
    assert ("Mainline Linux", "Preempt-RT") in figure.differs


def test_every_published_number_has_its_source() -> None:
    document = published.load()
    for entry in document["figure"]:
        assert entry["origin"] and entry["paper"] in document["papers"]
        assert len(entry["system"]) >= 2
    with pytest.raises(UserError, match="lacks or misspells 'figure'"):
        published.compare({}, [])


def test_blame_needs_evidence() -> None:
    gaps = factory.result([90_000] * 20, instrument="noise", target="local", clock=Clock.REAL)
    for longest, blame in ((100_000, "machine"), (900_000, "software")):
        late = factory.result([5000, longest], target="local", clock=Clock.REAL)
        table = tables.noise([gaps.rows[0], late.rows[0]])
        assert table is not None and table.rows[0][-1] == blame


def run(*words: object) -> int:
    return cli.main(["lab", *map(str, words)])


def test_report_command_writes_page_and_files(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("report", folder, "--output", tmp_path / "x.html", "--no-images") == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("report", folder, "--output", tmp_path / "no" / "x.html") == 2
    assert "make it first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kernel", "load", "status"),
    [("preempt-rt", "idle", 0), ("preempt-rt", "dohell", 3), ("server", "dohell", 1)],
)
def test_verdict_command_answers_with_its_status(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    kernel: str,
    load: str,
    status: int,
) -> None:
    words = ["--period", "1ms", "--deadline", "500us", "--kernel", kernel, "--json"]
    words += ["--load", load, "--instrument", "latency"]
    assert run("verdict", folder, *words) == status
    answers = json.loads(capsys.readouterr().out)
    assert len(answers) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--period", "1ms", "--deadline", "100"], "use a time with its unit"),
        (["--period", "1ms", "--deadline", "2ms"], "longer than the period"),
        (["--period", "2ms", "--deadline", "1ms"], "periods measured: 1.00 ms"),
        (
            ["--period", "1ms", "--deadline", "1us", "--probability", "0"],
            "use 1e-15 to 0.5",
        ),
        (
            ["--period", "1ms", "--deadline", "1us", "--kernel", "x"],
            "there are: generic",
        ),
    ],
)
def test_verdict_command_refuses_what_makes_no_sense(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert run("verdict", folder, *words) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


@pytest.mark.slow
def test_compare_and_merge_commands(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--instrument", "jitter"]
    assert run("compare", folder, folder, *words) == 0
    assert "12 rows in both: 0 differ, 12 identical" in capsys.readouterr().out
    other = tmp_path / "other"
    slower = [
        factory.result(
            factory.latencies("server", load, 1000, 3) * 2,
            kernel="server",
            load=load,
            instrument="jitter",
        )
        for load in factory.LOADS
    ]
    factory.save(other, slower)
    assert run("compare", folder, other, *words) == 1
    said = capsys.readouterr().out
    assert "server idle jitter latency:" in said and "9 rows in A only" in said
    assert run("merge", folder, other, "--into", tmp_path / "all") == 0
    assert (tmp_path / "all" / "results.duckdb").is_file()
    assert run("compare", tmp_path / "nowhere", other) == 2
