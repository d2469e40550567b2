# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times for people: three digits, and the unit that reads best."""

from __future__ import annotations

import re

_NUMBER_AND_UNIT = re.compile(r"(\d) (ns|µs|ms|s)\b")
_UNITS = ((1e9, " s"), (1e6, "ms"), (1e3, "µs"))


def time_text(value_ns: float | None) -> str:
    """At most six characters for times below 1000 s: 999ns, 12.3µs, -45ns; an en dash for None."""
    if value_ns is None:
        return "–"
    size = abs(value_ns)
    # 999.5 of a unit would round to 1000 of it, and belongs to the next unit.
    for scale, unit in _UNITS:
        if size >= 0.9995 * scale:
            return _three_digits(value_ns / scale) + unit
    return f"{value_ns:.0f}ns"


def prose_time(value_ns: float | None) -> str:
    """Like time_text(), with the space before the unit that a sentence needs."""
    text = time_text(value_ns).replace(" ", "")
    digits = text.rstrip("nµms")
    return f"{digits} {text[len(digits) :]}" if digits != text else text


def tied(text: str) -> str:
    """A number and its unit stay on one line."""
    return _NUMBER_AND_UNIT.sub("\\1\N{NO-BREAK SPACE}\\2", text)


def _three_digits(value: float) -> str:
    size = abs(value)
    if size >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"


def count_text(count: int) -> str:
    """At most six characters: 123456, 1.23M."""
    if count < 1_000_000:
        return str(count)
    millions = _three_digits(count / 1e6)
    return f"{millions}M"


def share_text(share: float) -> str:
    """At most four characters: 0%, 0.1%, 2.1%, 12%."""
    percent = 100 * share
    if percent < 0.05:
        return "0%"
    return f"{percent:.1f}%" if percent < 9.95 else f"{percent:.0f}%"


def times_text(ratio: float) -> str:
    """A ratio of two times: 3.4, 12, 910."""
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
