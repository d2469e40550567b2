# SPDX-License-Identifier: LGPL-2.1-or-later
"""Another machine through ssh. It needs a shell, and mkdir, cat and chmod, with which a static
busybox is copied there. That has the utilities that the machine lacks, and is searched after the
machine's own. Everything is in one folder there, which is removed at the end.

The programs come with their libraries and are started through the loader among those, so that the
machine's own C library does not matter.
"""

from __future__ import annotations

import io
import secrets
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tactus.lab import jobfolder
from tactus.lab.instruments import RECIPES, recipe
from tactus.lab.jobfolder import RUN_FOLDER, SCRIPTS, Place, Report
from tactus.lab.model import Job, RunStatus
from tactus.lab.targets import programs
from tactus.lab.targets.describe import Description
from tactus.lab.vm.image import busybox, libraries
from tactus.lab.vm.results import Damaged, extract
from tactus.project import Project, UserError

CONNECT_S = 15
STEP_S = 300.0
LOST_STATUS = 255
# The loader's name differs between processors (ld-linux-x86-64.so.2, ld-linux-aarch64.so.1).
WRAPPER = """#!/bin/sh
here=${0%/*}/..
for loader in "$here"/lib/ld-linux*; do
	exec "$loader" --library-path "$here/lib" "$here/programs/${0##*/}" "$@"
done
"""
# The user's mask of permissions must not prevent the start of programs.
BEGIN = (
    "umask 022; mkdir -m 700 {bundle} && cat >{bundle}/busybox && chmod 755 {bundle}/busybox && "
    "{bundle}/busybox mkdir {bundle}/tools && {bundle}/busybox --install -s {bundle}/tools"
)
TOOLS = "PATH=$PATH:{bundle}/tools; "
UNPACK = TOOLS + "tar -x -f - -C {bundle}"
FRESH = TOOLS + "rm -rf {job} {out}; mkdir {job} {out}; tar -x -f - -C {job}"
FETCH = TOOLS + "tar -c -f - -C {out} ."
END = TOOLS + "rm -rf {bundle}"
# The connection keeps the run alive: when no process holds its other end, the run is ended.
RUN = (
    "exec 3<&0; " + TOOLS + "sh {bundle}/run/run.sh {job} {out} 2>{out}/run.err & run=$!; "
    "{{ read -r line; kill $run 2>/dev/null; }} <&3 & watch=$!; "
    "wait $run; status=$?; kill $watch 2>/dev/null; exit $status"
)


