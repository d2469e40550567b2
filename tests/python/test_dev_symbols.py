# SPDX-License-Identifier: LGPL-2.1-or-later
"""check_symbols.py finds what a list of symbols lacks, and what it or a library has too much."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "dev" / "check_symbols.py"
HEADER = "nucleus/include/tactus/sem.h"
SKIN = "nucleus/include/tactus/skin.h"
SIM = "hal/sim/include/hal/sim.h"
SESSION = "session/session.h"
SOURCE = "library.c"
NATIVE_LIST = "lib/tactus.map"
SIM_LIST = "lib/sim/sim.map"
SESSION_LIST = "session/session.map"
LIBRARIES = {
    "lib/thread/libtactus.so": [NATIVE_LIST],
    "lib/bare/libtactus.so": [NATIVE_LIST],
    "lib/sim/libtactus.so": [NATIVE_LIST, SIM_LIST],
    "session/libtactus-session.so": [SESSION_LIST],
}
ORDER = {
    HEADER: """\
#define TACT_CALLS(n) \\
	int not_a_call(n);
/* Give. */
int tact_sem_post(int sem);
/* Take. */
int tact_sem_wait(int sem);
static inline int tact_sem_try(int sem)
{
	return tact_sem_wait(sem);
}
""",
    SKIN: "/* Hook. */\nvoid tact_on_stop(void (*hook)(void));\n",
    SIM: "#define HAL_SIM_EXPORT\nHAL_SIM_EXPORT void hal_sim_fault(int cause,\n\tvoid *at);\n",
    SESSION: "struct session { int (*of)(int); };\nconst char *session_of(int number);\n",
    SOURCE: """\
void tact_sem_post(void) {}
void tact_sem_wait(void) {}
void tact_on_stop(void) {}
void hal_sim_fault(void) {}
void session_of(void) {}
void nuc_inside(void) {}
""",
    NATIVE_LIST: """\
TACTUS_1 {
global:
	tact_sem_post;
	tact_sem_wait;
local:
	*;
};

TACTUS_SKIN_0 {
global:
	tact_on_stop;
};
""",
    SIM_LIST: "TACTUS_SIM_0 {\nglobal:\n\thal_sim_fault;\n};\n",
    SESSION_LIST: "{\nglobal:\n\tsession_of;\nlocal:\n\t*;\n};\n",
}


def said(root: Path, files: dict[str, str], linked: dict[str, str] | None = None) -> list[str]:
    """What the check says of a tree; linked: lists that the libraries were linked by, if others."""
    for name, text in {**files, **(linked or {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for library, lists in LIBRARIES.items():
        (root / library).parent.mkdir(parents=True, exist_ok=True)
        scripts = [f"-Wl,--version-script={root / one}" for one in lists]
        command = ["gcc", "-shared", "-fPIC", *scripts, "-o", str(root / library)]
        subprocess.run([*command, str(root / SOURCE)], check=True)
    for name, text in files.items():
        (root / name).write_text(text)
    command = [sys.executable, str(CHECK), str(root), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == bool(done.stdout), done.stderr
    return done.stdout.splitlines()


def test_lists_in_order_are_accepted(tmp_path: Path) -> None:
    assert said(tmp_path, ORDER) == []


@pytest.mark.parametrize(
    ("file", "former", "text", "fault"),
    [
        (
            HEADER,
            "/* Take",
            "int tact_sem_flush(int sem);\n/* Take",
            "flush() is declared and not",
        ),
        (
            SKIN,
            "/* Hook",
            "void tact_on_end(void);\n/* Hook",
            "on_end() is declared and not listed",
        ),
        (
            SESSION,
            "const",
            "int session_end(void);\nconst",
            "end() is declared and not listed",
        ),
        (
            SIM,
            "#define",
            "int hal_sim_end(void);\n#define",
            "end() is declared and not listed",
        ),
        (
            HEADER,
            "int tact_sem_post(int sem);\n",
            "",
            "post is listed, and no header declares it",
        ),
        (
            SKIN,
            "void tact_on_stop(void (*hook)(void));",
            "",
            "stop is listed, and no header",
        ),
        (SOURCE, "void tact_sem_post(void) {}\n", "", "does not export tact_sem_post"),
        (
            NATIVE_LIST,
            "\ttact_sem_post;\n\ttact_sem_wait;\n",
            "\ttact_sem_wait;\n\ttact_sem_post;\n",
            "tact_sem_post does not come after tact_sem_wait",
        ),
        (
            NATIVE_LIST,
            "\ttact_on_stop;\n",
            "\ttact_on_stop;\n\ttact_sem_wait;\n",
            "tact_sem_wait is listed under TACTUS_SKIN_0 instead of TACTUS_1",
        ),
    ],
)
def test_what_differs_is_told(
    tmp_path: Path, file: str, former: str, text: str, fault: str
) -> None:
    assert former in ORDER[file]
    files = {**ORDER, file: ORDER[file].replace(former, text)}
    found = said(tmp_path, files)
    assert any(fault in line for line in found), found


def test_symbol_beyond_the_list_is_told(tmp_path: Path) -> None:
    every = ORDER[NATIVE_LIST].replace("\ttact_sem_wait;\n", "\ttact_sem_wait;\n\tnuc_*;\n")
    found = said(tmp_path, ORDER, {NATIVE_LIST: every})
    file = "lib/thread/libtactus.so"
    assert f"{file}: exports nuc_inside, which {NATIVE_LIST} does not list" in found


def test_symbol_under_another_version_is_told(tmp_path: Path) -> None:
    older = ORDER[NATIVE_LIST].replace("TACTUS_1 ", "TACTUS_0 ")
    found = said(tmp_path, ORDER, {NATIVE_LIST: older})
    assert any("exports tact_sem_post under TACTUS_0 instead of TACTUS_1" in f for f in found), (
        found
    )


def test_library_that_is_not_built_is_told(tmp_path: Path) -> None:
    said(tmp_path, ORDER)
    (tmp_path / "lib/bare/libtactus.so").unlink()
    command = [sys.executable, str(CHECK), str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "build first" in done.stderr
