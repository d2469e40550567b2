# SPDX-License-Identifier: LGPL-2.1-or-later
"""Option values with a range."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def number(low: float, high: float, unit: str) -> Callable[[str], float]:
    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: use {low:g} to {high:g} {unit}")
        return value

    return convert


def whole(low: int, high: int, noun: str) -> Callable[[str], int]:
    def convert(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: use a {noun} from {low} to {high}")
        return int(text)

    return convert
