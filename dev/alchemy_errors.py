# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the manual has each error code of Xenomai's Alchemy, or a reason why not.

What our manual has is then for check_errors.py to see in a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import documented
import manual

HEADERS = "skins/alchemy/include/alchemy"
TABLE = "tests/skins/alchemy/documented.toml"


def faults(root: Path) -> Iterator[str]:
    """Differences between the headers and the table."""
    table = documented.table_of(root, TABLE)
    calls = {call.name: call for call in manual.calls(root, HEADERS) if call.returns_codes}
    for name in sorted(calls.keys() - table.calls):
        yield f"{TABLE}: {name}() is not in it"
    for name in sorted(table.calls - calls.keys()):
        yield f"{TABLE}: {name}(): no header has such a call"
    for entry in table.entries:
        if entry.call not in calls:
            continue
        told = entry.code in manual.allowed(calls[entry.call], calls)
        if not entry.reason and not told:
            yield f"{TABLE}: {entry.call}(): its manual does not have -{entry.code}"
        elif entry.reason and told:
            yield f"{TABLE}: {entry}: its manual has it"
    yield from table.reason_faults()
