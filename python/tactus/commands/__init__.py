# SPDX-License-Identifier: LGPL-2.1-or-later
"""One module per command; its file name is the command's name.

A command module defines

* `SUMMARY: str` - the line `./tactus --help` shows, a plain string literal;
* `NEEDS_BUILD: bool` - optional, default False: bring `build/` up to date before `run`;
* `configure(parser: argparse.ArgumentParser) -> None` - declares the options;
* `check(args: argparse.Namespace) -> None` - optional: raises for mistakes that the command line
  and the machine show, before anything is built or installed: it needs no packages;
* `run(args: argparse.Namespace, project: Project) -> int` - does the work, returns the exit
  status.

Only the chosen module is imported; the `SUMMARY` of the others is read from their source. A mistake
of the user is raised as `UserError` and shown as one line.
"""
