# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where a program names error codes whose causes changed with version 1 of the native API."""

from __future__ import annotations

from collections.abc import Iterator

from tactus.convert.tokens import Source

# Not TACT_EINVAL and TACT_EBUSY: most programs compare with them for causes that did not change.
CHANGED = frozenset({"TACT_EAGAIN", "TACT_EINTR", "TACT_ENOSPC", "TACT_ENOENT"})


def named(text: str) -> Iterator[tuple[int, str]]:
    """The lines that name such a code, with the code."""
    for token in Source(text, cplusplus=False).code:
        if token.kind == "word" and token.text in CHANGED:
            yield token.line, token.text
