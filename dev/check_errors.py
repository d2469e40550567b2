#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that tests have seen every error code that the native API documents, and no other.

usage: check_errors.py BUILD [ROOT]

Runs the nucleus's tests of virtual time with a library before them that notes what each call of
the public API returns, and compares that with the headers. Prints `header:line: call: what` for a
documented code that no test has seen and for a code that was seen and is not documented; exit
status 1 when there is one. What virtual time cannot show is in ELSEWHERE, with its test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import manual
from check_manual import error_numbers
from tree import root_of

CODES = 256
TEST_SECONDS = 300

# Where Linux has to play along: the files of the tests, all on the thread back end.
ELSEWHERE: Mapping[tuple[str, str], str] = {
    ("tact_device_open", "ENOTSUP"): "tests/nucleus/device/none.c",
    ("tact_pipe_serve", "EBUSY"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EEXIST"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EIDRM"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "EINVAL"): "tests/nucleus/pipe/serve.c",
    ("tact_pipe_serve", "ENOMEM"): "tests/nucleus/pipe/serve.c",
    ("tact_start", "ENOSYS"): "tests/nucleus/start/refused.c",
    ("tact_start", "ENXIO"): "tests/nucleus/start/start.c",
    ("tact_task_adopt", "ENOMEM"): "tests/nucleus/mode/adopt.c",
    ("tact_task_watch", "EBADF"): "tests/nucleus/mode/watch.c",
    ("tact_task_watch", "EEXIST"): "tests/nucleus/mode/watch.c",
}
# What a test would have to take from the whole machine.
UNSHOWN: Mapping[tuple[str, str], str] = {
    ("tact_task_watch", "ENOMEM"): "the user's limit of watched files",
}
# Their name in the text of a test, where the call itself is in a helper.
HELPERS: Mapping[str, str] = {"tact_start": "expect_refused"}

RECORDER = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <tactus/tact.h>
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


def source(calls: Sequence[manual.Call]) -> str:
    """The recorder's text: for each call a function of its name that asks the real one."""
    bodies, finds = [], []
    for index, call in enumerate(calls):
        bodies.append(
            f"static __typeof__({call.name}) *real_{index};\n"
            f"{call.prototype}\n{{ return note({index}, real_{index}("
            f"{', '.join(call.arguments)})); }}"
        )
        finds.append(f'\treal_{index} = dlsym(RTLD_NEXT, "{call.name}");')
    return RECORDER.format(
        codes=CODES, bytes=len(calls) * CODES, bodies="\n".join(bodies), finds="\n".join(finds)
    )


def record(root: Path, calls: Sequence[manual.Call], tests: Sequence[Path]) -> bytes:
    """Runs the tests; of each call and number whether it was returned."""
    with tempfile.TemporaryDirectory(prefix="tactus-errors-") as name:
        folder = Path(name)
        library, seen = folder / "recorder.so", folder / "seen"
        seen.write_bytes(bytes(len(calls) * CODES))
        includes = [f"-I{root / 'nucleus/include'}", f"-I{root / 'abi/include'}"]
        build = ["cc", "-xc", *FLAGS, *includes, "-", "-o", str(library), "-ldl"]
        subprocess.run(build, input=source(calls), text=True, check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), "TACTUS_SEEN": str(seen)}
        for test in tests:
            # Whether they pass is the suite's to say.
            subprocess.run(
                [str(test)],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TEST_SECONDS,
                check=False,
            )
        return seen.read_bytes()


def allowed(call: manual.Call, calls: Mapping[str, manual.Call]) -> frozenset[str]:
    """Its own codes and those of the calls that it returns as."""
    codes = set(call.codes)
    reached, pending = {call.name}, list(call.like)
    while pending:
        name = pending.pop()
        if name not in reached and name in calls:
            reached.add(name)
            codes |= calls[name].codes
            pending += calls[name].like
    return frozenset(codes)


# Before the start and after the stop every call is refused (tactus/start.h).
ALWAYS = "EPERM"


def faults(root: Path, build: Path) -> Iterator[str]:
    calls = [call for call in manual.calls(root) if call.result == "int"]
    by_name = {call.name: call for call in calls}
    names = {number: name for name, number in error_numbers(root).items()}
    tests = sorted(path for path in (build / "tests").glob("test_*_sim") if path.is_file())
    if not calls or not tests:
        yield f"{build}/tests: holds no test of virtual time; build first"
        return
    table = record(root, calls, tests)
    shared: dict[tuple[str, str], set[str]] = {}
    for index, call in enumerate(calls):
        row = table[index * CODES : (index + 1) * CODES]
        seen = {names.get(number, f"? {number}") for number, hit in enumerate(row) if hit}
        shared.setdefault((call.header, call.manual), set()).update(seen)
    for call in calls:
        # Calls that share a comment share what it says.
        seen = shared[call.header, call.manual]
        at = f"{manual.HEADERS}/{call.header}:{call.line}: {call.name}()"
        for code in sorted(call.codes - seen):
            alike = [c.name for c in calls if (c.header, c.manual) == (call.header, call.manual)]
            if not any(_elsewhere(root, name, code) for name in alike):
                yield f"{at}: no test sees -TACT_{code}"
        for code in sorted(seen - allowed(call, by_name) - {ALWAYS}):
            yield f"{at}: returns -TACT_{code}, which it does not document"


def _elsewhere(root: Path, name: str, code: str) -> bool:
    """Is there a statement with the call and the code in the test that is named for them?"""
    if (name, code) in UNSHOWN:
        return True
    path = root / ELSEWHERE.get((name, code), "none")
    if not path.is_file():
        return False
    return any(
        re.search(rf"\b(?:{name}|{HELPERS.get(name, name)})\(", statement)
        and f"TACT_{code}" in statement
        for statement in path.read_text().split(";")
    )


def main(argv: list[str]) -> int:
    if len(argv) < 2:
        print("usage: check_errors.py BUILD [ROOT]")
        return 2
    found = list(faults(root_of(argv[1:]), Path(argv[1])))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
