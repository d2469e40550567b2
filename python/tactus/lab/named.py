# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plans and targets: TOML files, given by a name in the project or by a path."""

from __future__ import annotations

from pathlib import Path

from tactus.project import UserError


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def find(noun: str, name: str, folder: Path) -> Path:
    """The file of that name, or the path, whose existence is not checked."""
    if "/" in name or name.endswith(".toml"):
        return Path(name)
    path = folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(each.stem for each in files(folder))
        raise UserError(f"no {noun} {name!r}: choose one of {known}, or give a TOML file's path")
    return path


def text(noun: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UserError(f"cannot read the {noun} {path}: {reason}") from None
