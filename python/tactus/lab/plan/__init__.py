# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plans: TOML files that say what is measured and where, and the jobs that they expand to."""

from tactus.lab.plan.jobs import Filter, jobs
from tactus.lab.plan.read import Group, Plan, find, plans

__all__ = ["Filter", "Group", "Plan", "find", "jobs", "plans"]
