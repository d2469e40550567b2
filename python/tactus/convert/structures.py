# SPDX-License-Identifier: LGPL-2.1-or-later
"""Structures that begin with their size, and the parameters that attributes point to."""

from __future__ import annotations

from tactus.convert.declared import Variable
from tactus.convert.names import MEMBERS
from tactus.convert.operands import Expressions
from tactus.convert.tokens import Source, Token

ATTRIBUTES = "tact_task_attr"
PARAMETERS = "tact_sched_param"
NAMED = frozenset({ATTRIBUTES, "tact_config"})


def rename_members(source: Source, expressions: Expressions) -> str:
    """Members with new names: where they are used, and where they are designated."""
    for of, former, name in MEMBERS:
        for index, token in enumerate(source.code):
            if token.text != former or not source.is_at(index - 1, ".", "->"):
                continue
            if source.is_at(index - 2, "{", ","):
                base = _braces_of(source, expressions, index - 2)
            else:
                operand = expressions.backward(index - 2)
                base = operand.kind.name if operand and operand.kind else None
            # No other structure of the API has a member of these names.
            if base == of or (base is None and former == "crowd_ms"):
                token.text = name
    return source.result()


def _braces_of(source: Source, expressions: Expressions, index: int) -> str | None:
    """The structure that is initialized there."""
    while index >= 0 and not source.is_at(index, "{"):
        index = source.partner.get(index, index) if source.is_at(index, ")", "]", "}") else index
        index -= 1
    if source.is_at(index - 1, ")"):
        cast = expressions.cast(index - 1)
        return cast.name if cast else None
    if not source.is_at(index - 1, "="):
        return None
    name = index - 2
    while source.is_at(name, "]"):
        name = source.partner.get(name, name) - 1
    variable = expressions.declared.variable(source.code[name].text, name)
    return variable.kind.name if variable and variable.at == name else None


def initialize(source: Source, expressions: Expressions) -> str:
    """Every such structure has a size: 0 where nothing else is said."""
    for variable in expressions.declared.variables:
        if variable.kind.name in expressions.api.sized and not variable.is_parameter:
            _initialize(source, variable)
    for index, token in enumerate(source.code):
        if token.text == "{" and source.is_at(index - 1, ")"):
            cast = expressions.cast(index - 1)
            if cast and not cast.depth and cast.name in expressions.api.sized:
                _designate(source, index, cast.name)
    return source.result()


def _initialize(source: Source, variable: Variable) -> None:
    end, arrays = variable.at + 1, 0
    while source.is_at(end, "["):
        end, arrays = source.partner.get(end, end) + 1, arrays + 1
    if variable.kind.depth > arrays:
        return  # a pointer
    if source.is_at(end, "=") and source.is_at(end + 1, "{") and not arrays:
        _designate(source, end + 1, variable.kind.name)
    elif source.is_at(end, "{") and source.cplusplus and not arrays:
        _designate(source, end, variable.kind.name)
    elif source.is_at(end, ";", ",") and not variable.is_static and not variable.is_extern:
        source.code[end - 1].after += " = {}" if source.cplusplus else " = {0}"


def _designate(source: Source, brace: int, structure: str) -> None:
    """Values in the order of the members have the size before them."""
    first = brace + 1
    if source.is_at(first, "}", ".", "["):
        return
    if source.is_at(first, "0", "NULL", "nullptr") and source.is_at(first + 1, "}"):
        source.code[first].text = "" if source.cplusplus else "0"
    elif not source.is_at(first, "0") and structure != PARAMETERS:
        # A name, and no number: the first member was none in attributes and configurations, which
        # have two numbers before it.
        source.code[first].before += "0, 0, " if structure in NAMED else "0, "


def point_to_parameters(source: Source, expressions: Expressions) -> str:
    """`.sched = {...}`: a pointer to parameters, which have a name where the program changes them
    later, or where the language gives temporaries no address."""
    for variable in expressions.declared.variables:
        if variable.kind.name == ATTRIBUTES and not variable.kind.depth:
            _point(source, expressions, variable)
    if not source.cplusplus:
        _point_in_literals(source, expressions)
    return source.result()


def _point_in_literals(source: Source, expressions: Expressions) -> None:
    """Attributes that are no variable: literals, elements, members."""
    for index in range(1, len(source.code)):
        if not _designates(source, index) or not source.is_at(index + 3, "{"):
            continue
        token = source.code[index + 3]
        of = _braces_of(source, expressions, index - 1)
        classes = any(
            source.is_at(first + 1, "sched_class") for first, _ in source.parts(index + 3)
        )
        if (of == ATTRIBUTES or (of is None and classes)) and not token.before and token.text:
            token.before = f"&(struct {PARAMETERS})"


