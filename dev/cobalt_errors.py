# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that a test has each error code of Xenomai's manual, for the POSIX skin for sources.

Its tests need real-time CPUs, so this reads them: a statement that makes the call and expects the
code, outside of comments and texts, compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import documented

TABLE = "tests/skins/cobalt/documented.toml"
TESTS = ("tests/skins/cobalt", "tests/skins/posix")
_TEXT = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"\w+")
_CALL = re.compile(r"\b(\w+)\)?\s*\(")  # also __RT(name)(


def _statements(root: Path) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The calls and words of every statement of the tests that expects something."""
    for folder in TESTS:
        for path in sorted((root / folder).glob("*.c")):
            for statement in _TEXT.sub(" ", path.read_text()).split(";"):
                calls = frozenset(_CALL.findall(statement))
                if any(call.startswith(("expect", "until")) for call in calls):
                    yield calls, frozenset(_WORD.findall(statement))


def faults(root: Path) -> Iterator[str]:
    """Codes that no test has, and faults of the table."""
    table = documented.table_of(root, TABLE)
    statements = list(_statements(root))
    for call in sorted(table.calls):
        names = {call, *table.helpers.get(call, "").split()}
        seen = frozenset[str]().union(*(words for made, words in statements if names & made))
        for entry in table.entries:
            if entry.call != call:
                continue
            if entry.reason and entry.code in seen:
                yield f"{TABLE}: {entry}: a test has it"
            elif not entry.reason and entry.code not in seen:
                yield f"{TABLE}: {call}(): no test has {entry.code}"
    yield from table.reason_faults()
