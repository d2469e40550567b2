# SPDX-License-Identifier: LGPL-2.1-or-later
"""The HTML page: one file that opens offline, made from the JSON of a measurement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from tactus.measure.units import count_text, prose_time, share_text, tied
from tactus.report import charts, draw

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


def flat(manifest: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """The lines of a manifest: name and value."""
    rows: list[tuple[str, str]] = []
    for key, value in manifest.items():
        name = prefix + key.replace("_", " ")
        if isinstance(value, Mapping):
            rows += flat(value, f"{name}: ")
        else:
            rows.append((name, "–" if value in (None, "") else str(value)))
    return rows


def _embed(value: Any) -> Markup:
    """JSON for a script element, which only a less-than sign could end."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def environment(folder: Path) -> jinja2.Environment:
    """The environment for a folder of templates: strict, escaping, with filters for times and
    charts."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(time=prose_time, count=count_text, share=share_text, embed=_embed)
    made.filters.update(picture=draw.address, tied=tied)
    return made


def style() -> Markup:
    return Markup((FOLDER / "page.css").read_text(encoding="utf-8"))


def script() -> Markup:
    """The script that draws each `figure.chart` from the JSON inside."""
    return Markup((FOLDER / "chart.js").read_text(encoding="utf-8"))


def render(document: Mapping[str, Any]) -> str:
    """The whole page as text."""
    templates = environment(FOLDER)
    templates.globals["label"] = charts.label
    return templates.get_template("page.html.j2").render(
        document=document,
        blocks=_blocks(document),
        manifest=flat(document["manifest"]),
        style=style(),
        script=script(),
    )
