# SPDX-License-Identifier: LGPL-2.1-or-later
"""Option values with a range, and files to write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from tactus.project import UserError


def number(low: float, high: float, unit: str) -> Callable[[str], float]:
    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: use {low:.12g} to {high:.12g} {unit}")
        return value

    return convert


def whole(low: int, high: int, noun: str) -> Callable[[str], int]:
    def convert(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: use a {noun} from {low} to {high}")
        return int(text)

    return convert


def check_output(path: Path | None) -> None:
    """Before the minute of measurement, not after it."""
    if path is None:
        return
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: make it, or choose another FILE")
    try:
        if path.is_file() or not path.exists():
            _try_to_write(path)
        elif path.is_dir() or not os.access(path, os.W_OK):
            raise UserError(f"cannot write {path}: choose another FILE")
    except OSError as error:
        raise UserError(f"cannot write {path} ({error.strerror}): choose another FILE") from None


def _try_to_write(path: Path) -> None:
    """Rights alone are no proof: root also has them on a read-only file system and in /proc."""
    there = path.exists()
    with path.open("ab"):
        pass
    if not there:
        path.unlink()


_UNITS_NS = {"ns": 1, "us": 1000, "µs": 1000, "ms": 10**6, "s": 10**9}


def duration(low_ns: int, high_ns: int) -> Callable[[str], int]:
    """A time with its unit (`100us`), in nanoseconds."""

    def convert(text: str) -> int:
        digits = text.rstrip("nuµms")
        try:
            value = float(digits) * _UNITS_NS[text[len(digits) :]]
        except (KeyError, ValueError, OverflowError):
            value = float("nan")
        if not low_ns <= value <= high_ns:
            raise argparse.ArgumentTypeError(f"{text!r}: use a time with its unit, as 100us or 1ms")
        return round(value)

    return convert
