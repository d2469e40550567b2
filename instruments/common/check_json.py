#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs an instrument and checks its JSON by expressions over the keys of its result.

usage: check_json.py PROGRAM [OPTION...] -- EXPRESSION...

The program gets `--json FILE`; then its standard output must not be JSON. Exit status 77 (skipped)
if the program says that this machine cannot run it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

TIME_LIMIT_S = 100.0


def main(argv: list[str]) -> int:
    split = argv.index("--")
    command, expressions = argv[1:split], argv[split + 1 :]
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        done = subprocess.run(
            [*command, "--json", file.name],
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=False,
        )
        sys.stdout.write(done.stdout + done.stderr)
        if done.returncode != 0:
            print(f"exit status {done.returncode}")
            return 77 if "is leased to" in done.stderr else 1
        result = json.load(file)
    failed = 0
    for expression in expressions:
        # As globals, so that generators within an expression also see them.
        names = {"__builtins__": {"all": all, "len": len, "abs": abs}, **result}
        if not eval(expression, names):
            print(f"not so: {expression}\nin {json.dumps(result)}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv))
