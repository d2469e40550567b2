# SPDX-License-Identifier: LGPL-2.1-or-later
"""`./tactus measure --core bare`: its message without the module, and the whole command, `doctor`
and `ps` in a virtual machine that has the module, with this interpreter and its packages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from kmod_factory import kernel_of, module_of

from tactus.cli import main
from tactus.lab.vm import boot, core, image
from tactus.lab.vm.console import State
from tactus.lab.vm.guest import Guests, Outcome, command_job
from tactus.lab.vm.machine import Machine
from tactus.measure.instruments import BARE_LIBRARY, FOLDER, PROGRAMS
from tactus.project import Project

TREE = "opt/tactus"
LATENCY = f"{FOLDER}/{PROGRAMS[0]}"
LAYOUT = "tools/abi/abi.json"
# Parts of the standard library that are large and that no program here needs.
LEFT_OUT = {
    "__pycache__",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "site-packages",
    "dist-packages",
}
LEFT_OUT |= {"test", "tests", "tkinter", "turtledemo", "pydoc_data"}
# ./tactus without the build, for which a guest has no compiler.
CALL = (
    "import sys; from tactus import cli, project; "
    "project.Project.ensure_built = lambda self: None; sys.exit(cli.main(sys.argv[1:]))"
)
IMPORTED = (
    "import sys, tactus.commands.doctor, tactus.commands.measure, tactus.commands.ps; "
    # Modules that they import when they run.
    "import tactus.measure.document, tactus.measure.gravity, tactus.measure.instruments; "
    "import tactus.measure.manifest, tactus.measure.session; "
    "files = [getattr(m, '__file__', None) for m in sys.modules.values()]; "
    "print(*[f for f in files if f and '-packages/' in f], sep='\\n')"
)
PYTHON = """
export PYTHONHOME=/{tree}/interpreter PYTHONPATH=/{tree}/python:/{tree}/packages
export PYTHONDONTWRITEBYTECODE=1
tactus() {{
	/usr/bin/python3 -c '{call}' "$@"
}}
"""
COMMAND = """
insmod /{folder}/tactus.ko broadcast_mce=1 || exit 9
measure() {{
	tactus measure --core bare --cpu 1 --load idle --tasks 1 --duration 0.5 "$@"
}}
measure --json $2/measured.json >$2/table || exit 1
tactus doctor --cpu 1 --json $2/doctor.json >$2/doctor
LD_LIBRARY_PATH=/{tree}/build/lib/bare /{tree}/build/{latency} --core bare --cpu 1 \\
	--duration 600 >/dev/null 2>&1 &
program=$!
tries=0
until [ "$(cat /sys/devices/system/cpu/online)" = 0 ] || [ $tries -ge 500 ]; do
	tries=$((tries + 1))
	sleep 0.01
done
tactus ps --json $2/ps.json >$2/ps || exit 2
kill $program
wait $program
rmmod tactus
measure >$2/absent 2>$2/absent.err
echo $? >$2/absent.end
"""
DOCTOR = "tactus doctor --cpu 1 --json $2/doctor.json >$2/doctor\n"
# The doctor's output on a machine that has the thing, and on one that lacks it.
MACHINES: dict[str, tuple[tuple[str, ...], str, int, dict[str, str]]] = {
    "plain": (
        ("-cpu", "max,-la57,-monitor"),
        "",
        2,
        {
            "bare: module": "apt install linux-headers-",
            "bare: signature": "no UEFI firmware",
            "bare: free CPU": "Linux can give up CPU 1.",
            "bare: CPU": "The time-stamp counter, the clock of a taken CPU, may stop",
            "bare: IOMMU": "No IOMMU is in use",
            "SMT": "No other hardware thread",
            "idle states": "There is no idle driver: the CPU only halts.",
        },
    ),
    "IOMMU, siblings, signatures, no FSGSBASE": (
        (
            *core.REMAPPING,
            "-smp",
            "4,cores=2,threads=2",
            "-cpu",
            "max,-la57,-monitor,vendor=GenuineIntel",
        ),
        "intel_iommu=on module.sig_enforce=1 nofsgsbase",
        4,
        {
            "bare: signature": "takes only modules that are signed",
            "bare: free CPU": "CPU 0 shares its core",
            "bare: CPU": "fsgsbase",
            "bare: broadcasts": "also reach a taken CPU",
            "bare: IOMMU": "reach only the memory of those programs (dmar0)",
            "SMT": "CPU 0 shares the core",
        },
    ),
}


@pytest.mark.skipif(Path("/dev/tactus").exists(), reason="the module is loaded here")
def test_measure_names_the_remedy_where_there_is_no_module(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (Project.here().build / BARE_LIBRARY).is_file():
        pytest.skip("the library of the bare core is not built")
    monkeypatch.setattr(Project, "ensure_built", lambda _self: None)
    assert main(["measure", "--core", "bare", "--load", "idle", "--duration", "0.2"]) == 2
    said = capsys.readouterr().err
    assert "load the module" in said and "kmod/README.md" in said


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in LEFT_OUT or path.name.startswith("config-"):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def _packages() -> set[Path]:
    """Modules of the command that are not in the standard library."""
    command = [sys.executable, "-c", IMPORTED]
    done = subprocess.run(
        command,
        cwd=Project.here().root / "python",
        capture_output=True,
        text=True,
        check=True,
    )
    found = set()
    for line in done.stdout.splitlines():
        folder = next(p for p in Path(line).parents if p.name.endswith("-packages"))
        found.add(folder / Path(line).relative_to(folder).parts[0])
    return found


def _python() -> tuple[dict[str, Path], dict[str, Path]]:
    """Programs and files of this interpreter, and of the packages that the command needs."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    found = {
        f"{TREE}/interpreter/lib/{stdlib.name}/{p.relative_to(stdlib)}": p for p in _files(stdlib)
    }
    for package in _packages():
        # Libraries that a wheel brings are beside it.
        for part in (package, package.with_name(f"{package.name}.libs")):
            files = _files(part) if part.is_dir() else [part] if part.is_file() else []
            found |= {f"{TREE}/packages/{p.relative_to(package.parent)}": p for p in files}
    # The result contains their versions.
    for name in ("tactus", "numpy", "hdrhistogram"):
        for file in metadata.files(name) or ():
            if file.name == "METADATA":
                found[f"{TREE}/packages/{file}"] = Path(str(file.locate()))
    # The libraries of a C module come with it, as with a program.
    programs = {name: path for name, path in found.items() if ".so" in path.name}
    programs["usr/bin/python3"] = Path(os.path.realpath(sys.executable))
    return programs, {n: p for n, p in found.items() if n not in programs}


