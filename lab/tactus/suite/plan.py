# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which stages a run of the suite has, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tactus.project import Project, UserError
from tactus.suite import checks, longlag, mesontests
from tactus.suite.case import Case
from tactus.suite.mesontests import Build, Selection

STATIC = "static"
LAB = "lab"

GCC = Build("gcc", "build")
CLANG = Build("clang", "build-clang", build_env={"CC": "clang", "CXX": "clang++"})
# Looked at by the other two builds: the thread back end's own conformance suite, which asks for
# what a sanitizer's run time takes away (thread-local storage that faults, locked memory, exact
# times), and the tools that look at a live program (no leak check under a debugger, a core of
# 16 TiB).
SANITIZERS = Build(
    "sanitizers",
    "build-sanitizers",
    options=(
        "-Db_sanitize=address,undefined",
        "-Db_lundef=false",
        "-Dc_args=-fno-sanitize-recover=all",
    ),
    test_env={
        "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=1:print_legend=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    },
    accepts=lambda test: "thread" not in test.suites or not test.suites & {"hal", "tools"},
)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the suite with a line of progress of its own."""

    name: str
    run: Callable[[], list[Case]]


def stages(project: Project, selection: Selection) -> list[Stage]:
    """The stages of a selection; raises UserError for a layer that does not exist."""

    def built(build: Build, following: Build | None = None) -> Stage:
        return Stage(
            f"{build.name} build", lambda: mesontests.run(project, build, selection, following)
        )

    builds = [built(GCC)]
    if not selection.quick:
        builds = [built(GCC, CLANG), built(CLANG, SANITIZERS), built(SANITIZERS)]
    static = Stage("static checks", lambda: checks.static(project))
    objects = Stage("objects", lambda: checks.built(project))
    lab = Stage("Python", lambda: checks.lab(project, quick=selection.quick))
    if selection.layer in (STATIC, LAB):
        if selection.backend is not None:
            raise UserError(f"the layer {selection.layer} has no back ends: leave --backend out")
        return [static if selection.layer == STATIC else lab]
    if selection.layer is not None:
        _check_layer(project, selection.layer)
    if selection.backend == "bare" and not selection.quick:
        guests = Stage("guests", lambda: checks.on_request(project))
        return [built(GCC), guests] if selection.layer is None else builds
    if selection.layer is not None or selection.backend is not None:
        return builds
    if selection.quick:
        return [static, *builds, lab, objects]
    lag = Stage("long run", lambda: [longlag.case(project.root)])
    # Virtual machines run programs of the first build.
    return [lag, static, builds[0], lab, *builds[1:], objects]


def _check_layer(project: Project, layer: str) -> None:
    project.ensure_built(project.root / GCC.folder, GCC.options, GCC.build_env)
    tests = mesontests.declared(project.root / GCC.folder)
    layers = sorted({STATIC, LAB}.union(*(test.layers for test in tests)))
    if layer not in layers:
        raise UserError(f"no layer {layer!r}: choose one of {', '.join(layers)}")