class Remote:
    """Runs lab/run/run.sh there, one job at a time."""

    def __init__(
        self, description: Description, project: Project, environment: Mapping[str, str]
    ) -> None:
        self._description = description
        self._project = project
        self._environment = dict(environment)
        self._bundle = ""
        self._sockets: tempfile.TemporaryDirectory[str] | None = None

    def _ssh(self, script: str) -> list[str]:
        options = self._description
        user = options.text("user")
        words = ["ssh", "-T", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={CONNECT_S}"]
        words += ["-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"]
        words += ["-p", options.text("port")]
        if options.text("identity"):
            identity = str(Path(options.text("identity")).expanduser())
            words += ["-i", identity, "-o", "IdentitiesOnly=yes"]
        if options.text("known_hosts"):
            hosts = str(Path(options.text("known_hosts")).expanduser())
            words += ["-o", f"UserKnownHostsFile={hosts}"]
        if self._sockets is not None:
            words += ["-o", f"ControlPath={self._sockets.name}/s"]
        where = options.text("host")
        return [*words, "--", f"{user}@{where}" if user else where, script]

    def _do(self, script: str, data: bytes = b"") -> bytes:
        try:
            done = subprocess.run(
                self._ssh(script),
                input=data,
                capture_output=True,
                timeout=STEP_S,
                env=self._environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(f"{self._name} did not answer within {STEP_S:g} s") from None
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            said = lines[-1] if lines else f"status {done.returncode}"
            if done.returncode == LOST_STATUS:
                raise Lost(f"no connection to {self._name} ({said}): try ssh by hand")
            raise UserError(f"{self._name}: {said}")
        return done.stdout

    def _connect(self) -> None:
        """One connection for all that follows; it stays in the background until close()."""
        self._sockets = tempfile.TemporaryDirectory(prefix="tactus-ssh-")
        command = self._ssh("")[:-3]
        # Not into a pipe, which the process in the background would hold open.
        with tempfile.TemporaryFile() as errors:
            done = subprocess.run(
                [*command, "-o", "ControlMaster=yes", "-f", "-N", "--", *self._ssh("")[-2:-1]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=self._environment,
                check=False,
            )
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
        if done.returncode != 0:
            self._disconnect()
            said = lines[-1] if lines else f"status {done.returncode}"
            raise Lost(f"no connection to {self._name} ({said}): try ssh by hand")

    def _disconnect(self) -> None:
        if self._sockets is not None:
            command = self._ssh("")
            ending = [*command[:-3], "-O", "exit", "--", command[-2]]
            subprocess.run(ending, capture_output=True, check=False)
            self._sockets.cleanup()
            self._sockets = None

    @property
    def _name(self) -> str:
        return self._description.text("host")

    def _opened(self) -> str:
        """The folder there with the programs of all instruments and loads."""
        if not self._bundle:
            if not shutil.which("ssh"):
                raise UserError("ssh is not on PATH: sudo apt-get install openssh-client")
            self._disconnect()
            self._connect()
            bundle = f"{self._description.text('folder')}/tactus-lab.{secrets.token_hex(4)}"
            try:
                self._do(BEGIN.format(bundle=bundle), self._busybox().read_bytes())
            except Lost:
                raise
            except UserError as error:
                self._do(f"rm -rf {bundle}")
                raise UserError(
                    f"{error}: in the target's file, name a `folder` in which programs may be "
                    "written "
                    "and started"
                ) from None
            self._bundle = bundle
            self._do(UNPACK.format(bundle=bundle), self._archive())
        return self._bundle

    def _busybox(self) -> Path:
        """A static one: that of this machine, or that of the guests."""
        own = shutil.which("busybox")
        return Path(own) if own and not libraries(Path(own)) else busybox(self._environment)

    def _archive(self) -> bytes:
        every = [Job("", "", "", 1, n, load=load) for n in RECIPES for load in jobfolder.LOADS]
        found = programs.needed(self._project, every)
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as tar:
            shared: dict[str, Path] = {}
            for name, path in found.programs.items():
                shared |= libraries(path)
                _add(tar, f"programs/{name}", path.read_bytes())
                _add(tar, f"bin/{name}", WRAPPER.encode())
            for name, path in shared.items():
                _add(tar, f"lib/{Path(name).name}", path.read_bytes())
            for name, path in found.files.items():
                _add(tar, f"bin/{name}", path.read_bytes())
            for name in SCRIPTS:
                _add(tar, f"run/{name}", (RUN_FOLDER / name).read_bytes())
        return raw.getvalue()

    def prepare(self, jobs: Sequence[Job]) -> None:
        programs.needed(self._project, jobs)
        self._opened()

    def _place(self, bundle: str) -> Place:
        cpu = self._description.whole("cpu")
        return Place("" if cpu < 0 else str(cpu), f"{bundle}/bin")

    def commands(self, job: Job) -> list[list[str]]:
        names = {"bundle": "BUNDLE", "job": "JOB", "out": "OUT"}
        before, after = (BEGIN, UNPACK, FRESH, RUN), (FETCH, END)
        return [
            *(self._ssh(script.format(**names)) for script in before),
            [recipe(job.instrument).script(job).strip()],
            *(self._ssh(script.format(**names)) for script in after),
        ]

    def run(self, job: Job, folder: Path) -> Report:
        try:
            return self._run(job, folder)
        except Lost as error:
            self._bundle = ""
            return Report(None, RunStatus.LOST, str(error))
        except Damaged as error:
            return Report(None, RunStatus.LOST, f"the results of {self._name}: {error}")

    def _run(self, job: Job, folder: Path) -> Report:
        bundle = self._opened()
        made = jobfolder.make(folder / "job", job, self._place(bundle))
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as tar:
            for path in sorted(made.iterdir()):
                _add(tar, path.name, path.read_bytes())
        there = {"bundle": bundle, "job": f"{bundle}/job", "out": f"{bundle}/out"}
        self._do(FRESH.format(**there), raw.getvalue())
        process = subprocess.Popen(
            self._ssh(RUN.format(**there)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        )
        try:
            status = process.wait(job.limit_s)
        except subprocess.TimeoutExpired:
            return Report(None, RunStatus.TIMEOUT, f"it did not end within {job.limit_s:g} s")
        finally:
            if process.stdin is not None:
                process.stdin.close()
            if process.poll() is None:
                process.kill()
                process.wait()
        if status == LOST_STATUS:
            raise Lost(f"the connection to {self._name} broke during the run")
        archive = self._do(FETCH.format(**there))
        out = folder / "out"
        out.mkdir()
        extract(archive, out)
        return Report(out)

    def close(self) -> None:
        if self._bundle:
            bundle, self._bundle = self._bundle, ""
            try:
                self._do(END.format(bundle=bundle))
            except UserError as error:
                raise UserError(f"{error}; {bundle} is left on {self._name}") from None
            finally:
                self._disconnect()
        self._disconnect()


class Lost(UserError):
    """The connection has ended, and with it the run."""


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o755
    tar.addfile(info, io.BytesIO(content))
