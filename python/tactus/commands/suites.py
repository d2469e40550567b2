# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus suites`: exit status 0 if a suite was fetched, or its tests ended as expected."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tactus.project import Project, UserError, say
from tactus.suites import catalog, place, stage, table
from tactus.suites.fetch import fetch
from tactus.suites.run import Result, Workshop, run_all

SUMMARY = "fetch the test suites of other projects, and run them unedited"
CATALOGS = {"xenomai": "tests/skins/xenomai/tests.toml"}
REPORTS = {"xenomai": "docs/reports/xenomai-tests.md"}


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(
        metavar="COMMAND",
        required=True,
        dest="action",
        help="./tactus suites COMMAND --help shows its options",
    )
    for action, summary in (
        ("fetch", "fetch the commit for which the catalog of tests was written"),
        ("list", "list the tests; if one is not expected to pass, say why"),
        ("run", "build and run the tests in a scratch folder, unedited"),
    ):
        one = commands.add_parser(action, help=summary, description=summary, allow_abbrev=False)
        one.add_argument("suite", metavar="SUITE", help=f"one of {', '.join(place.SUITES)}")
        if action == "fetch":
            one.add_argument(
                "--from",
                dest="source",
                type=Path,
                metavar="DIR",
                help="a clone, a bundle or a folder of files (default: the public repository)",
            )
        if action == "run":
            one.add_argument("tests", nargs="*", metavar="TEST", help="names or groups (all)")
            one.add_argument("--long", action="store_true", help="include tests of more than 10 s")
            one.add_argument(
                "--report", action="store_true", help="run all and write the table of the report"
            )
            one.add_argument("--keep", type=Path, metavar="DIR", help="build in DIR, and keep it")


def run(args: argparse.Namespace, project: Project) -> int:
    suite = place.by_name(args.suite)
    if args.action == "fetch":
        folder, is_new = fetch(suite, args.source, os.environ)
        say(f"{suite.name} {suite.release} {'is now' if is_new else 'was already'} in {folder}")
        return 0
    every = catalog.load(project.root / CATALOGS[suite.name])
    if args.action == "list":
        for test in every:
            print(f"{test.title}{f': {table.reason_of(test)}' if test.ground else ''}")
        return 0
    found = place.find(suite, os.environ)
    if found is None:
        raise UserError(
            f"{suite.name} is not in {place.root(os.environ)}: "
            f"./tactus suites fetch {suite.name} fetches it"
        )
    if os.geteuid() != 0:
        raise UserError("its tests use real-time policies and set limits: start this as root")
    if args.report and args.tests:
        raise UserError("--report is for all tests: leave the names out")
    wanted = [
        test
        for test in catalog.select(every, tuple(args.tests))
        if args.long or args.report or args.tests or not test.long
    ]
    project.ensure_built()
    results = run_in(project.build, found, wanted, _tell, args.keep)
    if args.report:
        table.write(project.root / REPORTS[suite.name], results)
    wrong = [result for result in results if not result.is_expected]
    passed = sum(result.ending.value == "passes" for result in results)
    print(f"{passed} of {len(results)} pass, {len(wrong)} ended unexpectedly")
    return 1 if wrong else 0


def run_in(
    build: Path,
    suite: Path,
    wanted: list[catalog.Test],
    tell: Callable[[Result], None],
    keep: Path | None = None,
) -> list[Result]:
    """Installs the build into a scratch folder and runs the tests there."""
    with tempfile.TemporaryDirectory(prefix="tactus-suites.") as scratch:
        where = Path(scratch)
        xeno_config = stage.install(build, where / "installed")
        workshop = Workshop(suite, (keep or where).absolute(), xeno_config)
        return run_all(workshop, wanted, tell)


def _tell(result: Result) -> None:
    note = "" if result.is_expected else " (not as expected)"
    print(f"{result.test.title} {result.ending.value}{note}", flush=True)
    if not result.is_expected:
        for line in result.said.splitlines():
            print(f"    {line}")
