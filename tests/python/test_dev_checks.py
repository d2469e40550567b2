# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checkers find planted mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DEV = Path(__file__).resolve().parents[2] / "dev"


def check(name: str, root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEV / f"check_{name}.py"), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def plant(root: Path, **files: str) -> None:
    for name, text in files.items():
        write(root, name.replace("__", "/") + ".h", text)


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    plant(
        tmp_path,
        abi__include__abi__page="#include <stdint.h>\n",
        base__include__base__list='#include <stddef.h>\n#include "abi/page.h"\n',
        hal__include__hal__cpu='#include "base/list.h"\n',
        hal__sim__clock='#include <stdio.h>\n#include "hal/cpu.h"\n',
        nucleus__include__tactus__sem="#include <stdint.h>\n",
        nucleus__task__task='#include <tactus/sem.h>\n#include "hal/cpu.h"\n',
        nucleus__sync__wait='#include "task/task.h"\n#include "base/list.h"\n',
        skins__posix__park__wait="#include <stdint.h>\n",
        skins__posix__sync__mutex='#include "posix/park/wait.h"\n',
        skins__posix__cobalt_port='#include "posix/sync/mutex.h"\n',
        skins__runtime__include__runtime__record='#include "base/list.h"\n',
    )
    write(
        tmp_path,
        "skins/cobalt/sem.c",
        '#include "posix/cobalt_port.h"\n#include "runtime/record.h"\n',
    )
    write(
        tmp_path,
        "nucleus/include/tactus/cpp/sem.hpp",
        "#include <chrono>\n#include <tactus/sem.h>\n",
    )
    write(tmp_path, "tests/nucleus/sem.c", '#include <stdio.h>\n#include "sync/wait.h"\n')
    write(tmp_path, "examples/sem.c", "#include <stdio.h>\n#include <tactus/sem.h>\n")
    return tmp_path


def test_tree_in_order_has_no_violation(tree: Path) -> None:
    done = check("includes", tree)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("abi/include/abi/x.h", "<stddef.h>"),
        ("base/x.c", '"hal/cpu.h"'),
        ("base/x.c", "<string.h>"),
        ("hal/include/hal/x.h", "<tactus/sem.h>"),
        ("hal/sim/x.c", "<tactus/sem.h>"),
        ("hal/sim/x.c", '"task/task.h"'),
        ("nucleus/include/tactus/x.h", '"base/list.h"'),
        ("nucleus/include/tactus/x.h", "<pthread.h>"),
        ("nucleus/include/tactus/x.h", "<chrono>"),
        ("nucleus/include/tactus/cpp/x.hpp", "<pthread.h>"),
        ("nucleus/include/tactus/cpp/x.hpp", "<unistd.h>"),
        ("nucleus/task/x.c", "<stdio.h>"),
        ("nucleus/task/x.c", "<linux/types.h>"),
        ("nucleus/task/x.c", '"sim/clock.h"'),
        ("nucleus/task/x.c", '"../../hal/sim/clock.h"'),
        ("nucleus/kernel/x.c", '"task/task.h"'),
        ("nucleus/call/x.c", '"sched/group.h"'),
        ("nucleus/sched/x.c", '"cpu/stop.h"'),
        ("skins/posix/park/x.c", '"posix/sync/mutex.h"'),
        ("skins/posix/timer/x.c", '"posix/sync/mutex.h"'),
        ("skins/posix/x.c", '"posix/park/wait.h"'),
        ("skins/posix/park/x.c", '"posix/cobalt_port.h"'),
        ("skins/posix/park/x.c", '"runtime/record.h"'),
        ("skins/alchemy/x.c", '"posix/park/wait.h"'),
        ("skins/alchemy/x.c", '"posix/cobalt_port.h"'),
        ("skins/cobalt/x.c", '"posix/park/wait.h"'),
        ("skins/runtime/x.c", '"posix/park/wait.h"'),
        ("examples/x.c", '"task/task.h"'),
        ("instruments/x.c", '"hal/cpu.h"'),
        ("tests/base/x.c", '"task/task.h"'),
        ("attic/x.c", "<stdio.h>"),
    ],
)
def test_planted_include_is_found_with_its_line(tree: Path, file: str, include: str) -> None:
    write(tree, file, f"/* first line */\n#include {include}\n")
    done = check("includes", tree)
    assert done.returncode == 1, f"{include} in {file} was not found"
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"{file}:{1 if file.startswith('attic') else 2}: ")


