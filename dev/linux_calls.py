#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs whose real-time threads mostly call Linux, plainly and under `tactus run`, in turns.

Prints, for each, the medians, and the ratio of each pair of runs with its spread. For
docs/reports/linux-calls.md; a program that is not installed is skipped with a line.

usage: dev/linux_calls.py [--build DIR] [--turns N] [--option OPTION]... [NAME]...
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

LIMIT_S = 120
FIFO = ("chrt", "-f", "5")
SQL_ROWS = 20_000
SQL_TRANSACTIONS = 300
SQL_QUERIES = 200
REDIS_REQUESTS = 20_000
DDS_SECONDS = 3


@dataclass(frozen=True)
class Case:
    name: str
    what: str  # is measured, with its unit
    needs: tuple[str, ...]
    # The words before the program's command -> the figure; less is better.
    measure: Callable[[tuple[str, ...]], float]


class RunFailed(Exception):
    """A run that gave no figure."""


def output(command: tuple[str, ...], text: str | None = None) -> str:
    done = subprocess.run(
        command,
        input=text,
        stdin=None if text is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode:
        raise RunFailed(f"{' '.join(command[:6])}…: status {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


def found(pattern: str, text: str) -> float:
    match = re.search(pattern, text)
    if not match:
        raise RunFailed(f"nothing like {pattern!r} in: {text[-300:]}")
    return float(match.group(1))


def seconds(command: tuple[str, ...], text: str | None = None) -> float:
    begun = time.monotonic()
    output(command, text)
    return time.monotonic() - begun


def hackbench(*options: str) -> Callable[[tuple[str, ...]], float]:
    """As hackbench reports it; the time of the whole command is `hackbench_all`."""
    return lambda before: found(r"Time: ([0-9.]+)", output((*before, *FIFO, "hackbench", *options)))


def whole(*command: str) -> Callable[[tuple[str, ...]], float]:
    return lambda before: seconds((*before, *FIFO, *command))


def row(number: int, text: str) -> str:
    return f"insert into t(b, c) values({number * 7919 % 10007}, '{text} {number}');"


def sql() -> str:
    return "\n".join(
        [
            "create table t(a integer primary key, b integer, c text);",
            *(row(i, "row") for i in range(SQL_TRANSACTIONS)),
            "begin;",
            *(row(i, "row number") for i in range(SQL_ROWS)),
            "commit;",
            "create index i on t(b);",
            *(
                f"select count(*), avg(b) from t where b between {i * 50} and {i * 50 + 500};"
                for i in range(SQL_QUERIES)
            ),
            "update t set c = c || '.' where b % 3 = 0;",
            "delete from t where b % 5 = 0;",
            "vacuum;",
        ]
    )


def sqlite(before: tuple[str, ...]) -> float:
    """A small version of sqlite's own speed test, with a transaction for each of some rows."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds((*before, *FIFO, "sqlite3", str(Path(folder) / "speed.db")), sql())


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def running(command: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def redis(before: tuple[str, ...]) -> float:
    """Microseconds per request; the client runs plainly in both."""
    port = str(free_port())
    with tempfile.TemporaryDirectory() as folder:
        server = (
            "redis-server",
            "--port",
            port,
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            folder,
        )
        with running((*before, *FIFO, *server)):
            for _ in range(100):
                with (
                    contextlib.suppress(OSError),
                    socket.create_connection(("127.0.0.1", int(port))),
                ):
                    break
                time.sleep(0.05)
            said = output(
                (
                    "redis-benchmark",
                    "-p",
                    port,
                    "-t",
                    "set",
                    "-n",
                    str(REDIS_REQUESTS),
                    "-q",
                )
            )
    return 1e6 / found(r"([0-9.]+) requests per second", said)


def dds(before: tuple[str, ...]) -> float:
    """The largest time of a ping and its pong, in microseconds."""
    with running((*before, *FIFO, "ddsperf", "-D", str(DDS_SECONDS + 2), "pong")):
        time.sleep(0.5)
        said = output((*before, *FIFO, "ddsperf", "-D", str(DDS_SECONDS), "ping"))
    return max(float(n) for n in re.findall(r"max ([0-9.]+)us", said) or ["nan"])


def births(build: Path, *options: str) -> Callable[[tuple[str, ...]], float]:
    program = str(build / "tests/skins/posix/posix_births")
    return lambda before: found(r"([0-9.]+) us", output((*before, program, *options)))


def forks(build: Path, who: str) -> Callable[[tuple[str, ...]], float]:
    program = str(build / "tests/skins/posix/posix_fork_costs")
    return lambda before: found(who + r": ([0-9.]+) us", output((*before, program, "figures")))


def start(before: tuple[str, ...]) -> float:
    return 1000 * seconds((*before, "true"))


def start_front(before: tuple[str, ...]) -> float:
    """Through the front end instead of the launcher."""
    return start(("./tactus", "run", "--") if before else ())


def cases(build: Path) -> list[Case]:
    tests = ("chrt",)
    return [
        Case("hackbench", "s", (*tests, "hackbench"), hackbench("-l", "50", "-g", "2")),
        Case(
            "hackbench_threads",
            "s",
            (*tests, "hackbench"),
            hackbench("-T", "-l", "200"),
        ),
        Case(
            "hackbench_all",
            "s",
            (*tests, "hackbench"),
            whole("hackbench", "-l", "50", "-g", "2"),
        ),
        Case("sqlite", "s", (*tests, "sqlite3"), sqlite),
        Case("redis", "us a SET", (*tests, "redis-server", "redis-benchmark"), redis),
        Case("ddsperf", "us, largest", (*tests, "ddsperf"), dds),
        Case("births_10", "us a thread", (), births(build, "10")),
        Case("births_1000", "us a thread", (), births(build, "1000")),
        Case("fork_task", "us a fork", (), forks(build, "task")),
        Case("fork_main", "us a fork", (), forks(build, "main")),
        Case("start", "ms, of `true`", (), start),
        Case("start_front", "ms, of `true`", (), start_front),
        Case("births_alive_1000", "us a thread", (), births(build, "1000", "alive")),
    ]


def measure(case: Case, under: tuple[str, ...], turns: int) -> None:
    missing = [name for name in case.needs if not shutil.which(name)]
    if missing:
        print(f"{case.name:18} skipped: no {', '.join(missing)}")
        return
    pairs: list[tuple[float, float]] = []
    for turn in range(turns):
        try:
            # The first one of a turn alternates, too.
            order = [(), under] if turn % 2 == 0 else [under, ()]
            figures = {before: case.measure(before) for before in order}
        except (RunFailed, subprocess.TimeoutExpired) as wrong:
            print(f"{case.name:18} turn {turn + 1}: {wrong}")
            continue
        pairs.append((figures[()], figures[under]))
    if not pairs:
        return
    plain = statistics.median(p for p, _ in pairs)
    tactus = statistics.median(t for _, t in pairs)
    ratios = sorted(t / p for p, t in pairs)
    print(
        f"{case.name:18} {plain:10.4g} {tactus:10.4g} {statistics.median(ratios):6.2f}"
        f"  {ratios[0]:.2f} to {ratios[-1]:.2f}  {len(pairs):3}  {case.what}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--option", action="append", default=[], help="of tactus run, as --stay=0")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    known = cases(arguments.build)
    unknown = set(arguments.names) - {case.name for case in known}
    launcher = arguments.build / "skins/posix/tactus-run"
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}: {', '.join(c.name for c in known)}")
    if not os.access(launcher, os.X_OK):
        parser.error(f"no {launcher}: build it first, or name the build by --build")
    under = (str(launcher), *arguments.option, "--")
    print(f"{'':18} {'plain':>10} {'tactus':>10} {'ratio':>6}  spread        turns")
    for case in known:
        if not arguments.names or case.name in arguments.names:
            measure(case, under, arguments.turns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
