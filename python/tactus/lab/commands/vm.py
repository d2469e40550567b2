# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus lab vm`: exit status of the command in the guest; 1 if the guest failed."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from pathlib import Path

from tactus.lab.vm import boot, emulator, guest, kernels, machine
from tactus.lab.vm.console import State
from tactus.measure.options import number
from tactus.project import Project, UserError, say

SUMMARY = "boot a kernel in a virtual machine and run one command there"
NEEDS_BUILD = True


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    named = ", ".join(kernels.table())
    add("--kernel", default="generic", metavar="K", help=f"{named}, or a path (default generic)")
    add("--cpus", type=int, choices=machine.CPUS, default=1, help="default 1")
    add(
        "--accel",
        choices=machine.ACCELERATORS,
        default=machine.ICOUNT,
        help="icount: virtual time, one instruction is 1 ns (default)",
    )
    add("--append", default="", metavar="ARGS", help="text added to the kernel's command line")
    add(
        "--limit",
        type=number(1, 86400, "seconds"),
        metavar="S",
        help=f"host seconds for the command (default {boot.LIMITS_S[State.JOB]:g})",
    )
    add("--keep", type=Path, metavar="DIR", help="keep console, kernel log and results in DIR")
    add("--update", action="store_true", help="fetch the newest version of the kernel")
    add("--dry-run", action="store_true", help="print QEMU's command line, and boot nothing")
    add(
        "words",
        nargs="+",
        metavar="COMMAND",
        help="one word is a shell script; more words are a command",
    )


def check(args: argparse.Namespace) -> None:
    kernels.by_name(args.kernel)
    if (
        not args.dry_run
        and args.keep is not None
        and args.keep.exists()
        and any(args.keep.iterdir())
    ):
        raise UserError(f"{args.keep} is not empty: choose another folder")


def run(args: argparse.Namespace, project: Project) -> int:
    # For a command that is only shown, nothing is fetched.
    kernel = (
        kernels.by_name(args.kernel)
        if args.dry_run
        else kernels.find(args.kernel, os.environ, update=args.update)
    )
    described = machine.Machine(kernel, args.cpus, args.accel, arguments=args.append)
    if args.dry_run:
        print(shlex.join(described.command(Path(emulator.PROGRAM), args.keep or Path("RUN"))))
        return 0
    folder = args.keep or guest.temporary_folder()
    try:
        outcome = guest.run_command(project, described, args.words, os.environ, folder, args.limit)
    except boot.GuestFailure as failure:
        print("\n".join(failure.tail), file=sys.stderr)
        say(f"{failure} (above: the last of its console; all of it: {folder})")
        return 1
    except (UserError, KeyboardInterrupt):
        if args.keep is None:
            shutil.rmtree(folder)
        raise
    sys.stdout.write(outcome.text("stdout"))
    sys.stdout.flush()
    sys.stderr.write(outcome.text("stderr"))
    seconds = ", ".join(f"{state} {s:.1f} s" for state, s in outcome.timing.seconds.items())
    say(f"{kernel.name} {kernel.release}: status {outcome.status} ({seconds})")
    status = outcome.status
    if args.keep is None:
        shutil.rmtree(folder)
    return status
