# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of `./tactus lab`, in the order of its help; tactus/commands says what a module of a
command defines."""

NAMES = ("run", "plan", "targets", "report", "verdict", "compare", "merge", "vm")
