# SPDX-License-Identifier: LGPL-2.1-or-later
"""The place of the project; brings its C build up to date."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


class UserError(Exception):
    """A problem that the user can correct; the message is one line that says how."""


class StepError(UserError):
    """A step of the build failed."""

    def __init__(self, message: str, tail: Sequence[str]) -> None:
        super().__init__(message)
        self.tail = tail  # the end of its output


# Starts a command that may only use what other processes leave.
LEFT_OVER = ("chrt", "--idle", "0")


@dataclass(frozen=True, slots=True)
class Project:
    """The tree that this package belongs to."""

    root: Path

    @classmethod
    def here(cls) -> Project:
        return cls(Path(__file__).resolve().parents[2])

    @property
    def build(self) -> Path:
        """The build folder for commands; the test suite keeps others beside it."""
        return self.root / "build"

    @property
    def cache(self) -> Path:
        """A folder for files that may be deleted at any time."""
        return self.root / ".cache"

    def program(self, name: str) -> Path:
        """A built program, by its path in the build folder (`instruments/latency`)."""
        path = self.build / name
        if not path.is_file():
            raise UserError(f"the build did not make {name}: delete {self.build} and start again")
        return path

    def run(
        self, name: str, *args: str, timeout_s: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a built program to its end and returns its output, whatever its status."""
        command = [str(self.program(name)), *args]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=timeout_s, check=False
        )

    def ensure_built(
        self,
        folder: Path | None = None,
        options: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Configures `folder` (default `build/`) if that is due, and lets ninja build the rest.

        A folder that was configured in another place, with other options, or only in part is made
        anew. Raises UserError if a step fails, after the end of its output.
        """
        try:
            self._bring_up(folder or self.build, options, env)
        except StepError as failed:
            print("\n".join(failed.tail), file=sys.stderr)
            raise

    def build_ahead(self, folder: Path, options: Sequence[str], env: Mapping[str, str]) -> None:
        """The same beside more important work: silently, with the processor time that it leaves.

        A failed step is not reported here: ensure_built() does the step again, and reports it.
        """
        with suppress(UserError):
            self._bring_up(folder, options, env, ahead=True)

    def _bring_up(
        self,
        build: Path,
        options: Sequence[str],
        env: Mapping[str, str] | None,
        *,
        ahead: bool = False,
    ) -> None:
        tell = _say_nothing if ahead else say
        before = LEFT_OVER if ahead else ()
        stamp = build / "tactus-configured"
        key = "\n".join(
            [str(self.root), *options, *sorted(f"{k}={v}" for k, v in (env or {}).items())]
        )
        log = self.cache / f"{build.name}.log"
        with self._lock(build.name) as writable:
            configured = _holds(stamp, key) and (build / "build.ninja").is_file()
            if not writable:
                # What ninja cannot examine as this user was examined at the build.
                if configured and not _has_work(build, if_unknown=False):
                    return
                raise UserError(
                    f"{build} is not up to date, and {self.root} is not writable: copy the "
                    "project to a folder of your own"
                )
            if not configured:
                tell(f"configuring {build.name}/")
                setup = [*before, "meson", "setup", *options, str(build), str(self.root)]
                _clear(build)
                _step(setup, log, "w", env)
                stamp.write_text(key, encoding="utf-8")
            if _has_work(build):
                tell(f"building {build.name}/")
                _step([*before, "ninja", "-C", str(build)], log, "a", env)

    @contextmanager
    def _lock(self, name: str) -> Iterator[bool]:
        """Two commands that start at once must not configure or build one folder together. False:
        this user may not write here, and so neither command builds."""
        try:
            self.cache.mkdir(exist_ok=True)
            file = (self.cache / f"{name}.lock").open("w")
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            yield False
            return
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield True


def say(text: str) -> None:
    """One line of progress; standard output is for the command's result."""
    print(f"tactus: {text}", file=sys.stderr, flush=True)


def _say_nothing(_text: str) -> None:
    pass


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == text
    except OSError:
        return False


def _clear(build: Path) -> None:
    # Only a folder that Meson made is deleted: the name alone is no proof. The folder may be a link
    # to a disk with more room; the link stays.
    if (build / "meson-private").is_dir():
        shutil.rmtree(build.resolve())
        build.resolve().mkdir()
    elif build.is_dir() and any(build.iterdir()):
        raise UserError(f"{build} is no build folder of Meson: move it away and start again")


def _has_work(build: Path, *, if_unknown: bool = True) -> bool:
    dry = subprocess.run(
        ["ninja", "-C", str(build), "-n"], capture_output=True, text=True, check=False
    )
    if dry.returncode != 0:
        return if_unknown
    return "no work to do" not in dry.stdout


def _step(command: list[str], log: Path, mode: str, env: Mapping[str, str] | None) -> None:
    try:
        with log.open(mode, encoding="utf-8") as file:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                check=False,
            )
    except FileNotFoundError:
        raise UserError(f"{command[0]} is not on PATH: install it and start again") from None
    if done.returncode != 0:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-25:]
        raise StepError(f"{command[0]} failed (above: the end of {log})", tail)
