# SPDX-License-Identifier: LGPL-2.1-or-later
"""Error codes of the POSIX skin for sources: that a test has each which Xenomai's manual documents.

Its tests need real-time CPUs, so this reads them: a statement that makes the call and expects the
code, outside of comments and texts, compares the two.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TABLE = "tests/skins/cobalt/documented.toml"
TESTS = ("tests/skins/cobalt", "tests/skins/posix")
_TEXT = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"\w+")
_CALL = re.compile(r"\b(\w+)\)?\s*\(")  # also __RT(name)(


def _statements(root: Path) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Of every statement of the tests that expects something what it calls, and its words."""
    for folder in TESTS:
        for path in sorted((root / folder).glob("*.c")):
            for statement in _TEXT.sub(" ", path.read_text()).split(";"):
                calls = frozenset(_CALL.findall(statement))
                if any(call.startswith(("expect", "until")) for call in calls):
                    yield calls, frozenset(_WORD.findall(statement))


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
        seen = frozenset[str]().union(*(words for made, words in statements if names & made))
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
