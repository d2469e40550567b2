# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls that take more, or other, arguments than before."""

from __future__ import annotations

from collections.abc import Iterator

from tactus.convert.api import ANY
from tactus.convert.declared import Variable
from tactus.convert.operands import Expressions
from tactus.convert.tokens import Source

# A further argument: the call, the number of its arguments before, its place and its value.
FURTHER = (
    ("tact_task_set_priority", 3, 2, "0"),
    ("tact_task_unblock", 1, 1, "-TACT_EINTR"),
)
PASSED_BY = "tact_task_change_priority"
FIND = "tact_find"
DELETE = "tact_delete"


def change(source: Source, expressions: Expressions) -> str:
    for name, former, place, value in FURTHER:
        function = expressions.api.functions.get(name)
        if function is None or len(function.parameters) != former + 1:
            continue
        for index in _called(source, name):
            parts = source.parts(index + 1)
            if len(parts) == former and place < former:
                source.code[parts[place][0]].before += f"{value}, "
            elif len(parts) == former:
                source.code[parts[-1][1]].after += f", {value}"
    for index in _called(source, PASSED_BY):
        parts = source.parts(index + 1)
        if len(parts) == 3:
            source.code[index].text = "tact_task_set_priority"
            source.code[parts[2][0]].before += "TACT_PRIORITY_AHEAD, "
    for index in _called(source, DELETE):
        _delete(source, expressions, index)
    return source.result()


def _called(source: Source, name: str) -> Iterator[int]:
    for index, token in enumerate(source.code):
        if token.text == name and source.is_at(index + 1, "("):
            yield index


def _delete(source: Source, expressions: Expressions, index: int) -> None:
    parts = source.parts(index + 1)
    if len(parts) != 1:
        return
    given = {token.text for token in source.code[parts[0][0] : parts[0][1] + 1]}
    if given & {"tact_object", "TACT_NONE"}:
        return
    operand = expressions.forward(parts[0][0])
    if operand and operand.last == parts[0][1] and operand.kind and operand.kind.name == ANY:
        return
    if operand and operand.last == parts[0][1] and expressions.is_handle(operand.kind):
        return  # as any argument: handles.py
    source.code[parts[0][0]].before += "tact_object("
    source.code[parts[0][1]].after += ")"


def find(source: Source, expressions: Expressions) -> str:
    """tact_find() gives any object. A variable of one type gets it from one of any type."""
    for index in _called(source, FIND):
        parts = source.parts(index + 1)
        variable = _variable(source, expressions, parts[2]) if len(parts) == 3 else None
        statement = _statement(source, index)
        if variable and statement is not None:
            _find(source, variable, parts[2], statement)
    return source.result()


def of_one_type(source: Source, expressions: Expressions) -> Iterator[int]:
    """The calls of tact_find() whose result has one type."""
    for index in _called(source, FIND):
        parts = source.parts(index + 1)
        if len(parts) == 3 and not source.is_at(parts[2][0], "NULL", "nullptr", "0"):
            operand = expressions.forward(parts[2][0])
            if operand is None or operand.kind is None or operand.kind.name != ANY:
                yield index


def _variable(source: Source, expressions: Expressions, part: tuple[int, int]) -> Variable | None:
    first, last = part
    if last != first + 1 or not source.is_at(first, "&"):
        return None
    variable = expressions.declared.variable(source.code[last].text, last)
    if variable is None or variable.kind.name == ANY or not expressions.is_handle(variable.kind):
        return None
    return variable


def _statement(source: Source, index: int) -> tuple[int, int] | None:
    """The first token of the statement around, and its semicolon, if it stands for itself in a
    block."""
    end = index
    while end < len(source.code) and not source.is_at(end, ";", "{", "}"):
        end = source.partner.get(end, end) + 1 if source.is_at(end, "(", "[") else end + 1
        while source.is_at(end, ")"):
            end += 1
    begin = index
    while begin > 0 and not source.is_at(begin - 1, ";", "{", "}"):
        begin -= 1
        if source.is_at(begin, "if", "while", "for", "else", "return", "do", "switch"):
            return None
    return (begin, end) if source.is_at(end, ";") else None


def _find(
    source: Source, variable: Variable, part: tuple[int, int], statement: tuple[int, int]
) -> None:
    begin, end = statement
    name = f"{variable.name}_found"
    margin = _margin(source, begin)
    kind = variable.kind.name
    nothing = "{}" if source.cplusplus else "{0}"
    source.code[begin].before += f"{ANY} {name} = {nothing};\n{margin}"
    source.code[part[1]].text = name
    value = source.typed(kind, f"{name}.id")
    source.code[end].after += f"\n{margin}{variable.name} = {value};"


def _margin(source: Source, index: int) -> str:
    position = next(i for i, t in enumerate(source.every) if t is source.code[index])
    former = source.every[position - 1] if position else None
    return former.text.rpartition("\n")[2] if former and former.kind == "blank" else ""
