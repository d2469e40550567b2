# SPDX-License-Identifier: LGPL-2.1-or-later
"""Operands of expressions: where they begin and end, and which of them are handles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactus.convert.api import MACROS, Api
from tactus.convert.declared import INTEGERS, NOT_TYPES, QUALIFIERS, Declarations, Function, Kind
from tactus.convert.tokens import Source

_NO_OPERAND = NOT_TYPES - {"sizeof"}
_MEMBER = (".", "->")


@dataclass(frozen=True, slots=True)
class Operand:
    """From a token to a token; kind: None where it is not known."""

    first: int
    last: int
    kind: Kind | None


class Expressions:
    """Of a source, with what is declared there and elsewhere."""

    def __init__(self, source: Source, api: Api, declared: Declarations) -> None:
        self.source = source
        self.api = api
        self.declared = declared
        self._by_member: dict[str, set[Kind]] = {}
        for members in declared.members.values():
            for name, kind in members.items():
                self._by_member.setdefault(name, set()).add(declared.resolved(kind))

    def is_handle(self, kind: Kind | None) -> bool:
        return kind is not None and not kind.depth and kind.name in self.api.handles

    def is_integer(self, kind: Kind | None) -> bool:
        return kind is not None and not kind.depth and kind.name == "int"

    def function(self, name: str) -> Function | None:
        return self.api.functions.get(name) or self.declared.functions.get(name)

    def member(self, base: Kind | None, name: str) -> Kind | None:
        if base is not None:
            for tables in (self.api.members, self.declared.members):
                if base.name in tables and name in tables[base.name]:
                    return self.declared.resolved(tables[base.name][name])
            return None
        kinds = self._by_member.get(name, set())
        return next(iter(kinds)) if len(kinds) == 1 else None

    def handles(self) -> Iterator[Operand]:
        """Every operand that is a handle as a whole."""
        index = 0
        while index < len(self.source.code):
            operand = self.postfix(index)
            if operand and self.is_handle(operand.kind):
                yield self._dereferenced(operand)
            elif operand and operand.kind and operand.kind.depth == 1:
                whole = self._dereferenced(operand)
                if self.is_handle(whole.kind):
                    yield whole
            index += 1

    def _dereferenced(self, operand: Operand) -> Operand:
        """With the stars before it."""
        first, kind = operand.first, operand.kind
        while kind and kind.depth and self._is_unary(first - 1, "*"):
            first, kind = first - 1, kind.inner()
        return Operand(first, operand.last, kind)

    def _is_unary(self, index: int, sign: str) -> bool:
        if not self.source.is_at(index, sign):
            return False
        if index == 0:
            return True
        former = self.source.code[index - 1]
        if former.kind in ("number", "string"):
            return False
        if former.kind == "word":
            return former.text in NOT_TYPES
        return former.text not in (")", "]") or (
            former.text == ")" and self.cast(index - 1) is not None
        )

    def cast(self, end: int) -> Kind | None:
        """If a cast ends with that bracket: its type."""
        begin = self.source.partner.get(end)
        if begin is None or not self.source.is_at(end, ")") or end - begin < 2:
            return None
        # A call, or the condition of a statement.
        if (
            begin
            and self.source.code[begin - 1].kind == "word"
            and not self.source.is_at(begin - 1, "return", "case", "else")
        ):
            return None
        return self.type_name(begin + 1, end - 1)

    def type_name(self, first: int, last: int) -> Kind | None:
        depth, name = 0, ""
        for token in self.source.code[first : last + 1]:
            if token.text == "*":
                depth += 1
            elif token.kind != "word":
                return None
            elif token.text in INTEGERS:
                name = "int"
            elif token.text not in QUALIFIERS and token.text not in ("struct", "enum", "union"):
                if name:
                    return None
                name = token.text
        plain = self.declared.variable(name, first) is None
        is_type = name in ("int", "void") or name.endswith("_t") or name in self.declared.aliases
        is_type = is_type or self.source.is_at(first, "struct", "const", "enum", "union")
        return self.declared.resolved(Kind(name, depth)) if name and plain and is_type else None

    def postfix(self, index: int, limit: int | None = None) -> Operand | None:
        """The operand whose first token this is, without prefixes; limit: its last token."""
        source = self.source
        token = source.code[index]
        if source.is_at(index - 1, *_MEMBER):
            return None
        if token.kind == "word" and token.text not in _NO_OPERAND and token.text not in QUALIFIERS:
            kind, last = self._primary(index)
        elif token.text == "(" and self.cast(source.partner.get(index, -1)) is None:
            if (
                index
                and source.code[index - 1].kind == "word"
                and not source.is_at(index - 1, *NOT_TYPES)
            ):
                return None
            last = source.partner.get(index, index)
            inner = self.forward(index + 1)
            kind = inner.kind if inner and inner.last == last - 1 else None
        elif token.text == "(":  # a compound literal, or a cast, which is a prefix
            end = source.partner[index]
            if not source.is_at(end + 1, "{"):
                return None
            kind, last = self.cast(end), source.partner.get(end + 1, end + 1)
        else:
            return None
        return self._chain(index, last, kind, limit)

    def _primary(self, index: int) -> tuple[Kind | None, int]:
        name = self.source.code[index].text
        variable = self.declared.variable(name, index)
        if variable and variable.at != index:
            return self.declared.resolved(variable.kind), index
        if variable:
            return None, index  # its declaration
        if self.source.is_at(index + 1, "(") and index + 1 in self.source.partner:
            last = self.source.partner[index + 1]
            function = self.function(name)
            if name == "tact_object":
                return Kind("tact_object_t"), last
            return (self.declared.resolved(function.result) if function else None), last
        if self.source.is_at(index + 1, "{") and name in self.api.handles:  # C++
            return Kind(name), self.source.partner.get(index + 1, index)
        return MACROS.get(name), index

    def _chain(self, first: int, last: int, kind: Kind | None, limit: int | None) -> Operand:
        source = self.source
        while limit is None or last < limit:
            following = last + 1
            if source.is_at(following, "["):
                kind = kind.inner() if kind else None
                last = source.partner.get(following, following)
            elif source.is_at(following, *_MEMBER) and following + 1 < len(source.code):
                name = source.code[following + 1].text
                kind = self.member(kind, name)
                last = following + 1
            elif source.is_at(following, "(") and following > first + 1:
                kind, last = None, source.partner.get(following, following)
            elif source.is_at(following, "++", "--"):
                last = following
            else:
                break
        return Operand(first, last, kind)

    def forward(self, index: int) -> Operand | None:
        """The operand that begins there, with its prefixes."""
        code, first = self.source.code, index
        index, depth, converted = self._prefixes(index)
        if index >= len(code):
            return None
        if code[index].kind in ("number", "string"):
            text = code[index].text[:1] == '"'
            return Operand(first, index, converted or Kind("int", int(text)))
        operand = self.postfix(index)
        if operand is None:
            return None
        kind = operand.kind and Kind(operand.kind.name, operand.kind.depth + depth)
        return Operand(first, operand.last, converted or kind)

    def _prefixes(self, index: int) -> tuple[int, int, Kind | None]:
        """The token behind the prefixes, how they change the depth, and the type that they give."""
        source, depth = self.source, 0
        converted: Kind | None = None
        while index < len(source.code):
            if source.is_at(index, "*"):
                depth -= 1
            elif source.is_at(index, "&"):
                depth += 1
            elif source.is_at(index, "!", "-", "~", "+"):
                converted = converted or Kind("int")
            else:
                end = source.partner.get(index, -1)
                cast = self.cast(end) if source.is_at(index, "(") else None
                if cast is None or source.is_at(end + 1, "{"):
                    break
                converted, index = converted or cast, end
            index += 1
        return index, depth, converted

    def backward(self, index: int) -> Operand | None:
        """The operand that ends there."""
        source, first = self.source, index
        while first >= 0:
            if source.is_at(first, ")", "]", "}"):
                begin = source.partner.get(first, first)
                if source.is_at(first, ")", "}") and not self._continues(begin):
                    first = begin
                    break
                first = begin - 1
            elif source.is_at(first - 1, *_MEMBER):
                first -= 2
            else:
                break
        if first < 0:
            return None
        if source.code[first].kind in ("number", "string"):
            return Operand(first, index, Kind("int"))
        operand = self.postfix(first, index)
        if operand is None or operand.last != index:
            return None
        return self._dereferenced(operand)

    def _continues(self, begin: int) -> bool:
        """Does the bracket stand behind what is called, or behind a type?"""
        source = self.source
        named = begin > 0 and source.code[begin - 1].kind == "word"
        return (named and not source.is_at(begin - 1, *NOT_TYPES)) or source.is_at(
            begin - 1, ")", "]"
        )
