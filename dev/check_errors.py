#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that tests have seen every error code that an API documents, and no other.

usage: check_errors.py BUILD [ROOT]

The APIs are the native one and Alchemy. Runs their tests of virtual time with a library before
them that notes what each call returns, and compares that with the headers. Prints
`header:line: call: what` for a documented code that no test has seen and for a code that was seen
and is not documented; exit status 1 when there is one. What virtual time cannot show is in
ELSEWHERE, with its test. What Xenomai documents of Alchemy is compared by alchemy_errors.py, of
the POSIX interface by cobalt_errors.py.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import alchemy_errors
import cobalt_errors
import manual
from check_manual import error_numbers
from tree import root_of, tell

CODES = 256


@dataclass(frozen=True, slots=True)
class Interface:
    """An API: its headers, how they are included, its tests."""

    headers: str
    include: tuple[str, ...]  # all of them; (): one after the other
    includes: tuple[str, ...]
    tests: str  # in the build
    mark: str  # before a code


NATIVE = Interface(
    manual.HEADERS,
    ("tactus/tact.h", "tactus/skin.h"),
    ("nucleus/include", "abi/include"),
    "tests/test_*_sim",
    "TACT_",
)
ALCHEMY = Interface(
    alchemy_errors.HEADERS,
    (),
    ("skins/alchemy/include", "skins/xenomai/include"),
    "tests/skins/alchemy/test_*_sim",
    "",
)
TEST_SECONDS = 300

