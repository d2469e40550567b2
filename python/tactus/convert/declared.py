# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a source declares, as far as handles and the structures of the API are concerned: variables
with their scopes, functions, members. No preprocessor: a macro's text is not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tactus.convert.tokens import Source

QUALIFIERS = frozenset(
    {
        "const",
        "volatile",
        "static",
        "extern",
        "register",
        "inline",
        "restrict",
        "_Atomic",
        "_Thread_local",
        "__thread",
        "constexpr",
        "thread_local",
        "_Noreturn",
        "__inline__",
        "mutable",
    }
)
INTEGERS = frozenset(
    {
        "int",
        "unsigned",
        "signed",
        "long",
        "short",
        "char",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "size_t",
        "ssize_t",
        "uintptr_t",
        "intptr_t",
        "bool",
        "_Bool",
    }
)
OTHERS = frozenset(
    {
        "void",
        "float",
        "double",
        "auto",
        "FILE",
        "pthread_t",
    }
)
RECORDS = frozenset({"struct", "union", "class"})
NOT_TYPES = frozenset(
    {
        "return",
        "goto",
        "case",
        "else",
        "sizeof",
        "if",
        "while",
        "for",
        "do",
        "switch",
        "default",
        "break",
        "continue",
        "typedef",
    }
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A type: its name without `struct`, and how many pointers or arrays lead to it."""

    name: str
    depth: int = 0

    def inner(self, levels: int = 1) -> Kind | None:
        return Kind(self.name, self.depth - levels) if self.depth >= levels else None


@dataclass(frozen=True, slots=True)
class Function:
    result: Kind
    parameters: tuple[Kind | None, ...]
    is_variadic: bool = False
    is_static: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared name. first, last: the tokens where it is known; at: its own."""

    name: str
    kind: Kind
    at: int
    first: int
    last: int
    statement: int  # where its declaration begins
    is_static: bool
    is_extern: bool
    is_parameter: bool = False


class Declarations:
    """Of a source."""

    def __init__(self, source: Source, aliases: Mapping[str, Kind] | None = None) -> None:
        self.source = source
        self.variables: list[Variable] = []
        self.functions: dict[str, Function] = {}
        self.members: dict[str, dict[str, Kind]] = {}
        self.aliases: dict[str, Kind] = dict(aliases or {})
        self.handles: set[str] = set()
        self.bodies: list[tuple[int, int, Function]] = []
        self._scopes: list[int] = [len(source.code)]
        self._records: dict[int, dict[str, Kind]] = {}  # by the end of the braces
        self._parameters: list[Variable] = []
        self._read()

    def variable(self, name: str, at: int) -> Variable | None:
        """The innermost one of that name that is known there."""
        known = [v for v in self.variables if v.name == name and v.first <= at <= v.last]
        return max(known, key=lambda v: (v.first, -v.last)) if known else None

    def result_at(self, at: int) -> Kind | None:
        """What the function around returns."""
        around = [f for first, last, f in self.bodies if first < at < last]
        return around[-1].result if around else None

    def resolved(self, kind: Kind) -> Kind:
        alias = self.aliases.get(kind.name)
        return Kind(alias.name, alias.depth + kind.depth) if alias else kind

    def _read(self) -> None:
        code, begins = self.source.code, True
        index = 0
        while index < len(code):
            text = code[index].text
            if begins and (following := self._declaration(index)) is not None:
                index, begins = following, True
                continue
            if text == "{" and code[index].kind == "sign":
                self._open(index)
            elif text == "}" and len(self._scopes) > 1 and self._scopes[-1] == index:
                self._scopes.pop()
            begins = text in (";", "{", "}", ":", ")") or (
                text == "(" and self.source.is_at(index - 1, "for")
            )
            index += 1

    def _open(self, index: int) -> None:
        self._scopes.append(self.source.partner.get(index, len(self.source.code)))
        self._parameters = []

    def _specifiers(self, index: int) -> tuple[Kind, int, frozenset[str]] | None:
        """A type, the token behind it, and its qualifiers."""
        code, name = self.source.code, ""
        seen: set[str] = set()
        while index < len(code) and code[index].kind == "word":
            text = code[index].text
            if text in QUALIFIERS:
                seen.add(text)
            elif text in (*RECORDS, "enum") and not name:
                if not index + 1 < len(code) or code[index + 1].kind != "word":
                    return None
                index += 1
                name = code[index].text
            elif text in INTEGERS and (not name or name in INTEGERS):
                name = "int"
            elif not name and self._is_type(text):
                name = text
            else:
                break
            index += 1
        return (self.resolved(Kind(name)), index, frozenset(seen)) if name else None

    def _is_type(self, word: str) -> bool:
        return word not in NOT_TYPES and (
            word.endswith("_t")
            or word in OTHERS
            or word in self.aliases
            or (self.source.cplusplus and word.startswith("tact_"))
        )

    def _declaration(self, begin: int) -> int | None:
        """If a declaration begins there: the token to go on with."""
        source = self.source
        if source.is_at(begin, "typedef"):
            following = self._typedef(begin)
            return self._record(begin) if following is None else following
        record = self._record(begin)
        if record is not None:
            return record
        found = self._specifiers(begin)
        if not found:
            return None
        kind, index, qualifiers = found
        while True:
            depth, index = self._pointers(index)
            if not index < len(source.code) or source.code[index].kind != "word":
                return None
            at, index = index, index + 1
            if source.is_at(index, "("):
                whole = Kind(kind.name, kind.depth + depth)
                return self._function(at, whole, "static" in qualifiers)
            arrays, index = self._arrays(index)
            if not source.is_at(index, "=", ",", ";", ":", "{", "__attribute__"):
                return None
            self._add(at, Kind(kind.name, kind.depth + depth + arrays), begin, qualifiers)
            index = self._behind_initializer(index)
            if not source.is_at(index, ","):
                return index
            index += 1

    def _pointers(self, index: int) -> tuple[int, int]:
        """How many stars stand there, and the token behind them."""
        depth = 0
        while self.source.is_at(index, "*", "&", "const", "restrict", "volatile"):
            depth += self.source.is_at(index, "*")
            index += 1
        return depth, index

    def _arrays(self, index: int) -> tuple[int, int]:
        depth = 0
        while self.source.is_at(index, "["):
            depth, index = depth + 1, self.source.partner.get(index, index) + 1
        return depth, index

    def _behind_initializer(self, index: int) -> int:
        """The comma, semicolon or bracket that ends a declarator."""
        source = self.source
        while index < len(source.code) and not source.is_at(index, ",", ";", ")", "}"):
            opens = source.is_at(index, "(", "[", "{")
            index = (source.partner.get(index, index) if opens else index) + 1
        return index

    def _add(self, at: int, kind: Kind, begin: int, qualifiers: frozenset[str]) -> None:
        name = self.source.code[at].text
        record = self._records.get(self._scopes[-1])
        if record is not None:
            record[name] = kind
            return
        top = len(self._scopes) == 1
        self.variables.append(
            Variable(
                name,
                kind,
                at,
                at,
                self._scopes[-1],
                begin,
                top or "static" in qualifiers,
                "extern" in qualifiers,
            )
        )

    def _function(self, at: int, result: Kind, is_static: bool) -> int | None:
        """A prototype, or the head of a definition."""
        source = self.source
        end = source.partner.get(at + 1)
        if end is None:
            return None
        kinds: list[Kind | None] = []
        known: list[tuple[int, Kind, int]] = []
        for first, last in source.parts(at + 1):
            nothing = source.is_at(first, "void") and first == last
            if nothing or source.is_at(first, "..."):
                continue
            kind, named = self._parameter(first, last)
            kinds.append(kind)
            if kind is not None and named is not None:
                known.append((named, kind, first))
        variadic = source.is_at(end - 1, "...")
        function = Function(result, tuple(kinds), variadic, is_static)
        self.functions[source.code[at].text] = function
        index = end + 1
        while source.is_at(index, "__attribute__", "const", "noexcept", "override"):
            index = source.partner.get(index + 1, index) + 1
        if source.is_at(index, "{"):
            close = source.partner.get(index, len(source.code))
            self.bodies.append((index, close, function))
            self.variables += [
                Variable(source.code[i].text, kind, i, i, close, first, False, False, True)
                for i, kind, first in known
            ]
        return index

    def _parameter(self, first: int, last: int) -> tuple[Kind | None, int | None]:
        """Its type, None where it is not known, and the token of its name."""
        found = self._specifiers(first)
        if not found:
            return None, None
        kind, index, _ = found
        depth, index = self._pointers(index)
        if self.source.is_at(index, "("):  # a pointer to a function
            return None, None
        named = index <= last and self.source.code[index].kind == "word"
        arrays, _ = self._arrays(index + named)
        return Kind(kind.name, kind.depth + depth + arrays), index if named else None

    def _typedef(self, begin: int) -> int | None:
        """Another name of a type; or a type of its own, which a structure of one number makes a
        handle."""
        source = self.source
        if source.is_at(begin + 1, *RECORDS) and source.is_at(begin + 2, "{"):
            end = source.partner.get(begin + 2, begin + 2)
            number = source.is_at(begin + 3, "uint32_t") and source.is_at(begin + 4, "id")
            if number and end == begin + 6 and source.code[end + 1].kind == "word":
                self.handles.add(source.code[end + 1].text)
            return None
        found = self._specifiers(begin + 1)
        if not found:
            return None
        kind, index, _ = found
        depth = 0
        while source.is_at(index, "*"):
            depth, index = depth + 1, index + 1
        if source.code[index].kind == "word" and source.is_at(index + 1, ";"):
            self.aliases[source.code[index].text] = Kind(kind.name, kind.depth + depth)
            return index + 1
        return None

    def _record(self, begin: int) -> int | None:
        """The head of a structure whose members follow."""
        source, index = self.source, begin
        while source.is_at(index, *QUALIFIERS, "typedef"):
            index += 1
        if not source.is_at(index, *RECORDS):
            return None
        name = source.code[index + 1].text if source.is_at(index + 2, "{") else ""
        brace = index + 2 if name else index + 1
        if not source.is_at(brace, "{"):
            return None
        self._open(brace)
        members: dict[str, Kind] = {}
        self._records[self._scopes[-1]] = members
        end = source.partner.get(brace, brace) + 1
        typedef = source.is_at(begin, "typedef") and end < len(source.code)
        self.members[name or f"{source.code[brace].line}:{brace}"] = members
        if typedef and source.code[end].kind == "word":
            self.members[source.code[end].text] = members
            self.aliases[source.code[end].text] = Kind(source.code[end].text)
        elif name and source.cplusplus:
            self.aliases[name] = Kind(name)
        return brace + 1
