# SPDX-License-Identifier: LGPL-2.1-or-later
"""Error codes of the POSIX skin for sources: that a test has each which Xenomai's manual documents.

Its tests need real-time CPUs, so this reads them: a statement that names both the call and the
code compares the two.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TABLE = "tests/skins/cobalt/documented.toml"
TESTS = ("tests/skins/cobalt", "tests/skins/posix")
_WORD = re.compile(r"\w+")


def _statements(root: Path) -> Iterator[frozenset[str]]:
    """The words of every statement of the tests."""
    for folder in TESTS:
        for path in sorted((root / folder).glob("*.c")):
            for statement in path.read_text().split(";"):
                yield frozenset(_WORD.findall(statement))


def faults(root: Path) -> Iterator[str]:
    """What is not in the tests, and what the table says amiss."""
    table = tomllib.loads((root / TABLE).read_text())
    reasons: dict[str, str] = table["reasons"]
    calls: dict[str, str] = table["codes"]
    helpers: dict[str, str] = table["helpers"]
    statements = list(_statements(root))
    used: set[str] = set()
    for call, codes in calls.items():
        names = {call, *helpers.get(call, "").split()}
        seen = frozenset[str]().union(*(words for words in statements if names & words))
        for word in codes.split():
            code, _, reason = word.partition(":")
            if reason:
                used.add(reason)
            if reason and reason not in reasons:
                yield f"{TABLE}: {call} {word}: no such reason"
            elif reason and code in seen:
                yield f"{TABLE}: {call} {word}: a test has it"
            elif not reason and code not in seen:
                yield f"{TABLE}: {call}(): no test has {code}"
    for reason in sorted(reasons.keys() - used):
        yield f"{TABLE}: nothing has the reason {reason}"
