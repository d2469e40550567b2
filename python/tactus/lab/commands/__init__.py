# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of `./tactus lab`, in the order that its help shows; see tactus/commands for what a
module of that name defines."""

NAMES = ("run", "plan", "targets", "report", "verdict", "compare", "merge", "vm")