def test_skin_without_a_rule_and_header_of_an_unknown_folder_are_found(
    tree: Path,
) -> None:
    new = tree / "skins/vxworks/sem.c"
    new.parent.mkdir(parents=True)
    new.write_text("#include <stdio.h>\n")
    done = check("includes", tree)
    assert done.returncode == 1
    assert "skins/vxworks/sem.c:1: skins/vxworks has no rule of its own" in done.stdout
    new.unlink()
    lib = tree / "lib/thread/extra.c"
    lib.parent.mkdir(parents=True, exist_ok=True)
    lib.write_text("#include <sys/mman.h>\n#include <vxworks/semLib.h>\n")
    done = check("includes", tree)
    assert "lib/thread/extra.c:2: vxworks/semLib.h is in no include root" in done.stdout
    assert "extra.c:1:" not in done.stdout


def test_header_that_leans_on_another_is_found(tmp_path: Path) -> None:
    plant(
        tmp_path,
        nucleus__include__tactus__good="#pragma once\n#include <stdint.h>\ntypedef uint8_t t;\n",
        nucleus__include__tactus__leans="#pragma once\nstatic inline uint8_t one(void);\n",
    )
    done = check("headers", tmp_path)
    lines = [x for x in done.stdout.splitlines() if not x.startswith("#")]
    assert done.returncode == 1
    assert sum(x.startswith("ok") for x in lines) == 4
    assert sum(x.startswith("not ok") and "leans.h" in x for x in lines) == 4


def test_header_that_is_no_cpp_is_found(tmp_path: Path) -> None:
    plant(tmp_path, nucleus__include__tactus__c="#pragma once\nstruct s { int class; };\n")
    done = check("headers", tmp_path)
    refused = [x for x in done.stdout.splitlines() if x.startswith("not ok")]
    assert len(refused) == 2
    assert all("++" in x for x in refused)


def test_structure_of_the_native_api_with_padding_is_found(tmp_path: Path) -> None:
    head = "#pragma once\nstruct s { unsigned size; "
    plant(
        tmp_path,
        nucleus__include__tactus__dense=f"{head}unsigned reserved; unsigned long ns; }};\n",
        nucleus__include__tactus__hole=f"{head}unsigned long ns; }};\n",
        nucleus__include__tactus__tail=f"{head}char reserved[3]; }};\n",
        abi__include__abi__page=f"{head}unsigned long ns; }};\n",
    )
    done = check("headers", tmp_path)
    refused = [x for x in done.stdout.splitlines() if x.startswith("not ok")]
    # clang lays out only what is used.
    assert [x.split(" - ")[1] for x in refused] == [
        f"nucleus/include/tactus/{name}.h alone with gcc -std=c11" for name in ("hole", "tail")
    ]


