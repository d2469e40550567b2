# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus rtai`: exit status 0; 1 if a module, or the process of the modules, refused."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tactus import rtai
from tactus.project import Project, UserError

SUMMARY = "load modules of RTAI's kernel side, or run them for a time"
NEEDS_BUILD = True


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="ACTION", help="each has its own --help"
    )

    def action(name: str, text: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        if name != "run":
            made.add_argument(
                "--session",
                default=rtai.DEFAULT_SESSION,
                metavar="NAME",
                help="modules of one session share a process",
            )
        return made

    insmod = action("insmod", "load a module: set its parameters and call init_module()")
    insmod.add_argument(
        "--core",
        choices=sorted(rtai.HOSTS),
        help="of the first module: the back end; in sim time passes by `sleep` only",
    )
    insmod.add_argument("file", metavar="x.so", type=Path)
    insmod.add_argument("values", metavar="NAME=VALUE", nargs="*")
    action("rmmod", "call cleanup_module() and unload").add_argument("name", metavar="x")
    action("lsmod", "list the modules, their sizes, who uses them, and their parameters")
    action("dmesg", "print what the modules have printed")
    sleep = action("sleep", "wait for a time, which in virtual time passes at once")
    sleep.add_argument("time", metavar="TIME", help="as 500ms or 2s")
    run = action("run", "load objects, let time pass, and unload them")
    run.add_argument("--core", choices=sorted(rtai.HOSTS), default="sim", help="default: sim")
    run.add_argument(
        "--for", dest="time", metavar="TIME", help="as 500ms or 2s; default: while programs run"
    )
    run.add_argument("--seed", metavar="N", type=int, help="sim: another order of what is equal")
    run.add_argument(
        "objects",
        metavar="x.so|NAME=VALUE",
        nargs="+",
        help="modules, and programs of user space that are shared objects, each with what follows",
    )


def check(args: argparse.Namespace) -> None:
    if getattr(args, "time", None) is not None:
        rtai.duration_ns(args.time)
    if args.action != "run":
        rtai.socket_name(args.session)
    elif args.seed is not None and args.core != "sim":
        raise UserError("--seed is of virtual time: add --core sim")
    if args.action == "insmod" and not args.file.is_file():
        raise UserError(f"{args.file}: there is no such file")


def show(text: str) -> None:
    print(text, end="", flush=True)


def insert(args: argparse.Namespace, project: Project) -> int:
    core = args.core or "thread"
    running = rtai.request(args.session, ["core"]) if args.core else None
    if running is not None and running.text.strip() != core:
        raise UserError(
            f"the modules of session {args.session} run on {running.text.strip()}: choose another "
            "session"
        )
    host = project.program(rtai.HOSTS[core])
    answer = rtai.request(
        args.session,
        ["insmod", str(args.file.absolute()), *args.values],
        show,
        lambda: rtai.start(host, args.session),
    )
    assert answer is not None
    return finish("insmod", answer)


def finish(action: str, answer: rtai.Answer) -> int:
    show(answer.text)
    for line in answer.errors.splitlines():
        print(line if line.startswith(" ") else f"{action}: {line}", file=sys.stderr)
    if answer.status and not answer.errors:
        print(f"{action}: {os.strerror(answer.status)}", file=sys.stderr)
    return 1 if answer.status else 0


def simulate(args: argparse.Namespace, project: Project) -> int:
    time_ns = rtai.duration_ns(args.time) if args.time else 0
    env = dict(os.environ)
    if args.seed is not None:
        env["TACTUS_SIM"] = f"seed={args.seed}"
    paths = [
        word if "=" in word.partition("/")[0] else str(Path(word).absolute())
        for word in args.objects
    ]
    command = [project.program(rtai.HOSTS[args.core]), "run", str(time_ns), *paths]
    status = subprocess.run(command, env=env, check=False).returncode
    if status < 0:
        raise UserError(f"the process of the modules has ended by signal {-status}")
    return 1 if status else 0


def run(args: argparse.Namespace, project: Project) -> int:
    if args.action == "insmod":
        return insert(args, project)
    if args.action == "run":
        return simulate(args, project)
    words = [args.action]
    if args.action == "rmmod":
        words.append(args.name)
    elif args.action == "sleep":
        words.append(str(rtai.duration_ns(args.time)))
    answer = rtai.request(args.session, words, show)
    if answer is not None:
        return finish(args.action, answer)
    if args.action == "lsmod":
        return 0
    raise UserError(f"session {args.session}: no modules are loaded")
