#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that each error code of the native API has one cause, and that docs/spec/errors.md is new.

usage: check_causes.py [--write] [ROOT]

The causes are in dev/errors.toml. A header that gives a code another cause, a code without a cause,
a comment of error.h that tells another one, and a call that waits and that the test of the causes
does not walk through are refused, a line each; exit status 1 when there is one. --write writes
docs/spec/errors.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import causes
import manual
from tree import root_of, tell

PAGE = "docs/spec/errors.md"
# A row for each call that a signal interrupts; the others have tests of their own.
WALKED = "tests/nucleus/errors/waits.c"
WALKED_ELSEWHERE = frozenset({"tact_interrupt_wait", "tact_task_suspend", "tact_task_suspend_once"})
HEAD = """\
# Error codes of the native API

Made of `dev/errors.toml` and the headers by `dev/check_causes.py --write`; do not edit. A call
returns 0 or a positive number on success, and the negative of a code on failure. A code has one
cause, whatever the object and the call.

`tact_task_unblock()` can end a wait with any code of the caller, -4095 to -1, so a waiting call can
return a code that its row does not have.

| cause | code | number | |
|---|---|---:|---|
"""
CALLS = """
## Calls

*as f()*: the cause is the one that f() has. In italics: the header names the code alone.
"""


def faults(root: Path) -> Iterator[str]:
    told = causes.causes(root)
    exist = causes.codes(root)
    for code in sorted(exist.keys() - told.keys()):
        yield f"{causes.TABLE}: TACT_{code} has no cause"
    for code in sorted(told.keys() - exist.keys()):
        yield f"{causes.TABLE}: {code}: {causes.ERROR_HEADER} has no such code"
    for code in sorted(told.keys() & exist.keys()):
        if exist[code][1] != told[code].cause:
            yield (
                f"{causes.ERROR_HEADER}: TACT_{code}: the comment is not the cause: "
                f"{told[code].cause}"
            )
    phrases = [phrase for call in manual.calls(root) for phrase in causes.phrases(call)]
    used = {phrase.code for phrase in phrases}
    for code, cause in told.items():
        if cause.inside == (code in used):
            yield f"{causes.TABLE}: {code}: " + (
                "a call returns it" if cause.inside else "no call returns it"
            )
    for phrase in phrases:
        yield from _other_cause(phrase, told)
    yield from _not_walked(root, phrases)
    page = root / PAGE
    if not page.is_file() or page.read_text() != text(root):
        yield f"{PAGE}: not made of these headers: dev/check_causes.py --write"


def _other_cause(phrase: causes.Phrase, told: Mapping[str, causes.Cause]) -> Iterator[str]:
    cause = told.get(phrase.code)
    if not phrase.text or phrase.text.startswith("as ") or not cause:
        return
    if cause.words and not cause.words.search(phrase.text):
        yield f"{phrase.at}: -TACT_{phrase.code} ({cause.cause}) for: {phrase.text}"
    for other in told.values():
        if other.code != phrase.code and other.only and other.only.search(phrase.text):
            yield (
                f"{phrase.at}: -TACT_{phrase.code} for what is -TACT_{other.code} "
                f"({other.cause}): {phrase.text}"
            )


def _not_walked(root: Path, phrases: Sequence[causes.Phrase]) -> Iterator[str]:
    """The calls that wait and that the test does not walk through, with all causes."""
    walk = root / WALKED
    walked = set(re.findall(r'\{"(tact_\w+)",', walk.read_text())) if walk.is_file() else set()
    waiting = {phrase.call.name for phrase in phrases if phrase.code == "EINTR"}
    for name in sorted(waiting - walked - WALKED_ELSEWHERE):
        yield f"{WALKED}: {name}() waits and has no row"


def text(root: Path) -> str:
    """docs/spec/errors.md."""
    exist = causes.codes(root)
    told = causes.causes(root)
    rows = [
        f"| {cause.cause} | `{code}` | {exist[code][0]} | {cause.sentence} |"
        for code, cause in told.items()
        if not cause.inside and code in exist
    ]
    return HEAD + "\n".join(rows) + "\n" + CALLS + "".join(_sections(manual.calls(root), told))


def _sections(calls: Sequence[manual.Call], told: Mapping[str, causes.Cause]) -> Iterator[str]:
    header = ""
    for call in calls:
        rows = list(dict.fromkeys(_rows(call, told)))
        if not call.returns_codes or not rows:
            continue
        if call.header != header:
            header = call.header
            yield f"\n### {header}\n| call | code | cause |\n|---|---|---|\n"
        for index, (code, cause) in enumerate(rows):
            name = f"`{call.name}()`" if index == 0 else ""
            yield f"| {name} | {code} | {cause} |\n"


def _rows(call: manual.Call, told: Mapping[str, causes.Cause]) -> Iterator[tuple[str, str]]:
    phrases = list(causes.phrases(call))
    with_text = {phrase.code for phrase in phrases if phrase.text}
    for phrase in phrases:
        # A code that the manual names without a phrase, and elsewhere with one.
        if phrase.text or phrase.code not in with_text:
            yield f"`{phrase.code}`", phrase.text or _alone(phrase.code, told)
    for other in sorted(call.like):
        yield "…", f"as {other}()"


def _alone(code: str, told: Mapping[str, causes.Cause]) -> str:
    return f"*{told[code].cause}*" if code in told else ""


def main(argv: list[str]) -> int:
    writes = "--write" in argv
    root = root_of([word for word in argv if word != "--write"])
    if writes:
        (root / PAGE).write_text(text(root))
    return tell(faults(root))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