def test_gcc_warns_of_a_reason_that_is_too_short() -> None:
    root = DEV.parent
    includes = [f"-I{root / folder}" for folder in ("nucleus/include", "abi/include")]
    for size, warns in (("TACT_REASON_BYTES", False), ("TACT_REASON_BYTES - 1", True)):
        body = f"{{ char reason[{size}]; return tact_start(0, reason); }}"
        source = f"#include <tactus/start.h>\nint f(void) {body}\n"
        done = subprocess.run(
            ["gcc", "-Wall", "-c", "-o", "/dev/null", *includes, "-xc", "-"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("-Wstringop-overflow" in done.stderr) == warns, done.stderr


def test_header_of_cpp_that_needs_exceptions_is_found(tmp_path: Path) -> None:
    folder = "nucleus/include/tactus/cpp"
    write(
        tmp_path,
        f"{folder}/good.hpp",
        "#pragma once\nconsteval int one() { return 1; }\n",
    )
    write(tmp_path, f"{folder}/throws.hpp", "#pragma once\ninline int f() { throw 1; }\n")
    done = check("headers", tmp_path)
    lines = [x for x in done.stdout.splitlines() if not x.startswith("#")]
    assert sum(x.startswith("ok") and "good.hpp" in x for x in lines) == 4
    refused = [x for x in lines if x.startswith("not ok")]
    assert len(refused) == 2
    assert all("throws.hpp" in x and "-fno-exceptions" in x for x in refused)


def test_missing_and_wrong_licences_are_found(tmp_path: Path) -> None:
    write(tmp_path, "build/made.c", "int x;\n")
    tag = "SPDX-License-Identifier:"
    write(tmp_path, "LICENSES/LGPL-2.1-or-later.txt", "text")
    write(tmp_path, "good.c", f"/* {tag} LGPL-2.1-or-later */\n")
    write(tmp_path, "script", f"#!/bin/sh\n# {tag} LGPL-2.1-or-later\n")
    assert check("spdx", tmp_path).returncode == 0
    write(tmp_path, "none.c", "int x;\n")
    write(tmp_path, "kmod/wrong.c", f"// {tag} LGPL-2.1-or-later\n")
    write(tmp_path, "kmod/text.c", f"// {tag} GPL-2.0-only\n")
    write(tmp_path, "packed.whl", "PK\3\4\0")
    done = check("spdx", tmp_path)
    named = [line.partition(":")[0] for line in done.stdout.splitlines()]
    wrong = ["kmod/text.c", "kmod/wrong.c", "none.c", "packed.whl"]
    assert (done.returncode, sorted(named)) == (1, wrong)


def test_file_laid_out_otherwise_is_found(tmp_path: Path) -> None:
    write(tmp_path, ".clang-format", "BasedOnStyle: LLVM\n")
    write(tmp_path, "good.c", "int x;\n")
    assert check("layout", tmp_path).returncode == 0
    write(tmp_path, "base/bad one.c", "int  x ;\n")
    done = check("layout", tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        1,
        "clang-format -i 'base/bad one.c'",
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "void *malloc(unsigned long); void *f(void) { return malloc(1); }",
            "calls malloc",
        ),
        ("_Thread_local int here; int f(void) { return here; }", "thread-local"),
        ("void g(char *); void nuc_f(void) { char a[64]; g(a); }", "stack protector"),
    ],
)
def test_nucleus_that_leans_on_its_host_is_found(tmp_path: Path, source: str, said: str) -> None:
    build_object(tmp_path, source)
    done = check("freestanding", tmp_path)
    assert done.returncode == 1
    assert said in done.stdout