# Codes that need Linux: the files of the tests, all on the thread back end.
ELSEWHERE: Mapping[tuple[str, str], str] = {
    ("tact_device_open", "ENOTSUP"): "tests/nucleus/device/none.c",
    ("tact_doorbell_file", "ENOMEM"): "tests/nucleus/device/doorbell.c",
    ("tact_pipe_serve", "EBUSY"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EEXIST"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EIDRM"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EINVAL"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "ENOMEM"): "tests/nucleus/pipe/serve.c",
    ("tact_start", "ENOSYS"): "tests/nucleus/start/refused.c",
    ("tact_start", "ENXIO"): "tests/nucleus/start/start.c",
    ("tact_task_attach", "ENOMEM"): "tests/nucleus/mode/attach.c",
    ("tact_task_attach", "ENOSPC"): "tests/nucleus/mode/stack.c",
    ("tact_task_suspend", "EINTR"): "tests/nucleus/mode/signal.c",
    ("tact_task_suspend_once", "EINTR"): "tests/nucleus/mode/signal.c",
    ("tact_task_watch", "EBADF"): "tests/nucleus/mode/watch.c",
    ("tact_task_watch", "EEXIST"): "tests/nucleus/mode/watch.c",
    ("rt_buffer_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_cond_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_event_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_heap_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_mutex_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_pipe_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_pipe_delete", "EIDRM"): "tests/skins/alchemy/session/streams.c",
    ("rt_pipe_read", "ENOBUFS"): "tests/skins/alchemy/pipe/file.c",
    ("rt_pipe_stream", "EIDRM"): "tests/skins/alchemy/session/streams.c",
    ("rt_pipe_write", "EIDRM"): "tests/skins/alchemy/session/streams.c",
    ("rt_queue_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_sem_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_task_bind", "ENOMEM"): "tests/skins/alchemy/session/owners.c",
    ("rt_task_shadow", "EBUSY"): "tests/skins/alchemy/task/life.c",
    ("rt_task_shadow", "EEXIST"): "tests/skins/alchemy/task/life.c",
    ("rt_task_shadow", "EINVAL"): "tests/skins/alchemy/task/life.c",
    ("rt_task_suspend", "EINTR"): "tests/skins/alchemy/task/time.c",
}
# Codes for which a test would have to use up something of the whole machine.
UNSHOWN: Mapping[tuple[str, str], str] = {
    ("tact_doorbell_attach", "ENOMEM"): "memory",
    ("tact_task_watch", "ENOMEM"): "the user's limit of watched files",
    ("rt_task_shadow", "ENOMEM"): "memory or threads",
    ("rt_task_send", "ENOMEM"): "memory",
    ("rt_task_reply", "ENOMEM"): "memory",
}
# Names of the helpers that make the calls in the text of a test.
HELPERS: Mapping[str, str] = {"tact_start": "expect_refused"}

RECORDER = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
{headers}
static _Atomic unsigned char *seen;
static int note(int call, int result)
{{
	if (seen && result < 0 && result > -{codes})
		atomic_store_explicit(&seen[call * {codes} - result], 1, memory_order_relaxed);
	return result;
}}
{bodies}
__attribute__((constructor)) static void find(void)
{{
	int file = open(getenv("TACTUS_SEEN"), O_RDWR | O_CLOEXEC);
	void *map = mmap(NULL, {bytes}, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
	close(file);
{finds}
	if (map != MAP_FAILED)
		seen = map;
}}
"""
# A light task has neither thread-local storage nor stack to spare.
FLAGS = ("-O2", "-fPIC", "-shared", "-fno-stack-protector", "-Wl,-z,now", "-w")


def source(calls: Sequence[manual.Call], interface: Interface) -> str:
    """The recorder's text: for each call a function of its name that calls the real one."""
    bodies, finds = [], []
    for index, call in enumerate(calls):
        bodies.append(
            f"static __typeof__({call.name}) *real_{index};\n"
            f"{call.prototype}\n{{ return note({index}, real_{index}("
            f"{', '.join(call.arguments)})); }}"
        )
        finds.append(f'\treal_{index} = dlsym(RTLD_NEXT, "{call.name}");')
    files = interface.include or tuple(f"alchemy/{c.header}" for c in calls)
    return RECORDER.format(
        headers="\n".join(f"#include <{file}>" for file in dict.fromkeys(files)),
        codes=CODES,
        bytes=len(calls) * CODES,
        bodies="\n".join(bodies),
        finds="\n".join(finds),
    )


def record(
    root: Path, calls: Sequence[manual.Call], tests: Sequence[Path], interface: Interface
) -> bytes:
    """Runs the tests. For each call and number: was it returned?"""
    with tempfile.TemporaryDirectory(prefix="tactus-errors-") as name:
        folder = Path(name)
        library, seen = folder / "recorder.so", folder / "seen"
        seen.write_bytes(bytes(len(calls) * CODES))
        includes = [f"-I{root / folder}" for folder in interface.includes]
        build = ["cc", "-xc", *FLAGS, *includes, "-", "-o", str(library), "-ldl"]
        subprocess.run(build, input=source(calls, interface), text=True, check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), "TACTUS_SEEN": str(seen)}
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            list(pool.map(lambda test: _run(test, environment), tests))
        return seen.read_bytes()


def _run(test: Path, environment: Mapping[str, str]) -> None:
    """Run it; the suite itself checks whether it passes."""
    subprocess.run(
        [str(test)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=TEST_SECONDS,
        check=False,
    )


# Before the start and after the stop every call is refused (tactus/start.h).
ALWAYS = "EPERM"


def names_of(root: Path, interface: Interface) -> Mapping[int, str]:
    """The codes' numbers; Linux has two names for some."""
    if interface is NATIVE:
        return {number: name for name, number in error_numbers(root).items()}
    return {**errno.errorcode, errno.EAGAIN: "EWOULDBLOCK", errno.EDEADLK: "EDEADLK"}


def faults(root: Path, build: Path, interface: Interface) -> Iterator[str]:
    every = manual.calls(root, interface.headers)
    calls = [call for call in every if call.returns_codes]
    by_name = {call.name: call for call in calls}
    names = names_of(root, interface)
    tests = sorted(path for path in build.glob(interface.tests) if path.is_file())
    if not calls or not tests:
        yield f"{build}/{interface.tests}: no test of virtual time; build first"
        return
    table = record(root, calls, tests, interface)
    shared: dict[tuple[str, str], set[str]] = {}
    for index, call in enumerate(calls):
        row = table[index * CODES : (index + 1) * CODES]
        seen = {names.get(number, f"? {number}") for number, hit in enumerate(row) if hit}
        shared.setdefault((call.header, call.manual), set()).update(seen)
    for call in calls:
        # Calls that share a comment share its codes.
        seen = shared[call.header, call.manual]
        at = f"{interface.headers}/{call.header}:{call.line}: {call.name}()"
        documented = manual.allowed(call, by_name)
        for code in sorted(documented - seen):
            alike = [c.name for c in calls if (c.header, c.manual) == (call.header, call.manual)]
            if not any(_elsewhere(root, name, interface.mark + code) for name in alike):
                yield f"{at}: no test sees -{interface.mark}{code}"
        for code in sorted(seen - documented - {ALWAYS}):
            yield f"{at}: returns -{interface.mark}{code}, which it does not document"


def _elsewhere(root: Path, name: str, written: str) -> bool:
    """Has the test that is named for them a statement with the call and the code?"""
    code = written.removeprefix(NATIVE.mark)
    if (name, code) in UNSHOWN:
        return True
    path = root / ELSEWHERE.get((name, code), "none")
    if not path.is_file():
        return False
    return any(
        re.search(rf"\b(?:{name}|{HELPERS.get(name, name)})\(", statement) and written in statement
        for statement in path.read_text().split(";")
    )


def main(argv: list[str]) -> int:
    if len(argv) < 2:
        print("usage: check_errors.py BUILD [ROOT]")
        return 2
    root, build = root_of(argv[1:]), Path(argv[1])
    # A tree may lack a skin, but not the native API.
    skins = [skin for skin in (ALCHEMY,) if (root / skin.headers).is_dir()]
    found = [fault for one in (NATIVE, *skins) for fault in faults(root, build, one)]
    if skins:
        found += alchemy_errors.faults(root)
    if (root / cobalt_errors.TABLE).is_file():
        found += cobalt_errors.faults(root)
    return tell(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
