# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where jobs run: a guest, this machine, another machine. A target is described by a TOML file."""

from tactus.lab.targets.describe import Description, described, find
from tactus.lab.targets.open import opened
from tactus.lab.targets.protocol import Target

__all__ = ["Description", "Target", "described", "find", "opened"]
