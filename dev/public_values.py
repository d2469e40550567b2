# SPDX-License-Identifier: LGPL-2.1-or-later
"""The numbers of the frozen headers: what their macros and enumerators are in a compiled program.

A program has them as constants, so a change breaks it, and no library shows that.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOTS = ("nucleus/include", "abi/include")
# Declared, not frozen: <tactus/skin.h>.
NOT_FROZEN = frozenset({"skin.h"})

# A macro of one parameter is a name for each of these arguments. Beyond the last CPU, too.
ARGUMENTS = ("0", "1", "30", "31", "63", "255")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ENUM = re.compile(r"\benum\b[^;{}]*\{([^}]*)\}")
_ENUMERATOR = re.compile(r"(?:^|,)\s*(TACT_\w+)")
_MACRO = re.compile(r"#define (TACT_\w+)(\(\w+\))? +\S")

# __builtin_classify_type() of a string is 5. A structure of a macro has no padding.
PROGRAM = """\
#include <stdio.h>
{includes}
static void tell(const char *name, const void *value, unsigned long bytes, int is_string)
{{
    const unsigned char *byte = value;

    printf("%s = ", name);
    if (is_string)
        printf("\\"%s\\"", (const char *)value);
    else
        for (printf("0x"); bytes; bytes--)
            printf("%02x", byte[bytes - 1]);
    putchar('\\n');
}}
#define TELL(expression)                                                         \\
    do {{                                                                     \\
        __typeof__(expression) value = expression;                       \\
        tell(#expression, &value, sizeof(value),                         \\
             __builtin_classify_type(expression) == 5);                  \\
    }} while (0)
int main(void)
{{
{calls}
    return 0;
}}
"""


def headers(root: Path) -> Iterator[str]:
    for include in ROOTS:
        for path in sorted((root / include / "tactus").glob("*.h")):
            if path.name not in NOT_FROZEN:
                yield f"tactus/{path.name}"


def _gcc(root: Path, *options: str, source: str = "") -> str:
    roots = [f"-I{root / include}" for include in ROOTS]
    command = ["gcc", "-std=gnu11", *roots, *options, "-xc", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the values of the headers cannot be read: {done.stderr}")
    return done.stdout


def _expressions(root: Path, includes: str) -> Iterator[str]:
    for line in sorted(_gcc(root, "-E", "-dM", source=includes).splitlines()):
        macro = _MACRO.match(line)
        if macro and macro[2]:
            yield from (f"{macro[1]}({argument})" for argument in ARGUMENTS)
        elif macro:
            yield macro[1]
    for header in headers(root):
        for include in ROOTS:
            path = root / include / header
            text = _COMMENT.sub("", path.read_text()) if path.exists() else ""
            for body in _ENUM.findall(text):
                yield from _ENUMERATOR.findall(body)


def values(root: Path) -> dict[str, str]:
    """Each name, or call of a macro, with its bytes, the highest first, or its text."""
    includes = "".join(f"#include <{header}>\n" for header in headers(root))
    # In #expression a macro is not expanded, because TELL() does not pass it on.
    calls = "\n".join(f"\tTELL({each});" for each in _expressions(root, includes))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "values"
        source = PROGRAM.format(includes=includes, calls=calls)
        _gcc(root, "-o", str(program), source=source)
        told = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return dict(line.split(" = ", 1) for line in told.splitlines())


def read(stored: Path) -> dict[str, str]:
    return dict(line.split(" = ", 1) for line in stored.read_text().splitlines())


def write(stored: Path, named: Mapping[str, str]) -> None:
    stored.write_text("".join(f"{name} = {named[name]}\n" for name in sorted(named)))


def broken(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name, former in before.items():
        if name not in now:
            yield f"{name} is gone; it was {former}"
        elif now[name] != former:
            yield f"{name} is {now[name]}; it was {former}"
