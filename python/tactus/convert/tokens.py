# SPDX-License-Identifier: LGPL-2.1-or-later
"""C and C++ as tokens, of which comments, blanks and directives are kept as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//(?:\\\n|[^\n])*)
    |(?P<directive>(?<![^\n])[ \t]*\#(?:/\*.*?\*/|\\\n|[^\n])*)
    |(?P<string>(?:L|u8|u|U)?"(?:\\.|[^"\\\n])*"|(?:L|u8|u|U)?'(?:\\.|[^'\\\n])*')
    |(?P<word>[A-Za-z_]\w*)
    |(?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
    |(?P<blank>\s+)
    |(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\.\.\.|[-+*/%&|^]=|::|.)""",
    re.VERBOSE | re.DOTALL,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {end: begin for begin, end in OPENING.items()}


@dataclass(slots=True)
class Token:
    """A piece of the source, and what a rule puts around it."""

    kind: str
    text: str
    line: int
    before: str = ""
    after: str = ""


@dataclass
class Source:
    """A file's text. Rules change tokens; the next rule reads what came out."""

    text: str
    cplusplus: bool
    every: list[Token] = field(init=False)

    def __post_init__(self) -> None:
        self.every = []
        line = 1
        for found in _TOKEN.finditer(self.text):
            self.every.append(Token(str(found.lastgroup), found[0], line))
            line += found[0].count("\n")

    @cached_property
    def code(self) -> list[Token]:
        return [t for t in self.every if t.kind in ("word", "number", "string", "sign")]

    @cached_property
    def partner(self) -> dict[int, int]:
        """Of each bracket in the code: the other one."""
        pairs: dict[int, int] = {}
        open_: list[int] = []
        for index, token in enumerate(self.code):
            if token.text in OPENING and token.kind == "sign":
                open_.append(index)
            elif open_ and CLOSING.get(token.text) == self.code[open_[-1]].text:
                pairs[index] = open_[-1]
                pairs[open_.pop()] = index
        return pairs

    def is_at(self, index: int, *texts: str) -> bool:
        return 0 <= index < len(self.code) and self.code[index].text in texts

    def result(self) -> str:
        return "".join(f"{t.before}{t.text}{t.after}" for t in self.every)

    def parts(self, begin: int) -> list[tuple[int, int]]:
        """What stands between the brackets at begin, split at commas: first and last of each."""
        end = self.partner.get(begin)
        if end is None or end == begin + 1:
            return []
        found, first, index = [], begin + 1, begin + 1
        while index < end:
            if self.is_at(index, ","):
                found.append((first, index - 1))
                first = index + 1
            index = self.partner.get(index, index)
            index += 1
        # A comma may end an initializer.
        return [*found, (first, end - 1)] if first < end else found

    def typed(self, kind: str, value: str) -> str:
        """A value of a type, as an expression."""
        return f"{kind}{{{value}}}" if self.cplusplus else f"({kind}){{{value}}}"
