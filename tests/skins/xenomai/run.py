#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The unedited tests of Xenomai, one case each, against a build. Prints TAP.

usage: run.py [--long] BUILD

Skipped if the suite is not there. --long: only those of more than 10 s.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))

from tactus.commands.suites import CATALOGS, run_in  # noqa: E402
from tactus.project import UserError  # noqa: E402
from tactus.suites import catalog, place, table  # noqa: E402
from tactus.suites.run import Result  # noqa: E402


def main(*arguments: str) -> int:
    is_long = "--long" in arguments
    suite = place.find(place.XENOMAI, os.environ)
    if suite is None:
        print(f"1..0 # SKIP {table.NO_SUITES}: ./tactus suites fetch xenomai brings them")
        return 0
    if os.geteuid() != 0:
        print("1..0 # SKIP they take real-time policies and set limits: root is needed")
        return 0
    every = catalog.load(ROOT / CATALOGS[place.XENOMAI.name])
    wanted = [test for test in every if test.long == is_long]
    print(f"1..{len(wanted)}", flush=True)
    results: list[Result] = []

    def tell(result: Result) -> None:
        results.append(result)
        print(table.tap(len(results), result), flush=True)

    try:
        run_in(Path(arguments[-1]), suite, wanted, tell)
    except UserError as error:
        print(f"Bail out! {error}")
        return 1
    return 0 if all(result.is_expected for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
