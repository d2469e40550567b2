# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is left to be done by hand after a conversion: a line, and what to do there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tactus.convert import calls, narrow
from tactus.convert.api import ANY
from tactus.convert.declared import NOT_TYPES, Declarations, Kind
from tactus.convert.operands import Expressions
from tactus.convert.structures import ATTRIBUTES, PARAMETERS
from tactus.convert.tokens import Source

_CHANGED = ("tact_task_set_priority", "tact_find", "tact_delete")
_OWN_MACROS = ("tact_object", "tact_same", "sizeof", "tact_find")
_IN_MACRO = re.compile(
    r"\b(tact_task_set_priority|tact_task_change_priority|tact_find|tact_delete)\s*\("
)


_CONST = (
    "sched points to the parameters, which are const there: change the struct tact_sched_param "
    "that it points to"
)
_ADDRESS = "sched is a pointer: give it the address of the parameters"


@dataclass(frozen=True, slots=True, order=True)
class Note:
    line: int
    sentence: str


def notes(source: Source, expressions: Expressions) -> list[Note]:
    found = [
        *_macros(source),
        *_comparisons(source, expressions),
        *_found(source, expressions),
        *_parameters(source, expressions),
        *_structures(source, expressions),
        *_functions(source),
        *_addresses(source, expressions),
        *_unknown(source, expressions),
        *_pointers(source),
        *_atomics(source, expressions),
        *_priorities(source),
    ]
    return sorted(set(found))


def _macros(source: Source) -> Iterator[Note]:
    for token in source.every:
        if token.kind == "directive" and token.text.lstrip(" \t#").startswith("define"):
            for name in _IN_MACRO.findall(token.text):
                yield Note(
                    token.line, f"a macro calls {name}(): give it the arguments of version 1"
                )


def _comparisons(source: Source, expressions: Expressions) -> Iterator[Note]:
    for operand in expressions.handles():
        before, behind = operand.first - 1, operand.last + 1
        if source.is_at(behind, "==", "!=") or source.is_at(before, "==", "!="):
            yield Note(
                source.code[operand.first].line,
                "a handle is compared with something of unknown type: use tact_same() for two "
                "handles, or the member id",
            )
        elif source.is_at(behind, "++", "--", "+=", "-=", "|=", "&=", "^="):
            yield Note(source.code[operand.first].line, "a handle is no number: use its member id")


def _found(source: Source, expressions: Expressions) -> Iterator[Note]:
    for index in calls.of_one_type(source, expressions):
        yield Note(
            source.code[index].line,
            "tact_find() gives a tact_object_t: let it write one, and make the handle of it, "
            "as in sem = (tact_sem_t){found.id}",
        )


def _parameters(source: Source, expressions: Expressions) -> Iterator[Note]:
    for index, token in enumerate(source.code):
        if token.text == "sched" and source.is_at(index - 1, "->", "."):
            sentence = (
                _designated(source, expressions, index)
                if source.is_at(index - 2, "{", ",")
                else _used(source, expressions, index)
            )
            if sentence:
                yield Note(token.line, sentence)
        brace = index + 2 + source.is_at(index + 2, "=")
        ordered = source.is_at(brace, "{") and not source.is_at(brace + 1, "}", ".", "0")
        if token.text == PARAMETERS and ordered:
            yield Note(token.line, f"the members of {PARAMETERS} have another order: name them")


def _designated(source: Source, expressions: Expressions, index: int) -> str | None:
    if source.is_at(index + 1, ".") and source.is_at(
        index + 2, *expressions.api.members[PARAMETERS]
    ):
        return _CONST
    return _ADDRESS if _is_no_address(expressions, index + 2) else None


def _used(source: Source, expressions: Expressions, index: int) -> str | None:
    base = expressions.backward(index - 2)
    if base is None or base.kind is None or base.kind.name != ATTRIBUTES:
        return None
    if source.is_at(index + 1, ".", "["):
        return _CONST
    gives = source.is_at(index + 1, "=") and _is_no_address(expressions, index + 2)
    return _ADDRESS if gives else None


def _is_no_address(expressions: Expressions, index: int) -> bool:
    value = expressions.forward(index)
    return value is not None and value.kind == Kind(PARAMETERS)


