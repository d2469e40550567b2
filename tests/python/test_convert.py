# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus convert`: programs for the API before its version 1 compile and run as before."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tactus import cli
from tactus.convert import api, codes
from tactus.convert.convert import Converted, convert
from tactus.convert.names import MEMBERS, VARIABLES, renamed
from tactus.project import Project

ROOT = Path(__file__).resolve().parents[2]
FORMER = Path(__file__).parent / "data" / "api-0"
FILES = sorted(FORMER.rglob("*.[ch]"))
EXPECTED = ROOT / "examples" / "expected"
# Examples with a new name.
NAMES = {"adopt": "attach", "alarm": "timer", "exchange": "zqueue"}
PRINTS = {"installed": "count 1\n", "guide_first_program": ""}
PROGRAMS = sorted(path.stem for path in FORMER.glob("*.c") if path.stem != "guide_new_skin")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers")
INCLUDES = (f"-I{ROOT}/nucleus/include", f"-I{ROOT}/abi/include")
API = api.read(ROOT)


@pytest.fixture(scope="module")
def converted() -> dict[Path, Converted]:
    return convert({path: path.read_text() for path in FILES}, API)


@pytest.fixture(scope="module")
def folder(converted: dict[Path, Converted], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The converted files."""
    root = tmp_path_factory.mktemp("converted")
    for path, one in converted.items():
        target = root / path.relative_to(FORMER)
        target.parent.mkdir(exist_ok=True)
        target.write_text(one.after)
    return root


@pytest.fixture(scope="module")
def in_virtual_time() -> Path:
    """The folder of the library."""
    project = Project.here()
    library = project.build / "lib/sim"
    if not (library / "libtactus.so").is_file():
        project.ensure_built()
    return library


def only(text: str, name: str = "program.c") -> Converted:
    """One file, converted."""
    path = Path(name)
    return convert({path: text}, API)[path]


def compiles(folder: Path, text: str, name: str) -> None:
    source = folder / name
    source.write_text(text)
    compiler = ["gcc", "-std=c11"] if name.endswith(".c") else ["g++", "-std=c++20"]
    command = [
        *compiler,
        "-Wall",
        "-Werror",
        "-Wno-unused",
        *INCLUDES,
        "-fsyntax-only",
        str(source),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"


def test_guide_lists_every_name_and_no_other() -> None:
    guide = (ROOT / "docs/guide/api-1.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)(?:\(\))?` \| `(\w+)(?:\(\))?` \|$", guide, re.MULTILINE))
    names = {former: new for former, new in rows.items() if former.lower().startswith("tact_")}
    assert {former: renamed(former) for former in names} == names
    with (ROOT / "dev/retired.toml").open("rb") as file:
        tables = [one["names"] for one in tomllib.load(file)["names"]]
    retired = {name for table in tables for name in table if re.match(r"tact_(?!bare_)", name)}
    assert retired - {"tact_task_change_priority"} <= names.keys()
    assert {former: rows[former] for former in VARIABLES} == VARIABLES
    for structure, former, name in MEMBERS:
        assert re.search(rf"`\w+\.{former}` \| `{structure}\.{name}`", guide), former


def test_nothing_is_left_by_hand_in_the_examples(
    converted: dict[Path, Converted],
) -> None:
    left = [(path.name, note) for path, one in converted.items() for note in one.notes]
    assert left == []


def test_second_conversion_changes_nothing(converted: dict[Path, Converted]) -> None:
    again = convert({path: one.after for path, one in converted.items()}, API)
    assert [path.name for path, one in again.items() if one.before != one.after] == []


def test_today_s_examples_are_left_alone() -> None:
    sources = [
        *(ROOT / "examples").rglob("*.[ch]"),
        *(ROOT / "tests/install").glob("*.c"),
    ]
    result = convert({path: path.read_text() for path in sources}, API)
    assert [path.name for path, one in result.items() if one.before != one.after] == []
    assert [one.notes for one in result.values() if one.notes] == []


# Changed by hand, because the cause of a code changed: the converter prints the line.
BY_HAND = {"mailbox": ("-TACT_ENOSPC", "-TACT_EAGAIN")}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_prints_what_it_printed(
    name: str, folder: Path, in_virtual_time: Path, tmp_path: Path
) -> None:
    link = [
        f"-L{in_virtual_time}",
        "-ltactus",
        f"-Wl,-rpath,{in_virtual_time}",
        "-Wl,-z,now",
    ]
    program = tmp_path / name
    source = folder / f"{name}.c"
    if name in BY_HAND:
        text = source.read_text()
        assert [code for _, code in codes.named(text)] == [BY_HAND[name][0].lstrip("-")]
        source = folder / f"{name}_by_hand.c"
        source.write_text(text.replace(*BY_HAND[name]))
    command = [
        "gcc",
        "-std=gnu11",
        *WARNINGS,
        *INCLUDES,
        "-o",
        str(program),
        str(source),
        *link,
    ]
    subprocess.run(command, check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    expected = EXPECTED / f"{NAMES.get(name, name)}.sim.txt"
    if not expected.is_file():
        expected = expected.with_name(f"{NAMES.get(name, name)}.txt")
    wanted = PRINTS[name] if name in PRINTS else expected.read_text()
    assert (done.returncode, done.stdout) == (0, wanted), done.stderr


@pytest.mark.parametrize("name", ["maglev/tactus.c", "guide_new_skin.c"])
def test_converted_part_compiles(name: str, folder: Path) -> None:
    command = [
        "gcc",
        "-std=gnu11",
        *WARNINGS,
        *INCLUDES,
        "-fsyntax-only",
        str(folder / name),
    ]
    subprocess.run(command, check=True)


def test_installed_program_stays_c_plus_plus(tmp_path: Path) -> None:
    one = only((FORMER / "installed.c").read_text(), "installed.cpp")
    compiles(tmp_path, one.after, "installed.cpp")
    assert one.notes == ()


HEAD = """\
#include <stdio.h>
#include <string.h>
#include <tactus/tact.h>
static tact_sem_t sem;
static tact_task_t task;
static tact_sem_t many[3];
struct user { tact_sem_t sem; tact_task_t *task; };
int f(struct user *user, uint32_t number);
tact_sem_t of(struct user *user);
"""
# In a function's body: before, and after.
USES = [
    ("if (sem) return 1;", "if (sem.id) return 1;"),
    ("if (!user->sem) return 1;", "if (!user->sem.id) return 1;"),
    ("while (sem && number) number--;", "while (sem.id && number) number--;"),
    ("if (sem == 0) return 1;", "if (sem.id == 0) return 1;"),
    ("if (0 != many[1]) return 1;", "if (0 != many[1].id) return 1;"),
    ("if (sem == user->sem) return 1;", "if (tact_same(sem, user->sem)) return 1;"),
    ("if (task != TACT_SELF) return 1;", "if (!tact_same(task, TACT_SELF)) return 1;"),
    (
        "if (*user->task == task) return 1;",
        "if (tact_same(*user->task, task)) return 1;",
    ),
    ("if (!*user->task) return 1;", "if (!(*user->task).id) return 1;"),
    ("number = sem ? 1 : 2;", "number = sem.id ? 1 : 2;"),
    ("number = (uint32_t)sem;", "number = (uint32_t)sem.id;"),
    ("number = sem;", "number = sem.id;"),
    ("number = sem + 1;", "number = sem.id + 1;"),
    ("sem = number;", "sem = {number};"),
    ("sem = (tact_sem_t)number;", "sem = {number};"),
    ("sem = 0;", "sem = {0};"),
    ("sem = number ? user->sem : 0;", "sem = number ? user->sem : {0};"),
    ("user->sem = of(user);", "user->sem = of(user);"),
    ('printf("%u\\n", sem);', 'printf("%u\\n", sem.id);'),
    ('printf("%u\\n", of(user));', 'printf("%u\\n", of(user).id);'),
    ("tact_task_suspend(0);", "tact_task_suspend(TACT_SELF);"),
    ("tact_sem_post(0x12345);", "tact_sem_post({0x12345});"),
    ("tact_delete(sem);", "tact_delete(tact_object(sem));"),
    ("tact_handle_t any = sem;", "tact_object_t any = tact_object(sem);"),
    (
        "tact_task_set_priority(task, 5, &number);",
        "tact_task_set_priority(task, 5, 0, &number);",
    ),
    (
        "tact_task_change_priority(task, 5, NULL);",
        "tact_task_set_priority(task, 5, TACT_PRIORITY_AHEAD, NULL);",
    ),
    ("tact_task_info_of(1);", "tact_task_info_of(1);"),
]


@pytest.mark.parametrize("name", ["program.c", "program.cpp"])
@pytest.mark.parametrize(("before", "after"), USES)
def test_use_of_a_handle(before: str, after: str, name: str, tmp_path: Path) -> None:
    text = f"{HEAD}int f(struct user *user, uint32_t number)\n{{\n\t%s\n\treturn (int)number;\n}}\n"
    one = only(text % before, name)
    kind = "tact_sem_t" if name.endswith(".cpp") else "(tact_sem_t)"
    written = after.replace("{", f"{kind}{{")
    assert f"\t{written}\n" in one.after
    if "info_of" not in before:
        compiles(
            tmp_path,
            f"{one.after}tact_sem_t of(struct user *u) {{ return u->sem; }}\n",
            name,
        )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tact_sem_t local = 0;", "tact_sem_t local = {0};"),
        ("tact_sem_t two[2] = {0, 0};", "tact_sem_t two[2] = {{0}, {0}};"),
        ("struct user one = {.sem = 0};", "struct user one = {.sem = {0}};"),
        ("struct tact_sem_info info;", "struct tact_sem_info info = {0};"),
        ("struct tact_sem_info infos[2];", "struct tact_sem_info infos[2] = {0};"),
        ("struct tact_sem_info *pointer;", "struct tact_sem_info *pointer;"),
        ("static struct tact_sem_info info;", "static struct tact_sem_info info;"),
        (
            'struct tact_task_attr a = {"a", 5};',
            'struct tact_task_attr a = {0, 0, "a", 5};',
        ),
        (
            "struct tact_config c = {.crowd_ms = 5};",
            "struct tact_config c = {.hog_timeout_ms = 5};",
        ),
    ],
)
def test_declaration(before: str, after: str, tmp_path: Path) -> None:
    one = only(f"{HEAD}void g(void);\nvoid g(void)\n{{\n\t{before}\n}}\n")
    assert f"\t{after}\n" in one.after
    compiles(tmp_path, one.after, "program.c")


def test_information_is_initialized_in_c_plus_plus(tmp_path: Path) -> None:
    one = only(
        "#include <tactus/tact.h>\nint main() { tact_sem_info info; (void)info; }\n",
        "x.cpp",
    )
    assert "tact_sem_info info = {};" in one.after
    compiles(tmp_path, one.after, "x.cpp")


def test_comments_and_strings_stay() -> None:
    text = '/* tact_alarm_t */ // tact_alarm_stop()\nchar *name = "tact_alarm_start";\n'
    assert only(text).after == text


def test_headers_macros_and_variables_are_renamed() -> None:
    one = only(
        "#include <tactus/alarm.h>\n#define STOP(a) tact_alarm_stop(a) /* tact_alarm_stop */\n"
        'int x(void) { return setenv("TACTUS_RUN_CROWD_MS", "5", 1); }\n'
    )
    assert one.after == (
        "#include <tactus/timer.h>\n#define STOP(a) tact_timer_stop(a) /* tact_alarm_stop */\n"
        'int x(void) { return setenv("TACTUS_RUN_HOG_TIMEOUT_MS", "5", 1); }\n'
    )


def test_header_of_skins_is_included_where_it_is_used() -> None:
    text = "#include <tactus/tact.h>\n#include <stdio.h>\nvoid g(void) { tact_exit_as_killed(); }\n"
    assert "<tactus/tact.h>\n#include <tactus/skin.h>\n#include <stdio.h>" in only(text).after


CLASS = """\
#include <tactus/tact.h>
int g(tact_quota_t group, tact_task_t *task);
int g(tact_quota_t group, tact_task_t *task)
{
	struct tact_task_attr attr = {.name = "a", .sched = {.sched_class = TACT_SCHED_QUOTA}};
%s
	return tact_task_create(&attr, task);
}
"""


@pytest.mark.parametrize("name", ["program.c", "program.cpp"])
def test_parameters_that_change_get_a_name(name: str, tmp_path: Path) -> None:
    one = only(CLASS % "\tattr.sched.quota_group = group;", name)
    assert (
        "\tstruct tact_sched_param attr_sched = {.sched_class = TACT_SCHED_QUOTA};\n"
        '\tstruct tact_task_attr attr = {.name = "a", .sched = &attr_sched};\n'
        "\tattr_sched.quota_group = group;\n"
    ) in one.after
    compiles(tmp_path, one.after, name)


def test_parameters_that_do_not_change_are_a_literal_in_c(tmp_path: Path) -> None:
    one = only(CLASS % "\t(void)group;")
    assert ".sched = &(struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA}};" in one.after
    compiles(tmp_path, one.after, "program.c")


def test_parameters_outlive_a_clearing_of_the_attributes(tmp_path: Path) -> None:
    text = (CLASS % "\tmemset(&attr, 0, sizeof(attr));\n\tattr.sched.quota_group = group;").replace(
        "#include", "#include <string.h>\n#include", 1
    )
    one = only(text)
    assert "sizeof(attr));\n\tattr.sched = &attr_sched;\n\tattr_sched.quota_group" in one.after
    compiles(tmp_path, one.after, "program.c")


def test_member_of_a_structure_without_a_tag_is_known(tmp_path: Path) -> None:
    one = only(
        "#include <tactus/tact.h>\ntypedef struct { tact_sem_t handle; } guarded;\n"
        "typedef struct { uint32_t handle; } counted;\nint f(guarded *g, counted *c);\n"
        "int f(guarded *g, counted *c)\n{\n\treturn g->handle || c->handle;\n}\n"
    )
    assert "return g->handle.id || c->handle;" in one.after
    compiles(tmp_path, one.after, "program.c")


def test_found_object_becomes_one_of_its_type(tmp_path: Path) -> None:
    text = f"{HEAD}int g(void);\nint g(void)\n{{\n\tint error;\n\n\t%s\n\treturn error;\n}}\n"
    one = only(text % 'error = tact_find("door", TACT_NOWAIT, &sem);')
    assert (
        "\ttact_object_t sem_found = {0};\n"
        '\terror = tact_find("door", TACT_NOWAIT, &sem_found);\n'
        "\tsem = (tact_sem_t){sem_found.id};\n"
    ) in one.after
    assert one.notes == ()
    compiles(tmp_path, one.after, "program.c")


def test_any_handle_gets_the_type_that_it_is_made_of(tmp_path: Path) -> None:
    one = only(
        "#include <tactus/tact.h>\nint main(void)\n{\n\ttact_handle_t lock;\n\n"
        "\treturn tact_mutex_create(NULL, 0, 0, &lock) || tact_mutex_delete(lock);\n}\n"
    )
    assert "\ttact_mutex_t lock;\n" in one.after
    compiles(tmp_path, one.after, "program.c")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("if (sem == unknown()) return 1;", "tact_same()"),
        ('if (tact_find("a", TACT_NOWAIT, &sem)) return 1;', "tact_object_t"),
        ("check(sem);", "check()"),
        ("((struct tact_task_attr *)number)->sched.quantum_ns = 5;", "sched"),
        ("int (*post)(tact_handle_t) = NULL;", "post points to functions"),
        (
            "tact_handle_t any; tact_find(0, TACT_NOWAIT, &any); tact_cond_create(0, 0, &any);",
            "declare a tact_cond_t",
        ),
        (
            "struct tact_sem_info *i = malloc(sizeof(struct tact_sem_info));",
            "size to 0",
        ),
        ("int (*set)() = tact_task_set_priority;", "has other arguments"),
        ("struct tact_sched_param p = {TACT_SCHED_RR, 0};", "another order"),
        ("uint8_t priority = TACT_PRIO_MAX;", "8 bits"),
        ("_Atomic tact_task_t shared;", "copy it"),
    ],
)
def test_what_is_left_is_told_with_its_line(line: str, word: str) -> None:
    one = only(f"{HEAD}int f(struct user *user, uint32_t number)\n{{\n\t{line}\n\treturn 0;\n}}\n")
    number = HEAD.count("\n") + 3
    assert [n for n in one.notes if word in n.sentence and n.line == number], one.notes


def test_macro_with_a_changed_call_is_told() -> None:
    one = only("#define SET(t) tact_task_set_priority(t, 5, NULL)\n")
    assert [note.line for note in one.notes] == [1]


def test_files_are_converted_in_place_and_what_is_left_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.c"
    source.write_bytes(b"tact_alarm_t a;\r\nint f(void) { return check(a); }\r\n")
    assert cli.main(["convert", str(source)]) == 0
    assert source.read_bytes() == b"tact_timer_t a;\r\nint f(void) { return check(a); }\r\n"
    said = capsys.readouterr().err
    assert f"{source}:2: check() gets a handle" in said
    assert said.endswith("changed 1 of 1 files; 1 lines are left\n")


def test_codes_whose_causes_changed_are_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "tact_alarm_t a;\n/* TACT_EINTR */\nint f(int e) { return e == -TACT_EINTR; }\n"
    )
    assert cli.main(["convert", str(source)]) == 0
    assert f"{source}:3: TACT_EINTR: its causes changed" in capsys.readouterr().err
    assert cli.main(["convert", str(source)]) == 0
    assert "TACT_EINTR" not in capsys.readouterr().err


def test_difference_is_printed_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.c"
    source.write_text("tact_alarm_t a;\n")
    assert cli.main(["convert", "--diff", str(source)]) == 0
    assert source.read_text() == "tact_alarm_t a;\n"
    assert "-tact_alarm_t a;\n+tact_timer_t a;\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("gone.c", None, "No such file"),
        ("a.c", b"\xff", "UTF-8"),
        ("a.txt", b"", "not the name"),
    ],
)
def test_input_that_cannot_be_read_is_one_line_and_status_2(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    word: str,
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["convert", str(path)]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["", "{", "(((", "}}}", "tact_find(", "#define", "/*", '"', "a.b(", "= {"]
)
def test_text_that_is_no_program_is_kept(text: str) -> None:
    assert only(text).after == text
    assert only(text, "a.cpp").after == text
