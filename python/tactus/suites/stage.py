# SPDX-License-Identifier: LGPL-2.1-or-later
"""An installed tree of a build, in which foreign programs find what they need."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tactus.project import UserError


def install(build: Path, into: Path) -> Path:
    """Installs the built files below `into`; returns its xeno-config."""
    _done(
        ["meson", "install", "-C", str(build), "--no-rebuild", "--quiet"],
        {**os.environ, "DESTDIR": str(into)},
    )
    said = _done(["meson", "introspect", "--buildoptions", str(build)], dict(os.environ))
    options: dict[str, str] = {item["name"]: item["value"] for item in json.loads(said)}
    bin_folder = Path(options["prefix"]) / options["bindir"]
    return into / bin_folder.relative_to("/") / "xeno-config"


def _done(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise UserError(f"{' '.join(command)}: {lines[-1] if lines else done.returncode}")
    return done.stdout
