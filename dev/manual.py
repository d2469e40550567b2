# SPDX-License-Identifier: LGPL-2.1-or-later
"""The calls in the headers of the native API, and of skins with the same form of comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HEADERS = "nucleus/include/tactus"
# Designed, but neither installed nor implemented.
DESIGNED = "docs/spec/services"

# A comment and what follows it up to the first semicolon or brace: a prototype, if it is one.
_PIECE = re.compile(r"(?:/\*(?P<comment>(?:(?!\*/).)*)\*/\s*)?(?P<text>[^;{}#/]+)[;{}]", re.S)
_PROTOTYPE = re.compile(
    r"\s*(?P<result>[\w\s]+?[\s*]+)(?P<name>(?:tact|rt)_\w+)"
    r"\((?P<arguments>(?:[^()]|\([^()]*\))*)\)",
    re.S,
)
_CODE = re.compile(r"-(?:TACT_)?(E[A-Z]+)")
_AS = r"as ((?:tact|rt)_\w+)\(\)(?: and ((?:tact|rt)_\w+)\(\))?"
_NAMED = re.compile(rf"\b{_AS}")
# All codes of the other call, not only those named before it with their cause.
_LIKE = re.compile(rf"\b(?:[Rr]eturns|or|otherwise) {_AS}")
# The calls that every kind of object has, documented once.
_SERVICES = re.compile(r"as the services of alchemy/(\w+)\.h")
_VERBS = ("inquire", "bind", "unbind")


@dataclass(frozen=True, slots=True)
class Call:
    """A function and the comment above it."""

    header: str
    line: int
    name: str
    result: str
    prototype: str
    arguments: tuple[str, ...]
    manual: str

    @property
    def returns_codes(self) -> bool:
        return self.result in ("int", "ssize_t")

    @property
    def returns(self) -> str:
        """The text about results: from the first `Returns` on."""
        found = re.search(r"\b(?:Returns?|returns|Both return)\b", self.manual)
        return self.manual[found.start() :] if found else ""

    @property
    def codes(self) -> frozenset[str]:
        """Codes that it names itself."""
        return frozenset(_CODE.findall(self.returns))

    @property
    def named(self) -> frozenset[str]:
        """Calls to which its results refer."""
        return self._found(_NAMED)

    @property
    def like(self) -> frozenset[str]:
        """Calls whose codes it also has."""
        services = [
            f"rt_{kind}_{verb}" for kind in _SERVICES.findall(self.manual) for verb in _VERBS
        ]
        return self._found(_LIKE) | frozenset(services)

    def _found(self, names: re.Pattern[str]) -> frozenset[str]:
        found = names.findall(self.returns.replace("\n *", ""))
        return frozenset(name for pair in found for name in pair if name)


def allowed(call: Call, calls: Mapping[str, Call]) -> frozenset[str]:
    """Its own codes and those of the calls to which it refers."""
    codes = set(call.codes)
    reached, pending = {call.name}, list(call.like)
    while pending:
        name = pending.pop()
        if name not in reached and name in calls:
            reached.add(name)
            codes |= calls[name].codes
            pending += calls[name].like
    return frozenset(codes)


def calls(root: Path, folder: str = HEADERS) -> list[Call]:
    """Every function that the folder's headers declare, in their order."""
    headers = sorted((root / folder).glob("*.h"))
    return [call for path in headers for call in _calls_of(path)]


def _calls_of(path: Path) -> Iterator[Call]:
    # Without the preprocessor's lines, which end in no semicolon.
    text = re.sub(r"^#.*(?:(?<=\\)\n.*)*$", _blank, path.read_text(), flags=re.M)
    manual = ""
    for piece in _PIECE.finditer(text):
        found = _PROTOTYPE.match(piece["text"])
        # Adjacent calls share the comment above the first one.
        if piece["comment"] or piece["text"].startswith("\n\n"):
            manual = piece["comment"] or ""
        if not found or found["result"].split()[0] in ("static", "return"):
            continue
        at = piece.start("text") + found.start("name")
        yield Call(
            path.name,
            text.count("\n", 0, at) + 1,
            found["name"],
            " ".join(found["result"].split()),
            " ".join(found[0].split()),
            _arguments(found["arguments"]),
            manual,
        )


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _arguments(text: str) -> tuple[str, ...]:
    """The names of a prototype's arguments."""
    flat = re.sub(r"\(\*(\w+)\)\s*\([^()]*\)|\[[^]]*\]", r" \1", " ".join(text.split()))
    names = [re.findall(r"\w+", part)[-1] for part in flat.split(",") if part.strip()]
    return () if names == ["void"] else tuple(names)