def _atomics(source: Source, expressions: Expressions) -> Iterator[Note]:
    for index, token in enumerate(source.code):
        of = source.code[index + 1].text if index + 1 < len(source.code) else ""
        if token.text in ("_Atomic", "volatile") and of in expressions.api.handles:
            yield Note(
                token.line,
                "read the whole handle before its member id: copy it to a handle that is not "
                f"{token.text}",
            )


def _structures(source: Source, expressions: Expressions) -> Iterator[Note]:
    """Where such a structure has no declaration of its own that could initialize it."""
    for name, members in Declarations(source).members.items():
        if name in expressions.api.members:
            continue
        for member, kind in members.items():
            if kind.name in expressions.api.sized and not kind.depth:
                yield Note(
                    _line_of(source, member, kind.name),
                    f"{member} is a member: set {member}.size to 0 before a call fills it, if the "
                    "structure around it is not initialized",
                )
    for index, token in enumerate(source.code):
        called = source.is_at(index - 2, "malloc", "alloca") or source.is_at(index - 1, "*")
        sized = source.is_at(index + 2, "struct") and source.is_at(
            index + 3, *expressions.api.sized
        )
        if token.text == "sizeof" and sized and called:
            yield Note(token.line, "set the member size to 0 in this memory before a call uses it")


def _line_of(source: Source, member: str, kind: str) -> int:
    for index, token in enumerate(source.code):
        if token.text == kind and source.is_at(index + 1, member):
            return token.line
    return next((t.line for t in source.code if t.text == member), 1)


def _addresses(source: Source, expressions: Expressions) -> Iterator[Note]:
    for first, last, wanted in narrow.addresses(source, expressions):
        operand = expressions.forward(first)
        kind = operand.kind if operand and operand.last == last else None
        if kind and kind.depth == 1 and kind.name in expressions.api.handles - {wanted.name}:
            yield Note(
                source.code[first].line,
                f"the call gives a {wanted.name} where a {kind.name} is: declare a {wanted.name}, "
                "and make the other handle of it",
            )


def _unknown(source: Source, expressions: Expressions) -> Iterator[Note]:
    """Handles that are given to what no file declares."""
    for operand in expressions.handles():
        begin = operand.first - 1
        if not source.is_at(begin, "(", ",") or not source.is_at(operand.last + 1, ")", ","):
            continue
        while begin > 0 and not source.is_at(begin, "(", "{", ";"):
            closes = source.is_at(begin, ")", "]", "}")
            begin = source.partner.get(begin, begin) - 1 if closes else begin - 1
        if not source.is_at(begin, "(") or source.code[begin - 1].kind != "word":
            continue
        name = source.code[begin - 1].text
        known = expressions.function(name) or expressions.declared.variable(name, begin - 1)
        if not known and name not in _OWN_MACROS and name not in NOT_TYPES:
            yield Note(
                source.code[operand.first].line,
                f"{name}() gets a handle, and none of the files declares it: if it takes a "
                "number, give it the member id",
            )


def _pointers(source: Source) -> Iterator[Note]:
    for index, token in enumerate(source.code):
        pointer = source.is_at(index - 1, "*") and source.is_at(index - 2, "(")
        if pointer and source.is_at(index + 1, ")") and source.is_at(index + 2, "("):
            end = source.partner.get(index + 2, index + 2)
            if any(one.text == ANY for one in source.code[index + 2 : end]):
                yield Note(
                    token.line,
                    f"{token.text} points to functions of any object: those of one type do not fit",
                )


def _functions(source: Source) -> Iterator[Note]:
    for index, token in enumerate(source.code):
        if token.text in _CHANGED and not source.is_at(index + 1, "("):
            yield Note(
                token.line, f"{token.text}() has other arguments: change the type of the pointer"
            )


def _priorities(source: Source) -> Iterator[Note]:
    for index, token in enumerate(source.code):
        if token.text in ("uint8_t", "char") and re.match(
            r"prio", source.code[index + 1].text if index + 1 < len(source.code) else ""
        ):
            yield Note(token.line, "priorities go up to 256: 8 bits do not hold TACT_PRIORITY_MAX")
