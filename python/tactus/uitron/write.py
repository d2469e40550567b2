# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes kernel_id.h, the IDs by name, and kernel_cfg.c, which makes the objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tactus.uitron.parse import Configuration, Statement
from tactus.uitron.statements import KINDS

_MADE = "/* Made of {} by `tactus uitron-cfg`. */\n"


def header(configuration: Configuration) -> str:
    lines = [_MADE.format(configuration.path.name), "#ifndef KERNEL_ID_H", "#define KERNEL_ID_H"]
    lines.append("")
    for names in configuration.ids.values():
        lines += [f"#define {name} {number}" for name, number in names.items()]
    return "\n".join([*lines, "", "#endif", ""])


def _members(packet: str) -> list[str]:
    """The members of a packet without its brackets, as far as commas tell."""
    inner, depth, members = packet.strip()[1:-1], 0, [""]
    for character in inner:
        depth += (character in "({[") - (character in ")}]")
        if character == "," and not depth:
            members.append("")
        else:
            members[-1] += character
    return [member.strip() for member in members]


def _told(statement: Statement) -> str:
    """How a message names a statement."""
    kind = KINDS[statement.name]
    first = "" if kind.numbers == "-" else statement.parameters[0]
    return re.sub(r"\s+", " ", f"{statement.at}: {statement.name}({first})")


def _task(statement: Statement, number: int) -> list[str]:
    """Tasks begin when everything is made: the end of make() activates them."""
    return [
        "\t{",
        f'#line {statement.line} "{statement.file}"',
        f"\t\tT_CTSK packet = {statement.parameters[-1]};",
        "\t\tER code;",
        "",
        f"\t\tacts[{number}] = packet.tskatr & TA_ACT;",
        "\t\tpacket.tskatr &= ~TA_ACT;",
        f"\t\tcode = cre_tsk({statement.parameters[0]}, &packet);",
        "\t\tif (code < 0)",
        f'\t\t\treturn failed("{_told(statement)}", code);',
        "\t}",
    ]


def _initial(statement: Statement) -> list[str]:
    _, exinf, routine = (*_members(statement.parameters[-1]), "0", "0", "0")[:3]
    return [f'#line {statement.line} "{statement.file}"', f"\t{routine}({exinf});"]


def _object(statement: Statement) -> list[str]:
    kind = KINDS[statement.name]
    first = "" if kind.numbers == "-" else f"{statement.parameters[0]}, "
    # Virtual time has no exceptions of tasks. The program runs without the handler, and is told.
    exception = statement.name == "DEF_EXC"
    note = [
        "\t\tif (code == E_NOSPT)",
        f'\t\t\t(void)failed("{_told(statement)}: without effect", code);',
    ]
    return [
        "\t{",
        f'#line {statement.line} "{statement.file}"',
        f"\t\tconst {kind.packet} packet = {statement.parameters[-1]};",
        f"\t\tconst ER code = {kind.call}({first}&packet);",
        "",
        *(note if exception else []),
        f"\t\tif (code < 0{' && code != E_NOSPT' if exception else ''})",
        f'\t\t\treturn failed("{_told(statement)}", code);',
        "\t}",
    ]


def _body(statements: Sequence[Statement]) -> Iterator[str]:
    tasks = [statement for statement in statements if statement.name == "CRE_TSK"]
    if tasks:
        yield from (f"\tATR acts[{len(tasks)}];", "")
    for statement in statements:
        if statement.name == "CRE_TSK":
            yield from _task(statement, tasks.index(statement))
        elif statement.name == "ATT_INI":
            yield from _initial(statement)
        else:
            yield from _object(statement)
    yield '#line 1 "kernel_cfg.c"'
    for number, task in enumerate(tasks):
        yield from (f"\tif (acts[{number}])", f"\t\t(void)act_tsk({task.parameters[0]});")


def source(configuration: Configuration) -> str:
    lines = [
        _MADE.format(configuration.path.name).rstrip(),
        "#include <stdio.h>",
        "#include <kernel.h>",
        '#include "kernel_id.h"',
        *(f"#include {name}" for name in configuration.includes),
        "",
        "static inline ER failed(const char *what, ER code)",
        "{",
        '\tfprintf(stderr, "%s: error %d\\n", what, code);',
        "\treturn code;",
        "}",
        "",
        "static ER make(void)",
        "{",
        *_body(configuration.statements),
        "\treturn E_OK;",
        "}",
        "",
        "__attribute__((constructor)) static void tell(void)",
        "{",
        "\t(void)vdef_cfg(make);",
        "}",
        "",
        "/* A program with a main() of its own calls vsta_knl() there. */",
        "__attribute__((weak)) int main(void)",
        "{",
        "\treturn vsta_knl() ? 1 : 0;",
        "}",
    ]
    return "\n".join([*lines, ""])