def _guest(
    folder: Path,
    command: str,
    cpus: int,
    devices: tuple[str, ...] = (),
    arguments: str = "",
) -> Outcome:
    project = Project.here()
    kernel = kernel_of("generic")
    files = module_of(project, kernel)
    programs, modules = _python()
    for name in PROGRAMS:
        programs[f"{TREE}/build/{FOLDER}/{name}"] = project.program(f"{FOLDER}/{name}")
    files |= modules
    files |= {f"{TREE}/build/{name}": project.program(name) for name in (BARE_LIBRARY, LAYOUT)}
    package = project.root / "python/tactus"
    files |= {f"{TREE}/python/tactus/{p.relative_to(package)}": p for p in _files(package)}
    guests = Guests.of(image.Content(programs, files), os.environ)
    guests = replace(guests, limits_s={**boot.LIMITS_S, State.JOB: 1800.0})
    script = PYTHON.format(tree=TREE, call=CALL) + command
    machine = Machine(
        kernel,
        cpus,
        memory_mib=2048,
        arguments=arguments,
        devices=devices,
        slice_us=200,
    )
    return guests.run(machine, command_job(folder / "job", [script]), folder)


@pytest.mark.guest
@pytest.mark.on_request
@pytest.mark.parametrize("name", MACHINES)
def test_doctor_tells_what_a_machine_has(name: str, tmp_path: Path) -> None:
    devices, arguments, cpus, says = MACHINES[name]
    outcome = _guest(tmp_path, DOCTOR, cpus, devices, arguments)
    findings = json.loads(outcome.text("doctor.json"))["findings"]
    found = {f["check"]: f"{f['finding']} {f['fix']}" for f in findings}
    assert {check: found[check] for check, text in says.items() if text not in found[check]} == {}


@pytest.mark.guest
@pytest.mark.on_request
def test_measure_on_a_core_of_a_machine_with_the_module(tmp_path: Path) -> None:
    command = COMMAND.format(folder=core.FOLDER, tree=TREE, latency=LATENCY)
    outcome = _guest(tmp_path, command, 2)
    said = outcome.text("stderr")[-2000:]
    assert outcome.status == 0, said
    measured = json.loads(outcome.text("measured.json"))
    assert [(run["core"], run["context"]) for run in measured["runs"]] == [
        ("bare", context) for context in ("handler", "light", "task")
    ]
    for run in measured["runs"]:
        assert run["samples"] >= 400 and run["overruns"] == 0, run
    assert "bare" in outcome.text("table")
    found = {f["check"]: f for f in json.loads(outcome.text("doctor.json"))["findings"]}
    assert found["bare: module"]["level"] == "ok", found
    [program] = json.loads(outcome.text("ps.json"))["programs"]
    assert (program["name"], program["core"]) == ("tactus-latency", "bare"), program
    assert re.search(
        r"^tactus-latency \(\d+\), core bare: CPU 0 on Linux CPU 1", outcome.text("ps")
    )
    assert outcome.text("absent.end").strip() == "2"
    assert "load the module" in outcome.text("absent.err")
    log = outcome.text("kernel.log").splitlines()
    assert [line for line in log if core.BAD_LOG.search(line)] == []
