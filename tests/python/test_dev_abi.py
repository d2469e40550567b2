# SPDX-License-Identifier: LGPL-2.1-or-later
"""check_abi.py refuses what breaks compiled programs, and allows what does not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "dev" / "check_abi.py"
HEADER = "nucleus/include/tactus/sem.h"
SKIN = "nucleus/include/tactus/skin.h"
SOURCE = "nucleus/sync/sem.c"
LIST = "lib/tactus.map"
ORDER = {
    HEADER: """\
#define TACT_SEM_MAX 0x7fffffffu
#define TACT_ON_CPU(n) (((n) + 1u) << 24)
#define TACT_WORD "word"
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
typedef struct { uint32_t id; } tact_sem_t;
typedef struct { uint32_t id; } tact_mutex_t;
struct tact_gravity { uint32_t task_ns; };
enum tact_mode { TACT_MODE_NONE, TACT_MODE_PRIMARY };
struct tact_end;
struct tact_sem_info {
    uint32_t size;
    uint32_t value;
    uint64_t posts;
    struct tact_gravity gravity;
};
struct tact_watch { int fd; };
int tact_sem_post(tact_sem_t sem, uint32_t units);
int tact_sem_inquire(tact_sem_t sem, struct tact_sem_info *info);
int tact_sem_watch(struct tact_watch *watch);
int tact_sem_close(struct tact_end *end);
enum tact_mode tact_mode(void);
""",
    SKIN: "void tact_on_switch(int task);\n",
    SOURCE: """\
#include "../include/tactus/sem.h"
#include "../include/tactus/skin.h"
struct tact_end { int private; };
int tact_sem_post(tact_sem_t sem, uint32_t units) { return (int)(sem.id + units); }
int tact_sem_inquire(tact_sem_t sem, struct tact_sem_info *info)
{
	return (int)(sem.id + info->value);
}
int tact_sem_watch(struct tact_watch *watch) { return watch->fd; }
int tact_sem_close(struct tact_end *end) { return end->private; }
enum tact_mode tact_mode(void) { return TACT_MODE_NONE; }
void tact_on_switch(int task) { (void)task; }
int tact_sem_reset(tact_sem_t sem) { return (int)sem.id; }
""",
    LIST: """\
TACTUS_1 {
global:
	tact_mode;
	tact_sem_close;
	tact_sem_inquire;
	tact_sem_post;
	tact_sem_watch;
local:
	*;
};

TACTUS_SKIN_0 {
global:
	tact_on_switch;
};
""",
}

pytestmark = pytest.mark.skipif(
    shutil.which("abidiff") is None or shutil.which("abidw") is None,
    reason="abidw and abidiff are not installed (Debian: abigail-tools)",
)


def build(root: Path, files: dict[str, str], debug: str = "-g") -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    library = root / "lib/thread/libtactus.so"
    library.parent.mkdir(exist_ok=True)
    version_script = f"-Wl,--version-script={root / LIST}"
    command = ["gcc", debug, "-shared", "-fPIC", version_script, "-o", str(library)]
    subprocess.run([*command, str(root / SOURCE)], check=True)


def check(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK), *options, str(root), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A tree whose interface is stored."""
    build(tmp_path, ORDER)
    (tmp_path / "tests/abi").mkdir(parents=True)
    assert check(tmp_path, "--renew").returncode == 0
    return tmp_path


def changed(root: Path, *changes: tuple[str, str, str]) -> subprocess.CompletedProcess[str]:
    """What the check says after changes: file, former text, text."""
    files = dict(ORDER)
    for file, former, text in changes:
        assert former in files[file]
        files[file] = files[file].replace(former, text)
    build(root, files)
    return check(root)


