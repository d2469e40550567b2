# SPDX-License-Identifier: LGPL-2.1-or-later
"""The result of one check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """The severity of a finding, worst first."""

    BAD = "bad"
    WARN = "warn"
    UNKNOWN = "unknown"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence on the finding, and a line on how to correct it, empty if nothing is due."""

    level: Level
    text: str
    fix: str = ""


def ok(text: str) -> Finding:
    return Finding(Level.OK, text)


def warn(text: str, fix: str) -> Finding:
    return Finding(Level.WARN, text, fix)


def bad(text: str, fix: str) -> Finding:
    return Finding(Level.BAD, text, fix)


def unknown(text: str, fix: str = "") -> Finding:
    return Finding(Level.UNKNOWN, text, fix)
