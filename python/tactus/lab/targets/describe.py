# SPDX-License-Identifier: LGPL-2.1-or-later
"""Descriptions of targets: TOML files, those of the project in lab/targets, others by their
path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tactus import tomltext
from tactus.lab import named
from tactus.project import UserError

FOLDER = Path(__file__).resolve().parents[4] / "lab/targets"
VM, LOCAL, SSH = "vm", "local", "ssh"
INSTALLED = "installed"
"""The kernel of a target that cannot boot another one."""
ACCELERATORS = ("icount", "tcg", "kvm")
_TEXT, _WHOLE = "a text", "a whole number"
# Key, its type, and the value if it is left out; None: it must be given.
_KEYS: dict[str, dict[str, tuple[str, Any]]] = {
    VM: {
        "accelerator": (_TEXT, "icount"),
        "memory_mib": (_WHOLE, 768),
        "arguments": (_TEXT, ""),
        "slice_us": (_WHOLE, 20),
    },
    LOCAL: {"kernel": (_TEXT, INSTALLED), "cpu": (_WHOLE, -1)},
    SSH: {
        "host": (_TEXT, None),
        "user": (_TEXT, ""),
        "port": (_WHOLE, 22),
        "identity": (_TEXT, ""),
        "known_hosts": (_TEXT, ""),
        "folder": (_TEXT, "/var/tmp"),
        "kernel": (_TEXT, INSTALLED),
        "cpu": (_WHOLE, -1),
    },
}
# Below and above these, no target can have the value; -1 stands for no CPU in particular.
_RANGES = {
    "memory_mib": (256, 1 << 20),
    "slice_us": (1, 1_000_000),
    "cpu": (-1, 4095),
    "port": (1, 65535),
}
_PLACE = re.compile(r"/[\w./+-]*")


@dataclass(frozen=True, slots=True)
class Description:
    """A target as its file describes it; plain data, so that it can be sent to another process."""

    name: str
    kind: str
    says: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def virtual_time(self) -> bool:
        """Is a nanosecond there an instruction? Then jobs do not disturb each other."""
        return self.kind == VM and self.options["accelerator"] == "icount"

    @property
    def kernel(self) -> str | None:
        """The one kernel that it has; None: it boots the kernel that a job names."""
        return None if self.kind == VM else str(self.options["kernel"])

    def text(self, key: str) -> str:
        return str(self.options[key])

    def whole(self, key: str) -> int:
        return int(self.options[key])


def parse(name: str, text: str, where: str) -> Description:
    """Strict: a misspelt word is an error, never ignored."""
    table = tomltext.parse(text, where)
    kind, says = table.pop("kind", None), table.pop("says", "")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise UserError(f"{where}: kind is {kind!r}: choose one of {', '.join(_KEYS)}")
    if not isinstance(says, str):
        raise UserError(f"{where}: says must be a text")
    keys = _KEYS[kind]
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise UserError(
            f"{where}: a target of kind {kind} has no {unknown[0]}; it has {', '.join(keys)}"
        )
    options: dict[str, Any] = {}
    for key, (wanted, default) in keys.items():
        value = table.get(key, default)
        if value is None:
            raise UserError(f"{where}: {key} is missing")
        right = str if wanted == _TEXT else int
        if not isinstance(value, right) or isinstance(value, bool):
            raise UserError(f"{where}: {key} is {value!r}, it must be {wanted}")
        options[key] = value
    for key, value in options.items():
        complaint = _complaint(key, value)
        if complaint:
            raise UserError(f"{where}: {key} is {value!r}: {complaint}")
    return Description(name, kind, says, options)


def _complaint(key: str, value: Any) -> str | None:
    lowest, highest = _RANGES.get(key, (None, None))
    if lowest is not None and not lowest <= value <= highest:
        return f"it must be {lowest} to {highest}"
    if key == "accelerator" and value not in ACCELERATORS:
        return f"choose one of {', '.join(ACCELERATORS)}"
    if key in ("host", "kernel") and not value:
        return "it must be a name"
    if key in ("host", "user") and value.startswith("-"):
        return "it may not begin with a hyphen"
    if key == "folder" and not _PLACE.fullmatch(value):
        return "it must be an absolute path without blanks"
    return None


def described(folder: Path = FOLDER) -> list[Description]:
    """The targets of the project."""
    return [_read(path) for path in named.files(folder)]


def find(name: str, folder: Path = FOLDER) -> Description:
    """A target by its name, or by the path of its file."""
    return _read(named.find("target", name, folder))


def _read(path: Path) -> Description:
    return parse(path.stem, named.text("target", path), str(path))
