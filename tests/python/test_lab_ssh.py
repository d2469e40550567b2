# SPDX-License-Identifier: LGPL-2.1-or-later
"""The target ssh against a server that the test starts, on loopback with its own keys and port."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tactus.lab import jobfolder
from tactus.lab.model import Job, RunStatus
from tactus.lab.targets import Description, programs
from tactus.lab.targets.programs import Programs
from tactus.lab.targets.ssh import Lost, Remote
from tactus.project import Project, UserError

START_S = 20.0
SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin")
# Replaces cyclictest on the other machine: a program with libraries, and with wrong output.
JOB = Job("p", "t", "installed", 0, "cyclictest", samples=10, limit_s=60.0)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Description]:
    if SSHD is None:
        pytest.fail("sshd is not there: apt-get install openssh-server")
    for name in ("host", "own"):
        command = [
            "ssh-keygen",
            "-q",
            "-t",
            "ed25519",
            "-N",
            "",
            "-f",
            str(tmp_path / name),
        ]
        subprocess.run(command, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines = [f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {tmp_path}/host"]
    lines += [f"AuthorizedKeysFile {tmp_path}/own.pub", f"PidFile {tmp_path}/pid"]
    lines += ["StrictModes no", "UsePAM no", "PasswordAuthentication no"]
    (tmp_path / "conf").write_text("\n".join(lines) + "\n")
    public = (tmp_path / "host.pub").read_text()
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {public}")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    (tmp_path / "there").mkdir()
    log = (tmp_path / "log").open("wb")
    process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(tmp_path / "conf")], stderr=log)
    options = {
        "host": "127.0.0.1",
        "user": getpass.getuser(),
        "port": port,
        "identity": str(tmp_path / "own"),
        "known_hosts": str(tmp_path / "known"),
        "folder": str(tmp_path / "there"),
        "kernel": "installed",
        "cpu": -1,
    }
    try:
        deadline = time.monotonic() + START_S
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < deadline, "sshd does not answer"
            time.sleep(0.05)
        yield Description("t", "ssh", "", options)
    finally:
        process.terminate()
        process.wait()
        log.close()


@pytest.fixture
def own(server: Description, monkeypatch: pytest.MonkeyPatch) -> Iterator[Remote]:
    cat = shutil.which("cat")
    assert cat is not None
    found = Programs({"cyclictest": Path(cat)}, {})
    monkeypatch.setattr(programs, "needed", lambda *_: found)
    target = Remote(server, Project.here(), os.environ)
    try:
        yield target
    finally:
        target.close()


def test_program_runs_there_with_its_libraries_and_nothing_is_left(
    own: Remote, server: Description, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'echo hello | cyclictest >"$OUT/said"; command -v cyclictest >"$OUT/where"\n'
    monkeypatch.setattr("tactus.lab.instruments.recipes.Recipe.script", lambda *_: script)
    own.prepare([JOB])
    report = own.run(JOB, tmp_path / "run")
    assert report.out is not None
    assert jobfolder.lines_of(report.out / "outcome")["end"] == "ok"
    assert (report.out / "said").read_text() == "hello\n"
    assert (report.out / "where").read_text().startswith(server.text("folder"))
    own.close()
    assert list(Path(server.text("folder")).iterdir()) == []


def test_machine_with_hardly_more_than_a_shell_is_enough(
    own: Remote, server: Description, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = tmp_path / "poor"
    poor.mkdir()
    for name in ("sh", "mkdir", "cat", "chmod"):
        there = shutil.which(name)
        assert there is not None
        (poor / name).symlink_to(there)
    real = Remote._ssh

    def without(self: Remote, script: str) -> list[str]:
        return real(self, f"PATH={poor}; {script}" if script else script)

    monkeypatch.setattr(Remote, "_ssh", without)
    script = 'echo hello | cyclictest >"$OUT/said"\n'
    monkeypatch.setattr("tactus.lab.instruments.recipes.Recipe.script", lambda *_: script)
    report = own.run(replace(JOB, load="io"), tmp_path / "run")
    assert report.out is not None, report.reason
    assert jobfolder.lines_of(report.out / "outcome")["end"] == "ok"
    assert (report.out / "said").read_text() == "hello\n"
    own.close()
    assert list(Path(server.text("folder")).iterdir()) == []


def test_folder_where_nothing_may_be_written_is_said(own: Remote) -> None:
    options = {**own._description.options, "folder": "/proc"}
    target = Remote(Description("t", "ssh", "", options), Project.here(), os.environ)
    with pytest.raises(UserError, match=r"/proc.*: in the target's file, name a `folder`"):
        target.prepare([JOB])
    target.close()


def test_run_that_takes_too_long_is_ended_there(
    own: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "exec sleep 43.21\n"
    monkeypatch.setattr("tactus.lab.instruments.recipes.Recipe.script", lambda *_: script)
    report = own.run(replace(JOB, limit_s=1.0), tmp_path / "run")
    assert report.status is RunStatus.TIMEOUT
    deadline = time.monotonic() + START_S
    while "sleep 43.21" in subprocess.check_output(["ps", "-eo", "args"], text=True):
        assert time.monotonic() < deadline, "the run goes on without us"
        time.sleep(0.1)


def test_machine_that_does_not_answer_is_said(tmp_path: Path, own: Remote) -> None:
    gone = Description("t", "ssh", "", {**own._description.options, "port": 9})
    target = Remote(gone, Project.here(), os.environ)
    with pytest.raises(UserError, match=r"no connection to 127\.0\.0\.1"):
        target.prepare([JOB])
    assert target.run(JOB, tmp_path).status is RunStatus.LOST
    assert issubclass(Lost, UserError)
