# SPDX-License-Identifier: LGPL-2.1-or-later
"""From a description to a target that runs jobs."""

from __future__ import annotations

from collections.abc import Mapping

from tactus.lab.targets.describe import LOCAL, VM, Description
from tactus.lab.targets.local import Local
from tactus.lab.targets.protocol import Target
from tactus.project import Project


def opened(description: Description, project: Project, environment: Mapping[str, str]) -> Target:
    if description.kind == VM:
        from tactus.lab.targets.guests import Virtual

        return Virtual(description, project, environment)
    if description.kind == LOCAL:
        return Local(description, project)
    from tactus.lab.targets.ssh import Remote

    return Remote(description, project, environment)
