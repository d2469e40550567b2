# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a foreign program, and ends the processes that it leaves."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# A thread that was killed ends when it gets its CPU; others may have the CPU for longer.
END_S = 10


def run_and_end(
    command: Sequence[str], where: Path, environment: Mapping[str, str], limit_s: float
) -> tuple[int | None, str]:
    """Exit status (None: it did not end) and output; no process is left."""
    with subprocess.Popen(
        command,
        cwd=where,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            return None, _kill(process)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, said


def _kill(process: subprocess.Popen[str]) -> str:
    """Ends the process and those that it started; returns the output, as far as it is available."""
    os.killpg(process.pid, signal.SIGKILL)
    try:
        said, _ = process.communicate(timeout=END_S)
    except subprocess.TimeoutExpired as left:
        # No code waits for its end.
        process.returncode = -signal.SIGKILL
        if process.stdout:
            process.stdout.close()
        said = left.stdout.decode(errors="replace") if isinstance(left.stdout, bytes) else ""
        said += f"\nnot ended {END_S} s after SIGKILL: another program keeps its CPU"
    return said
