# SPDX-License-Identifier: LGPL-2.1-or-later
"""The JSON of a measurement (docs/spec/measure.md), from which all reports are made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tactus.measure import noise, repeats, results, table, verdict
from tactus.measure.session import Measurement
from tactus.project import UserError

SCHEMA = 1


def make(measurement: Measurement, manifest: dict[str, Any], cpu: int) -> dict[str, Any]:
    best = results.best_leads(measurement.results)
    return {
        "schema": SCHEMA,
        "manifest": manifest,
        "noise": noise.as_json(cpu, measurement.noise),
        "runs": [results.as_json(result, result in best) for result in measurement.results],
        "sentence": verdict.sentence(measurement.results, measurement.noise),
        "table": table.render(measurement.results, measurement.noise).splitlines(),
        "notices": measurement.notices(),
        "repeats": repeats.as_json(measurement.repeats),
    }


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


def write_json(path: Path, document: dict[str, Any]) -> None:
    write(path, json.dumps(document, ensure_ascii=False) + "\n")
