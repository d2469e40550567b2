# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiling, never a version, finds the differences between kernels: kmod/probe.sh with probes and
a compiler of the test, and what must not be in kmod/."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tactus.project import Project

ROOT = Project.here().root
FLAGS = ("-std=gnu11", "-Werror=implicit-function-declaration")
CALL = "int probe(void);\nint probe(void)\n{{\n\treturn {name}();\n}}\n"


def probe(folder: Path, **probes: str) -> subprocess.CompletedProcess[str]:
    """The output of probe.sh for these; `linux/cpu.h` is empty."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    (folder / "linux").mkdir()
    (folder / "linux/cpu.h").touch()
    paths = []
    for name, text in probes.items():
        path = folder / f"{name}.c"
        path.write_text(text)
        paths.append(str(path))
    script = str(ROOT / "kmod/probe.sh")
    command = [
        "sh",
        script,
        str(folder / "probed.h"),
        *paths,
        "--",
        gcc,
        f"-I{folder}",
        *FLAGS,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_probe_that_compiles_is_defined_and_another_is_not(tmp_path: Path) -> None:
    done = probe(
        tmp_path,
        has_it="// about: has_it\nint has_it(void);\n" + CALL.format(name="has_it"),
        lacks_it="// about: lacks_it\n" + CALL.format(name="lacks_it"),
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "probed.h").read_text()
    assert "#define TACTUS_HAS_HAS_IT 1\n" in text
    assert "#define TACTUS_HAS_LACKS_IT" not in text
    assert re.search(r"^/\* no LACKS_IT: .*lacks_it.* \*/$", text, re.M)


def test_probe_that_fails_for_another_reason_ends_the_build(tmp_path: Path) -> None:
    """Otherwise it would choose what an older kernel needs."""
    text = "// about: lacks_it\n" + CALL.format(name="something_else")
    done = probe(tmp_path, lacks_it=text)
    assert done.returncode == 1
    assert "lacks_it.c does not compile for another reason" in done.stderr
    assert "something_else" in done.stderr
    assert not (tmp_path / "probed.h").exists()


def test_headers_that_do_not_compile_end_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    done = subprocess.run(
        [
            "sh",
            str(ROOT / "kmod/probe.sh"),
            str(folder / "probed.h"),
            "--",
            "gcc",
            f"-I{folder}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "headers do not compile: install them whole" in done.stderr


def test_each_probe_says_what_it_is_about() -> None:
    probes = [*(ROOT / "kmod/probes").iterdir()]
    assert len(probes) > 5
    for path in probes:
        text = path.read_text()
        assert re.search(r"^(//| \*) about: \S", text, re.M), path
        # A probe whose result is never used decides nothing.
        assert f"TACTUS_HAS_{path.stem.upper()}\n" in (ROOT / "kmod/compat.h").read_text(), path


def test_no_version_of_linux_decides_anything() -> None:
    for path in (ROOT / "kmod").rglob("*"):
        if path.is_file():
            assert not re.search(r"LINUX_VERSION_CODE|KERNEL_VERSION\(", path.read_text()), path
    assert "BUILD_EXCLUSIVE_KERNEL" not in (ROOT / "kmod/dkms.conf").read_text()
