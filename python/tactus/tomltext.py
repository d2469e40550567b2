# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files that users write in TOML; a mistake is reported in one line, with place and line number."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tactus.project import UserError

_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.S)
_SHOWN = 60


def parse(text: str, where: str) -> dict[str, Any]:
    """The table in `text`; raises UserError with the wrong line. where: names the file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(_mistake(text, where, str(error))) from None


def read(file: Path) -> dict[str, Any]:
    """The table in a file; raises UserError also if it cannot be read or is no UTF-8."""
    try:
        return parse(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is no UTF-8 text: byte {error.start} is wrong") from None


def _mistake(text: str, where: str, said: str) -> str:
    place = _PLACE.fullmatch(said)
    reason = re.sub(r"\s+", " ", place[1] if place else said)
    lines = text.splitlines() or [""]
    number = int(place[2]) if place and place[2] else len(lines)
    column = f":{place[3]}" if place and place[3] else ""
    line = lines[min(number, len(lines)) - 1].strip()
    shown = line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
    place_text = f"{where}:{number}{column}"
    return f"{place_text}: {shown!r} is no TOML ({reason}): write KEY = VALUE or [TABLE]"
