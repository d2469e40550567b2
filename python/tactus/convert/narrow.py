# SPDX-License-Identifier: LGPL-2.1-or-later
"""A tact_handle_t could hold any object. One that is only made as an object of one type gets this
type."""

from __future__ import annotations

from collections.abc import Iterator

from tactus.convert.api import ANY
from tactus.convert.declared import Kind, Variable
from tactus.convert.operands import Expressions
from tactus.convert.tokens import Source


def addresses(source: Source, expressions: Expressions) -> Iterator[tuple[int, int, Kind]]:
    """Each argument of a call of the API that has to point to a handle: its first and last token,
    and the type of the handle."""
    for index, token in enumerate(source.code):
        function = expressions.api.functions.get(token.text)
        if function is None or not source.is_at(index + 1, "("):
            continue
        for part, wanted in zip(source.parts(index + 1), function.parameters, strict=False):
            if wanted and wanted.depth == 1 and wanted.name in expressions.api.handles:
                yield *part, Kind(wanted.name)


def retype(source: Source, expressions: Expressions) -> str:
    wanted: dict[int, set[str]] = {}
    declared: dict[int, Variable] = {}
    for variable in expressions.declared.variables:
        local = not variable.is_parameter and variable.at >= 0
        if local and variable.kind == Kind(ANY):
            declared[variable.statement] = variable
    for first, last, kind in addresses(source, expressions):
        if last != first + 1 or not source.is_at(first, "&"):
            continue
        of = expressions.declared.variable(source.code[last].text, last)
        if of is not None and of.statement in declared:
            wanted.setdefault(of.statement, set()).add(kind.name)
    for statement, names in wanted.items():
        if len(names) == 1 and ANY not in names:
            _replace(source, statement, next(iter(names)))
    return source.result()


def _replace(source: Source, statement: int, name: str) -> None:
    index = statement
    while not source.is_at(index, ANY):
        index += 1
    source.code[index].text = name
