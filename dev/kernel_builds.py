#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds the module for every amd64 header package of Debian's releases, by their own compilers.

usage: kernel_builds.py [--releases bookworm,trixie] [--only REGEX] [--report FILE]

The releases' packages (main, security, updates, backports, from the machine's own mirrors) are
unpacked into the lab's cache; nothing is installed. It needs no rights but user namespaces.
Prints a row for each kernel; --report writes the table to a file. Exit status 1 when the module
does not build for one, or builds with a warning.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from tactus.lab.vm import cache, headers
from tactus.lab.vm.packages import Packages
from tactus.lab.vm.root import Root
from tactus.project import UserError

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = r"^linux-headers-[0-9.]+[+-].*amd64$"
# Packages of an ABI name or a full version; other names mean the newest one.
FULL = re.compile(r"linux-headers-(\d+\.\d+\.\d+\S*)")
REASON = re.compile(r".*?(?:error: |Error \d|ERROR: |undefined!).*")
HEAD = "| release | kernel | builds | why not |\n|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one kernel."""

    release: str
    kernel: str
    builds: bool
    reason: str

    def __str__(self) -> str:
        return (
            f"| {self.release} | {self.kernel} | {'yes' if self.builds else 'no'} | {self.reason} |"
        )


def version_key(name: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", name)]


def version_of(kernel: str) -> str:
    """The name that kernels of one source share: without the flavour."""
    return re.sub(r"(-cloud|-rt)?-amd64$", "", kernel)


def wanted(packages: Packages, only: str) -> list[str]:
    """The header packages; kernels of one version are adjacent."""
    packages.refresh()
    names = [match[1] for name in packages.named(PACKAGES) if (match := FULL.fullmatch(name))]
    return sorted((name for name in names if re.search(only, name)), key=version_key)


def build(root: Root, kernel: str) -> Row:
    """Builds the module for one kernel with installed headers, from a copy of the sources."""
    with tempfile.TemporaryDirectory(prefix="tactus-") as place:
        for folder in headers.SOURCES:
            shutil.copytree(ROOT / folder, Path(place) / folder)
        done = root.run(headers.made_in_root(kernel), Path(place))
        made = (Path(place) / "kmod" / headers.MODULE).is_file()
    said = done.stdout.splitlines()
    found = [line for line in said if re.search("warning: |WARNING: ", line)]
    if done.returncode or not made:
        found = [line for line in said if REASON.match(line)] or said[-1:]
    return Row(root.packages.codename, kernel, not found, found[0].strip() if found else "")


def commit() -> str:
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def report(rows: list[Row], total: int, command: str) -> str:
    bad = sum(not row.builds for row in rows)
    words = [
        "# The module and Debian's kernels",
        "",
        f"Printed by `{command}` on {time.strftime('%Y-%m-%d')} at {commit() or 'no commit'}: each "
        "amd64 header package of the releases with security, updates and backports, by the "
        f"compiler of the release, without a warning. Of {total} kernels {len(rows)} were "
        f"tried: {len(rows) - bad} build, {bad} do not.",
        "",
        HEAD,
        *map(str, rows),
    ]
    return "\n".join(words) + "\n"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--releases", default="bookworm,trixie", metavar="NAMES")
    parser.add_argument("--only", default="", metavar="REGEX", help="kernels whose names have it")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the table there, too")
    args = parser.parse_args(argv[1:])
    folder = cache.folder_of(os.environ)
    rows: list[Row] = []
    command = shlex.join(["dev/kernel_builds.py", *argv[1:]])
    print(HEAD, flush=True)
    try:
        roots = [Root(Packages.of(folder, release=name)) for name in args.releases.split(",")]
        plan = [(root, wanted(root.packages, args.only)) for root in roots]
        total = sum(len(kernels) for _, kernels in plan)
        for root, all_of_it in plan:
            for _, group in groupby(all_of_it, version_of):
                kernels = list(group)
                root.add(*(f"linux-headers-{kernel}" for kernel in kernels))
                for kernel in kernels:
                    rows.append(build(root, kernel))
                    print(rows[-1], flush=True)
                    # This takes an hour: the results remain if it is interrupted.
                    if args.report:
                        text = report(rows, total, command)
                        args.report.write_text(text, encoding="utf-8")
                # The headers of all kernels need gigabytes.
                root.forget("linux-headers-")
                root.forget("linux-kbuild-")
    except UserError as error:
        print(f"kernel_builds: {error}", file=sys.stderr)
        return 1
    if not rows:
        print(f"kernel_builds: no kernel's name has {args.only!r}", file=sys.stderr)
        return 1
    return int(any(not row.builds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
