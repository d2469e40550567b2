# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus uitron-cfg`: static API of µITRON 4.0 becomes IDs and a source that compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tactus import cli
from tactus.project import UserError
from tactus.uitron.parse import read
from tactus.uitron.statements import KINDS
from tactus.uitron.write import header, source

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "skins" / "uitron4" / "include"
EXAMPLE = ROOT / "examples" / "uitron" / "dosing.cfg"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "system.cfg"
    path.write_text(text, encoding="utf-8")
    return path


def compiled(folder: Path, *includes: Path) -> str:
    command = ["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", f"-I{folder}"]
    command += [f"-I{include}" for include in includes]
    done = subprocess.run(
        [*command, str(folder / "kernel_cfg.c")], capture_output=True, text=True, check=False
    )
    return done.stderr


def test_names_get_free_numbers(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "CRE_SEM(FIRST, {TA_TFIFO, 0, 1});\n"
        "CRE_SEM(2, {TA_TFIFO, 0, 1}); CRE_SEM(0x3, {TA_TFIFO, 0, 1});\n"
        "CRE_SEM(SECOND, {TA_TFIFO, 0, 1});\n"
        "CRE_FLG(FLAG, {TA_TFIFO, 0});\n",
    )
    configuration = read(path, [])
    assert configuration.ids == {"sem": {"FIRST": 1, "SECOND": 4}, "flg": {"FLAG": 1}}
    assert "#define SECOND 4\n" in header(configuration)


def test_numbers_are_those_of_c(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "CRE_SEM(010, {TA_TFIFO, 0, 1}); CRE_SEM(0X9u, {TA_TFIFO, 0, 1});\n"
        "CRE_SEM(1L, {TA_TFIFO, 0, 1});\n"
        + "".join(f"CRE_SEM(N{i}, {{TA_TFIFO, 0, 1}});\n" for i in range(7)),
    )
    assert list(read(path, []).ids["sem"].values()) == [2, 3, 4, 5, 6, 7, 10]


def test_every_statement_compiles(tmp_path: Path) -> None:
    packets = {
        "TSK": "TA_HLNG | TA_ACT, (VP_INT)1, body, 5, 1024, NULL",
        "SEM": "TA_TFIFO, 0, 1",
        "FLG": "TA_WMUL, 0",
        "DTQ": "TA_TFIFO, 4, NULL",
        "MBX": "TA_MFIFO, 0, NULL",
        "MTX": "TA_INHERIT, 0",
        "MBF": "TA_TFIFO, 8, 80, NULL",
        "POR": "TA_TFIFO, 8, 8",
        "MPF": "TA_TFIFO, 4, 32, NULL",
        "MPL": "TA_TFIFO, 512, NULL",
        "CYC": "TA_STA, 0, body, 10, 0",
        "ALM": "TA_HLNG, 0, body",
        "ISR": "TA_HLNG, 0, 5, body",
    }
    lines = ['INCLUDE("\\"body.h\\"");', "KERNEL_HEP_MEM(256, NULL);"]
    lines += [f"CRE_{name}(ID_{name}, {{ {packet} }});" for name, packet in packets.items()]
    lines += ["DEF_TEX(ID_TSK, {TA_HLNG, body});", "DEF_OVR({TA_HLNG, body});"]
    lines += [f"DEF_{name}(7, {{TA_HLNG, body}});" for name in ("INH", "SVC", "EXC")]
    lines += ["ATT_ISR({TA_HLNG, 0, 6, body});", "ATT_INI({TA_HLNG, 3, body});"]
    configuration = read(written(tmp_path, "\n".join(lines)), [])
    assert {s.name for s in configuration.statements} == set(KINDS)
    (tmp_path / "body.h").write_text("#include <kernel.h>\nvoid body(VP_INT x);\n")
    (tmp_path / "kernel_id.h").write_text(header(configuration))
    (tmp_path / "kernel_cfg.c").write_text(source(configuration))
    assert compiled(tmp_path) == ""


def test_the_example_is_written_where_it_is_told(tmp_path: Path) -> None:
    assert cli.main(["uitron-cfg", str(EXAMPLE), "-o", str(tmp_path)]) == 0
    assert compiled(tmp_path, EXAMPLE.parent) == ""


def test_the_preprocessor_comes_first(tmp_path: Path) -> None:
    (tmp_path / "more.cfg").write_text("CRE_SEM(MORE, {TA_TFIFO, COUNT, 9});\n")
    path = written(
        tmp_path, '#ifdef WITH\n#include "more.cfg"\n#endif\nCRE_FLG(FLAG, {TA_WMUL, 0});\n'
    )
    assert "sem" not in read(path, []).ids
    configuration = read(path, ["-DWITH", "-DCOUNT=3"])
    assert configuration.ids["sem"] == {"MORE": 1}
    assert configuration.statements[0].at.endswith("more.cfg:1")
    assert "{TA_TFIFO, 3, 9}" in source(configuration)


def test_strings_and_brackets_do_not_end_a_statement(tmp_path: Path) -> None:
    path = written(tmp_path, 'ATT_INI({TA_HLNG, (VP_INT)"a),;}\\"", tell(1, 2)});\n')
    assert len(read(path, []).statements) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CRE_SEM(A, {1});\nCRE_SEM(A, {1});", "system.cfg:2: CRE_SEM: A is in use"),
        ("CRE_SEM(1, {1}); CRE_SEM(1, {1});", "system.cfg:1: CRE_SEM: ID 1 is in use"),
        ("CRE_SEM(8, {1}); CRE_SEM(010, {1});", "system.cfg:1: CRE_SEM: ID 010 is in use"),
        ("CRE_SEM(08, {1});", "CRE_SEM: 08 is no number of C"),
        ("CRE_SEM(0b1, {1});", "CRE_SEM: 0b1 is no number of C"),
        ("CRE_SEM(0, {1});", "system.cfg:1: CRE_SEM: ID 0 is not from 1 to 32767"),
        ("CRE_SEM(32768, {1});", "ID 32768 is not from 1 to 32767"),
        ("CRE_SEM(A);", "system.cfg:1: CRE_SEM has 2 parameters, not 1"),
        ("DEF_OVR(1, {0});", "system.cfg:1: DEF_OVR has 1 parameter, not 2"),
        ("CRE_SEM(A, 1);", "system.cfg:1: CRE_SEM: the packet is not in {}"),
        ("CRE_SEM(A+1, {1});", "'A+1' is no name and no number"),
        ("\nint x;", "system.cfg:2: int is no static API; declarations belong to INCLUDE()"),
        ("CRE_SEM(A, {1}", "CRE_SEM: the closing bracket is missing"),
        ("CRE_SEM A", "CRE_SEM: a bracket is missing"),
        ("+", "'+' begins no statement"),
        ('#include "none.h"', "none.h"),
    ],
)
def test_mistakes_are_told_with_their_lines(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as told:
        read(written(tmp_path, text), [])
    assert said in str(told.value)


def test_mistakes_on_the_command_line_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["uitron-cfg", str(tmp_path / "none.cfg")]) == cli.USAGE_STATUS
    assert "there is no such file" in capsys.readouterr().err
    assert cli.main(["uitron-cfg", str(EXAMPLE), "-o", str(tmp_path / "x")]) == cli.USAGE_STATUS
    assert "there is no such folder" in capsys.readouterr().err
