# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the jobs of a plan: side by side if virtual time makes that harmless, otherwise in turn."""

from tactus.lab.engine.session import Session, run

__all__ = ["Session", "run"]