def test_freestanding_nucleus_is_accepted_and_an_empty_build_is_not(
    tmp_path: Path,
) -> None:
    assert check("freestanding", tmp_path).returncode == 1
    build_object(tmp_path, "void hal_f(void); void nuc_f(void) { hal_f(); }")
    done = check("freestanding", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def build_object(build: Path, source: str) -> None:
    write(build, "nucleus/x.c", source)
    flags = ["-c", "-fPIC", "-fstack-protector-all", "-o", "nucleus/x.o", "nucleus/x.c"]
    if "char a" not in source:
        flags.insert(0, "-fno-stack-protector")
        flags.remove("-fstack-protector-all")
    subprocess.run(["gcc", *flags], cwd=build, check=True)


def test_call_that_a_fuzzer_leaves_out_is_found(tmp_path: Path) -> None:
    calls = "#define TACT_BARE_TAKE 0xB702u\n#define TACT_BARE_GIVE 0xB703u\n"
    write(
        tmp_path,
        "abi/include/abi/bare.h",
        f"{calls}#define TACT_BARE_MAP_CLOCK    0u\n",
    )
    for name in ("grammar", "fuzz", "storm", "ring3"):
        write(tmp_path, f"tests/kmod/{name}.c", "TACT_BARE_TAKE, TACT_BARE_GIVER\n")
    done = check("fuzzed", tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "abi/include/abi/bare.h: TACT_BARE_GIVE: tests/kmod/grammar.c leaves it out",
        "abi/include/abi/bare.h: TACT_BARE_MAP_CLOCK: tests/kmod/grammar.c leaves it out",
        "abi/include/abi/bare.h: TACT_BARE_GIVE: tests/kmod/storm.c leaves it out",
    ]
    write(tmp_path, "tests/kmod/ring3.c", "TACT_BARE_TAKE TACT_BARE_GIVE\n")
    write(tmp_path, "tests/kmod/fuzz.c", "TACT_BARE_GIVE TACT_BARE_MAP_CLOCK\n")
    done = check("fuzzed", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_source_that_no_table_names_and_name_without_a_source_are_found(
    tmp_path: Path,
) -> None:
    write(tmp_path, "base/x.c", "")
    assert check("tables", tmp_path).stdout == "no README has a table of files\n"
    for name in ("a.c", "a.h", "b.h", "serve_a.c", "serve_b.c", "inner/c.c"):
        write(tmp_path, f"hal/sim/{name}", "")
    table = (
        "| file | what |\n|---|---|\n| `a.c`, `serve_*.c` | not `b.h` |\n| `gone.c` `inner/` | |\n"
    )
    write(tmp_path, "hal/sim/README.md", f"{table}\n| `b.h` | of another table |\n")
    done = check("tables", tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "hal/sim/README.md: b.h: not in its table of files",
        "hal/sim/README.md: gone.c: there is no such file",
    ]
    write(tmp_path, "hal/sim/gone.c", "")
    write(tmp_path, "hal/sim/README.md", table.replace("`a.c`", "`a.c` `b.h`"))
    done = check("tables", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_files_that_include_each_other_in_a_circle_are_found(tmp_path: Path) -> None:
    write(tmp_path, "hal/sim/a.h", '#include "b.h"\n')
    write(tmp_path, "hal/sim/a.c", '#include "a.h"\n')
    write(tmp_path, "hal/sim/b.h", "\n")
    write(tmp_path, "hal/sim/c.c", '#include "a.h"\n')
    assert check("circles", tmp_path).returncode == 0
    # By the source of one and the header of the other.
    write(tmp_path, "hal/sim/b.c", '#include "b.h"\n#include "c.h"\n')
    write(tmp_path, "hal/sim/c.h", "\n")
    done = check("circles", tmp_path)
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert all(f"hal/sim/{name}" in line for name in "abc")
    # A header of the same name elsewhere is another file.
    write(tmp_path, "hal/sim/b.c", '#include "b.h"\n')
    write(tmp_path, "hal/thread/b.h", '#include "d.h"\n')
    write(tmp_path, "hal/thread/d.h", "\n")
    # A header of the C library is none of a folder's that has that name.
    write(tmp_path, "skins/e.h", "#include <signal.h>\n")
    write(tmp_path, "skins/posix/signal.c", '#include "e.h"\n')
    write(tmp_path, "skins/posix/signal.h", "\n")
    assert check("circles", tmp_path).stdout == ""
    write(tmp_path, "skins/e.h", '#include "posix/signal.h"\n')
    assert check("circles", tmp_path).returncode == 1


def test_retired_identifier_and_file_are_found_in_code_of_their_scope(
    tmp_path: Path,
) -> None:
    row = 'word = "old"\nscope = ["base"]\nnames = { old_word = "new_word" }\n'
    files = '[files]\n"base/old.c" = "base/new.c"\n'
    write(tmp_path, "dev/retired.toml", f"{files}[[names]]\n{row}")
    write(tmp_path, "base/new.c", '/* an old word */\nconst char *x = "old_word";\n')
    write(tmp_path, "hal/x.c", "int old_word;\n")
    write(tmp_path, "docs/x.md", "old_word\n")
    done = check("words", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    write(tmp_path, "base/x.h", "#pragma once\n\nint new_word, old_words, old_word;\n")
    write(tmp_path, "base/x.py", "# old_word\nold_word = 1\n")
    write(tmp_path, "base/old.c", "")
    done = check("words", tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "base/old.c: a retired name: use base/new.c",
        "base/x.h:3: old_word: use new_word",
        "base/x.py:1: old_word: use new_word",
        "base/x.py:2: old_word: use new_word",
    ]


ERRORS = """\
[EAGAIN]
cause = "would block"
sentence = "It would have to wait."
words = ['TACT_NOWAIT$']
only = ['TACT_NOWAIT$']

[ENOMEM]
cause = "no resources"
sentence = "Something is used up."
words = ['record', 'pool']
"""
ERROR_HEADER = """\
enum tact_error {
	TACT_EAGAIN = 11, /* would block */
	TACT_ENOMEM = 12, /* no resources */
};
"""


def causes_of(root: Path, rows: str, header: str = ERROR_HEADER) -> str:
    """What is told of a header whose call has these rows."""
    write(root, "dev/errors.toml", ERRORS)
    write(root, "abi/include/tactus/error.h", header)
    write(root, "docs/spec/errors.md", "")
    write(
        root,
        "nucleus/include/tactus/sem.h",
        f"/**\n * Take.\n *\n * Returns 0, or\n{rows} * Context: any. Cost: O(1).\n */\n"
        "int tact_sem_wait(int sem);\n",
    )
    command = [sys.executable, str(DEV / "check_causes.py"), "--write", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


IN_ORDER = (
    " *   -TACT_EAGAIN  there is none and timeout is TACT_NOWAIT\n"
    " *   -TACT_ENOMEM  from a handler: no message\n *                 record is free\n"
)


def test_codes_with_their_causes_are_accepted(tmp_path: Path) -> None:
    assert causes_of(tmp_path, IN_ORDER) == ""
    page = (tmp_path / "docs/spec/errors.md").read_text()
    assert "| `tact_sem_wait()` | `EAGAIN` | there is none and timeout is TACT_NOWAIT |" in page
    assert "|  | `ENOMEM` | from a handler: no message record is free |" in page


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (IN_ORDER.replace("EAGAIN", "ENOMEM"), "-TACT_ENOMEM for what is -TACT_EAGAIN"),
        (
            IN_ORDER.replace("ENOMEM", "EAGAIN"),
            "-TACT_EAGAIN (would block) for: from a handler",
        ),
        (IN_ORDER.split("\n")[0] + "\n", "ENOMEM: no call returns it"),
    ],
)
def test_code_with_another_cause_is_found(tmp_path: Path, rows: str, told: str) -> None:
    assert told in causes_of(tmp_path, rows)


def test_comment_that_is_not_the_cause_is_found(tmp_path: Path) -> None:
    header = ERROR_HEADER.replace("would block", "try again")
    assert "TACT_EAGAIN: the comment is not the cause" in causes_of(tmp_path, IN_ORDER, header)


def test_call_that_waits_has_a_row_in_the_walk(tmp_path: Path) -> None:
    rows = " *   -TACT_EINTR  a signal\n"
    assert "tact_sem_wait() waits and has no row" in causes_of(tmp_path, rows)
    write(tmp_path, "tests/nucleus/errors/waits.c", '\t{"tact_sem_wait", sem},\n')
    assert "has no row" not in causes_of(tmp_path, rows)


def test_page_of_other_headers_is_found(tmp_path: Path) -> None:
    assert causes_of(tmp_path, IN_ORDER) == ""
    write(tmp_path, "docs/spec/errors.md", "old")
    assert "not made of these headers" in check("causes", tmp_path).stdout


PORT = "void backend_round(void);\n"
UPCALL = "void nuc_upcall_event(void);\n"


def build_upward(root: Path, source: str) -> subprocess.CompletedProcess[str]:
    """A nucleus, a back end, a skin, and an object of hal/linux with this source."""
    write(root, "hal/linux/back_end.h", PORT)
    write(root, "hal/include/hal/upcall.h", UPCALL)
    sources = {
        "build/nucleus/task.o": "void nuc_task_wake(void) {}\nvoid nuc_upcall_event(void) {}\n",
        "build/skins/posix/close.o": "int close(int file) { return file; }\n",
        "build/skins/posix/fd.o": "void posix_fd_forget(void) {}\n",
        "build/hal/thread/idle.c.o": "void thread_idle(void) {}\nvoid backend_round(void) {}\n",
        "build/hal/thread/.._common_time.c.o": "void hal_time(void) {}\n",
        "build/hal/thread/.._linux_state.c.o": "void linux_state(void) {}\n",
        "build/hal/thread/.._linux_round.c.o": source,
        "build/hal/bare/.._linux_round.c.o": "void linux_round(void) {}\n",
    }
    for name, text in sources.items():
        write(root, f"{name}.c", text)
        subprocess.run(["gcc", "-c", "-o", name, f"{name}.c"], cwd=root, check=True)
    command = [sys.executable, str(DEV / "check_upward.py"), str(root / "build"), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def calls(*names: str) -> str:
    declarations = "".join(f"void {name}();\n" for name in names)
    return f"{declarations}void linux_round(void) {{ {''.join(f'{name}(); ' for name in names)}}}\n"


@pytest.mark.parametrize("name", ["nuc_task_wake", "posix_fd_forget", "thread_idle"])
def test_call_above_the_linux_side_is_found(tmp_path: Path, name: str) -> None:
    done = build_upward(tmp_path, calls(name, "linux_state"))
    assert done.returncode == 1
    assert done.stdout.startswith(f"hal/thread/.._linux_round.c.o: calls {name}, which is above")
    assert len(done.stdout.splitlines()) == 1


def test_linux_side_may_call_its_port_and_the_c_library(tmp_path: Path) -> None:
    source = calls("backend_round", "nuc_upcall_event", "hal_time", "linux_state", "close")
    done = build_upward(tmp_path, source)
    assert (done.returncode, done.stdout) == (0, "")


def test_build_without_a_linux_side_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "hal/linux/back_end.h", PORT)
    command = [sys.executable, str(DEV / "check_upward.py"), str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "build first" in done.stdout
