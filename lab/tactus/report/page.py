# SPDX-License-Identifier: LGPL-2.1-or-later
"""The HTML page: one file that opens offline, made from the JSON of a measurement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from tactus.measure.units import count_text, prose_time, share_text
from tactus.report import charts

FOLDER = Path(__file__).parent


def _blocks(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    runs = document["runs"]
    by_load = document["noise"]["by_load"]
    keys = list(dict.fromkeys((run["load"], run["tasks"]) for run in runs))
    blocks = []
    for load, tasks in keys:
        own = [run for run in runs if (run["load"], run["tasks"]) == (load, tasks)]
        shown = charts.shown(own)
        blocks.append(
            {
                "load": load,
                "tasks": tasks,
                "runs": own,
                "shown": shown,
                "noise": by_load.get(load),
                "charts": charts.block(shown, by_load.get(load)),
            }
        )
    return blocks


def _flat(manifest: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in manifest.items():
        name = prefix + key.replace("_", " ")
        if isinstance(value, Mapping):
            rows += _flat(value, f"{name}: ")
        else:
            rows.append((name, "–" if value in (None, "") else str(value)))
    return rows


def _embed(value: Any) -> Markup:
    """JSON for a script element, which only a less-than sign could end."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def render(document: Mapping[str, Any]) -> str:
    """The whole page as text."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(time=prose_time, count=count_text, share=share_text, embed=_embed)
    environment.globals["label"] = charts.label
    return environment.get_template("page.html.j2").render(
        document=document,
        blocks=_blocks(document),
        manifest=_flat(document["manifest"]),
        style=Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        script=Markup((FOLDER / "chart.js").read_text(encoding="utf-8")),
    )