def test_same_interface_is_accepted(stored: Path) -> None:
    done = check(stored)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_stored_interface_names_no_folder_of_the_machine(stored: Path) -> None:
    assert str(stored.parent) not in (stored / "tests/abi/libtactus.abi").read_text()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        pytest.param([(LIST, "\ttact_sem_post;\n", "")], "tact_sem_post", id="function removed"),
        pytest.param(
            [
                (
                    HEADER,
                    "post(tact_sem_t sem, uint32_t",
                    "post(tact_sem_t sem, uint64_t",
                ),
                (
                    SOURCE,
                    "post(tact_sem_t sem, uint32_t",
                    "post(tact_sem_t sem, uint64_t",
                ),
            ],
            "tact_sem_post",
            id="parameter changed",
        ),
        pytest.param(
            [
                (HEADER, "post(tact_sem_t", "post(tact_mutex_t"),
                (SOURCE, "post(tact_sem_t", "post(tact_mutex_t"),
            ],
            "tact_mutex_t",
            id="handle of another type",
        ),
        pytest.param(
            [
                (
                    HEADER,
                    "    uint32_t value;\n",
                    "    uint32_t value;\n    uint64_t more;\n",
                )
            ],
            "more",
            id="member in the middle",
        ),
        pytest.param(
            [(HEADER, "    uint64_t posts;\n", "    uint32_t posts;\n")],
            "posts",
            id="member narrower",
        ),
        pytest.param(
            [(HEADER, "gravity;\n", "gravity;\n    uint32_t more;\n")],
            "padding",
            id="member in padding",
        ),
        pytest.param(
            [(HEADER, "{ int fd; }", "{ int fd; int more; }")],
            "tact_watch",
            id="structure without size",
        ),
        pytest.param(
            [(HEADER, "{ uint32_t task_ns; }", "{ uint32_t task_ns, more; }")],
            "tact_gravity",
            id="structure nested by value",
        ),
        pytest.param(
            [(HEADER, "TACT_MODE_NONE, TACT", "TACT_MODE_NEW, TACT_MODE_NONE, TACT")],
            "TACT_MODE_NONE",
            id="number of a name",
        ),
        pytest.param(
            [(HEADER, "TACT_SEM_MAX 0x7fffffffu", "TACT_SEM_MAX 0x7ffffffeu")],
            "TACT_SEM_MAX is 0x7ffffffe; it was 0x7fffffff",
            id="value of a macro",
        ),
        pytest.param(
            [(HEADER, "(((n) + 1u) << 24)", "((((n) + 1u) & 0x3fu) << 24)")],
            "TACT_ON_CPU(63) is 0x00000000; it was 0x40000000",
            id="value of a macro with a parameter",
        ),
        pytest.param([(HEADER, '"word"', '"words"')], '"words"', id="text of a macro"),
        pytest.param(
            [(HEADER, '#define TACT_WORD "word"\n', "")], "TACT_WORD is gone", id="macro removed"
        ),
        pytest.param(
            [(HEADER, "TACT_SEM_MAX 0x7fffffffu", "TACT_SEM_MAX 0x7ffffffful")],
            "TACT_SEM_MAX is 0x000000007fffffff",
            id="width of a macro",
        ),
    ],
)
def test_change_that_breaks_programs_is_refused(
    stored: Path, changes: list[tuple[str, str, str]], word: str
) -> None:
    done = changed(stored, *changes)
    assert done.returncode == 1, done.stdout + done.stderr
    assert word in done.stdout
    assert "--renew" in done.stdout


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        pytest.param(
            [
                (
                    HEADER,
                    "int tact_sem_post",
                    "int tact_sem_reset(tact_sem_t sem);\nint tact_sem_post",
                ),
                (LIST, "post;\n", "post;\n\ttact_sem_reset;\n"),
            ],
            "tact_sem_reset",
            id="function added",
        ),
        pytest.param(
            [(HEADER, "gravity;\n", "gravity;\n    uint64_t more;\n")],
            "more",
            id="member at the end",
        ),
        pytest.param(
            [(HEADER, "#define TACT_WORD", "#define TACT_NEW 1\n#define TACT_WORD")],
            "TACT_NEW = 0x00000001",
            id="macro added",
        ),
        pytest.param(
            [(HEADER, "TACT_MODE_PRIMARY }", "TACT_MODE_PRIMARY, TACT_MODE_LATER }")],
            "TACT_MODE_LATER = 0x00000002",
            id="enumerator added",
        ),
    ],
)
def test_addition_is_allowed_and_told(
    stored: Path, changes: list[tuple[str, str, str]], word: str
) -> None:
    done = changed(stored, *changes)
    assert done.returncode == 0, done.stdout + done.stderr
    assert word in done.stdout
    assert "--renew" in done.stdout
    assert check(stored, "--renew").returncode == 0
    assert check(stored).stdout == ""


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            [(SOURCE, "{ int private; }", "{ long private, more; }")],
            id="private structure",
        ),
        pytest.param(
            [
                (SKIN, "(int task)", "(long task)"),
                (SOURCE, "switch(int task)", "switch(long task)"),
            ],
            id="hook of skins",
        ),
    ],
)
def test_what_is_not_frozen_may_change(stored: Path, changes: list[tuple[str, str, str]]) -> None:
    done = changed(stored, *changes)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_library_without_debugging_information_is_refused(stored: Path) -> None:
    build(stored, ORDER, debug="-g0")
    done = check(stored)
    assert done.returncode == 1
    assert "-g" in done.stderr


def test_missing_program_is_a_reason_to_skip(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(stored))
    done = check(stored)
    assert done.returncode == 77
    assert "abigail-tools" in done.stdout