def _point(source: Source, expressions: Expressions, variable: Variable) -> None:
    name, end = variable.name, variable.at + 1
    uses = [
        i
        for i, token in enumerate(source.code)
        if token.text == "sched"
        and variable.at < i <= variable.last
        and source.is_at(i - 1, ".")
        and source.is_at(i - 2, name)
        and not source.is_at(i - 3, ".", "->")
    ]
    uses = [
        i for i in uses if not (source.is_at(i + 1, "=") and source.is_at(i + 2, "&", "NULL", "0"))
    ]
    inside = None
    if source.is_at(end, "=") and source.is_at(end + 1, "{"):
        inside = next((p for p in source.parts(end + 1) if _designates(source, p[0])), None)
    if inside is None and not uses:
        return
    if inside is not None and not source.is_at(inside[0] + 3, "{"):
        value = expressions.forward(inside[0] + 3)
        if (
            value is None
            or value.kind is None
            or value.kind.depth
            or source.is_at(inside[1], "NULL")
        ):
            return
        if value.first == value.last and not uses:
            source.code[value.first].before += "&"
            return
    braces = inside is not None and source.is_at(inside[0] + 3, "{")
    if inside is not None and braces and not uses and not source.cplusplus:
        source.code[inside[0] + 3].before += f"&(struct {PARAMETERS})"
        return
    _hoist(source, variable, inside, uses)


def _designates(source: Source, first: int) -> bool:
    return (
        source.is_at(first, ".")
        and source.is_at(first + 1, "sched")
        and source.is_at(first + 2, "=")
    )


def _hoist(
    source: Source, variable: Variable, inside: tuple[int, int] | None, uses: list[int]
) -> None:
    name, code = f"{variable.name}_sched", source.code
    value = " = {}" if source.cplusplus else " = {0}"
    if inside is not None:
        tokens = _span(source, inside[0] + 3, inside[1])
        value = " = " + "".join(f"{t.before}{t.text}{t.after}" for t in tokens)
        for token in tokens:
            token.text = token.before = token.after = ""
        code[inside[0] + 3].text = f"&{name}"
    else:
        _add_designator(source, variable, name)
    qualifier = "static " if source.is_at(variable.statement, "static") else ""
    margin = _margin(source, variable.statement)
    code[variable.statement].before += f"{qualifier}struct {PARAMETERS} {name}{value};\n{margin}"
    for use in uses:
        code[use - 2].text, code[use - 1].text, code[use].text = name, "", ""
    _keep_after_clearing(source, variable, name)


def _span(source: Source, first: int, last: int) -> list[Token]:
    begin = next(i for i, t in enumerate(source.every) if t is source.code[first])
    end = next(i for i, t in enumerate(source.every) if t is source.code[last])
    return source.every[begin : end + 1]


def _add_designator(source: Source, variable: Variable, name: str) -> None:
    end = variable.at + 1
    designator = f".sched = &{name}"
    if not source.is_at(end, "="):
        source.code[variable.at].after += f" = {{{designator}}}"
        return
    first, last = end + 2, source.partner.get(end + 1, end + 1) - 1
    if last < first:
        source.code[end + 1].after += designator
    elif source.is_at(first, "0", "NULL") and first == last:
        source.code[first].text = designator
    else:
        source.code[last].after += ("" if source.is_at(last, ",") else ",") + f" {designator}"


def _margin(source: Source, index: int) -> str:
    """The blanks before the line of a token."""
    position = next(i for i, t in enumerate(source.every) if t is source.code[index])
    former = source.every[position - 1] if position else None
    return former.text.rpartition("\n")[2] if former and former.kind == "blank" else ""


def _keep_after_clearing(source: Source, variable: Variable, name: str) -> None:
    """memset() of the attributes would clear the pointer, too."""
    for index, token in enumerate(source.code):
        if (
            token.text == "memset"
            and variable.first < index < variable.last
            and source.is_at(index + 2, "&")
            and source.is_at(index + 3, variable.name)
            and source.is_at(index + 4, ",")
        ):
            end = source.partner.get(index + 1, index) + 1
            if source.is_at(end, ";"):
                margin = _margin(source, index)
                source.code[end].after += f"\n{margin}{variable.name}.sched = &{name};"
