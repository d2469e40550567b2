# SPDX-License-Identifier: LGPL-2.1-or-later
"""The JSON of measure, and the report from it."""

from __future__ import annotations

import html.parser
import json
import re
from pathlib import Path
from typing import Any

import measure_factory as factory
import pytest

from tactus.measure import document, manifest, results
from tactus.measure.plan import LINUX, LINUX_SPIN, THREAD
from tactus.report import charts
from tactus.report.page import render

SPEC = Path(__file__).resolve().parents[2] / "docs/spec/measure.md"
RUN_KEYS = {
    *(
        "core",
        "context",
        "tasks",
        "load",
        "idle",
        "period_ns",
        "samples",
        "min_ns",
        "avg_ns",
    ),
    *("p50_ns", "p99_ns", "p999_ns", "max_ns", "overruns", "histogram"),
}


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    facts = manifest.collect(Path(__file__).parent, 0, ["measure"], {"cpu": "stress-ng"})
    whole = document.make(factory.usual(), facts, 0)
    loaded: dict[str, Any] = json.loads(json.dumps(whole))
    return loaded


def test_document_has_the_keys_of_its_schema(made: dict[str, Any]) -> None:
    assert made["schema"] == 1
    assert {"manifest", "noise", "runs"} <= made.keys()
    assert len(made["runs"]) == 16
    for entry in made["runs"]:
        assert entry.keys() >= RUN_KEYS


def test_every_key_is_documented(made: dict[str, Any]) -> None:
    named = set(re.findall(r"`([a-z0-9_]+)`", SPEC.read_text(encoding="utf-8")))
    keys = made.keys() | made["noise"].keys() | made["noise"]["by_load"]["idle"].keys()
    for entry in made["runs"]:
        keys |= entry.keys() | entry["histogram"].keys() | entry["per_task"][0].keys()
    keys |= made["manifest"].keys() | made["manifest"]["rt_throttling"].keys()
    assert sorted(keys - named) == []


def test_percentile_that_may_not_be_given_is_null(made: dict[str, Any]) -> None:
    assert all(entry["p999_ns"] is None for entry in made["runs"])
    assert all(entry["p99_ns"] is not None for entry in made["runs"])


def test_best_lead_is_said_of_the_spinning_peer_only(made: dict[str, Any]) -> None:
    idle = [r for r in made["runs"] if r["load"] == "idle" and r["tasks"] == 1]
    assert [(r["core"], r["lead_ns"], r["best_lead"]) for r in idle] == [
        (LINUX, None, None),
        (LINUX_SPIN, 25_000, False),
        (LINUX_SPIN, 50_000, True),
        (THREAD, None, None),
    ]


def test_rounds_are_put_one_after_the_other() -> None:
    parts = [factory.output([10, 20], overruns=3), factory.output([30, 40], overruns=4)]
    entry = results.as_json(results.combine(factory.setup(LINUX), parts, None), False)
    assert entry["samples"] == 4
    assert entry["overruns"] == 7
    assert entry["rounds"] == 2
    period = factory.PERIOD_NS
    assert entry["worst"] == [
        [0, 10, 0],
        [period, 20, 0],
        [2 * period, 30, 0],
        [3 * period, 40, 0],
    ]


def test_each_task_has_its_own_figures() -> None:
    latencies = [100, 900] * 1000
    parts = [factory.output(latencies, tasks=2)]
    entry = results.as_json(results.combine(factory.setup(LINUX, tasks=2), parts, None), False)
    assert [t["p99_ns"] for t in entry["per_task"]] == [100, 900]
    assert [t["samples"] for t in entry["per_task"]] == [1000, 1000]


def test_dead_load_is_in_the_json() -> None:
    dead = factory.run(THREAD, 45, 2100, load="cpu", failure="the load cpu ended")
    (entry,) = document.make(factory.measurement(dead), {}, 0)["runs"]
    assert entry["load_ok"] is False
    assert entry["load_failure"] == "the load cpu ended"


def test_manifest_reads_a_machine_under_any_root(tmp_path: Path) -> None:
    cpu = tmp_path / "sys/devices/system/cpu"
    (cpu / "cpu3/cpufreq").mkdir(parents=True)
    (cpu / "cpu3/cpufreq/scaling_governor").write_text("powersave\n")
    (cpu / "isolated").write_text("2-3\n")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(
        "model name\t: Example 5000\nflags\t\t: fpu hypervisor\n"
    )
    found = manifest.machine(tmp_path, 3)
    assert found["governor"] == "powersave"
    assert found["cpus_isolated"] == "2-3"
    assert found["cpu_model"] == "Example 5000"
    assert found["hypervisor"] == "unknown"
    assert found["clock_source"] is None
    assert found["rt_throttling"] == {"runtime_us": None, "period_us": None}


class Page(html.parser.HTMLParser):
    """Collects addresses that would be fetched, and the data of the charts."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.charts: list[Any] = []
        self._data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.fetched += [
            f"{tag} {key}"
            for key in ("src", "href")
            if key in given and not (given[key] or "").startswith("data:image/svg+xml;base64,")
        ]
        self._data = tag == "script" and given.get("type") == "application/json"

    def handle_data(self, data: str) -> None:
        if self._data:
            self.charts.append(json.loads(data))
        self._data = False


def test_report_needs_no_other_file_and_holds_all_charts(made: dict[str, Any]) -> None:
    text = render(made)
    page = Page()
    page.feed(text)
    assert page.fetched == []
    assert "url(http" not in text and "@import" not in text
    assert len(page.charts) == 3 * 4
    assert all(len(chart["series"]) >= 3 for chart in page.charts)


def test_report_escapes_what_it_is_given(made: dict[str, Any]) -> None:
    hostile = {**made, "sentence": "</script><b>x", "notices": ["<img src=x>"]}
    text = render(hostile)
    assert "<b>x" not in text and "<img src=x>" not in text


def test_complementary_distribution_ends_at_one_sample() -> None:
    points = charts.survival([(10, 90), (100, 9), (1000, 1)])
    assert points == [[10, 1.0], [100, pytest.approx(0.1)], [1000, pytest.approx(0.01)]]


def test_thinning_keeps_first_and_every_last_point() -> None:
    points = [[float(i), 1 / (i + 1)] for i in range(5000)]
    kept = charts.thin(points)
    assert len(kept) <= charts.POINTS_MAX
    assert kept[0] == points[0]
    assert kept[-charts.POINTS_MAX // 2 :] == points[-charts.POINTS_MAX // 2 :]
