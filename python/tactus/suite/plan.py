# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which stages a run of the suite has, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from tactus.project import LEFT_OVER, Project, UserError
from tactus.suite import checks, longlag, mesontests
from tactus.suite.case import Case, Outcome
from tactus.suite.mesontests import BACK_ENDS, ON_MACHINE_TIME, Build, Selection

STATIC = "static"
PYTHON = "python"

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

    def built(build: Build) -> Stage:
        return Stage(f"{build.name} build", lambda: mesontests.run(project, build, selection))

    builds = [built(GCC)]
    if not selection.quick:
        builds += [built(CLANG), built(SANITIZERS)]
    static = Stage("static checks", lambda: checks.static(project))
    objects = Stage("objects", lambda: checks.built(project))
    python = Stage("Python", lambda: checks.python(project, quick=selection.quick))
    if selection.layer in (STATIC, PYTHON):
        if selection.backend is not None:
            raise UserError(f"the layer {selection.layer} has no back ends: leave --backend out")
        if selection.layer == STATIC:
            return [static]
        return (
            [python]
            if selection.quick
            else [python, Stage("guests", lambda: checks.guests(project))]
        )
    if selection.layer is not None:
        _check_layer(project, selection.layer)
    if selection.backend == "bare" and not selection.quick:
        guests = Stage("guests", lambda: checks.on_request(project))
        return [built(GCC), guests] if selection.layer is None else builds
    if selection.layer is not None or selection.backend is not None:
        return builds
    if selection.quick:
        return [static, *builds, python, objects]
    lag = Stage("long run", lambda: [longlag.case(project.root)])
    return [lag, static, *_side_by_side(project, selection), objects]


def _side_by_side(project: Project, selection: Selection) -> list[Stage]:
    """The builds. Tests on the machine's time take its processors one after the other, and mostly
    wait: what computes runs beside them, with what they leave. Each failure is told by the stage
    that it belongs to."""
    # One at a time: each has work for every processor.
    lane = ThreadPoolExecutor(max_workers=1)
    later: dict[str, Future[list[Case]]] = {}

    def computing(build: Build) -> list[Case]:
        others = [name for name in (*BACK_ENDS, None) if name != ON_MACHINE_TIME]
        return mesontests.run_tests(project, build, selection, others, LEFT_OVER)

    def begin() -> None:
        later["gcc"] = lane.submit(computing, GCC)
        later["clang compiles"] = lane.submit(_ahead, project, CLANG)
        # They run programs of the first build.
        later["guests"] = lane.submit(checks.guests, project, LEFT_OVER)
        later["Python"] = lane.submit(checks.python_at_once, project, LEFT_OVER)
        later["sanitizers compile"] = lane.submit(_ahead, project, SANITIZERS)

    def on_threads(build: Build) -> list[Case]:
        cases = mesontests.compiles(project, build)
        if cases[0].outcome is not Outcome.PASSED:
            return cases
        if build is GCC:
            begin()
        else:
            later[build.name] = lane.submit(computing, build)
        return cases + mesontests.run_tests(project, build, selection, [ON_MACHINE_TIME])

    def collect(name: str) -> list[Case]:
        return later[name].result() if name in later else []

    return [
        Stage("gcc build, on threads", lambda: on_threads(GCC)),
        Stage("Python, alone", lambda: checks.pytest_alone(project)),
        Stage("clang build, on threads", lambda: on_threads(CLANG)),
        Stage("sanitizers build, on threads", lambda: on_threads(SANITIZERS)),
        *(
            Stage(f"{build.name} build, in virtual time", partial(collect, build.name))
            for build in (GCC, CLANG, SANITIZERS)
        ),
        Stage("guests", partial(collect, "guests")),
        # It needs no build.
        Stage("Python", lambda: collect("Python") or checks.python_at_once(project)),
    ]


def _ahead(project: Project, build: Build) -> list[Case]:
    mesontests.compile_ahead(project, build)
    return []


def _check_layer(project: Project, layer: str) -> None:
    project.ensure_built(project.root / GCC.folder, GCC.options, GCC.build_env)
    tests = mesontests.declared(project.root / GCC.folder)
    layers = sorted({STATIC, PYTHON}.union(*(test.layers for test in tests)))
    if layer not in layers:
        raise UserError(f"no layer {layer!r}: choose one of {', '.join(layers)}")
