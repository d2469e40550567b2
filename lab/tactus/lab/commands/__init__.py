# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of `./tactus lab`, in the order that its help shows; see tactus/commands for what a
module defines."""

from types import ModuleType

from tactus.lab.commands import compare, merge, report, verdict, vm

MODULES: dict[str, ModuleType] = {
    "report": report,
    "verdict": verdict,
    "compare": compare,
    "merge": merge,
    "vm": vm,
}
