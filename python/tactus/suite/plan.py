# SPDX-License-Identifier: LGPL-2.1-or-later
"""The stages of a run of the suite, and their order."""

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
# The skins, tools and examples on threads are left to the long run: compilers differ there in
# processor state and the order of accesses, which only the back end and the nucleus handle.
CLANG = Build(
    "clang",
    "build-clang",
    build_env={"CC": "clang", "CXX": "clang++"},
    leaves=lambda test: test.back_end == ON_MACHINE_TIME and not test.suites & {"hal", "nucleus"},
)
# The other two builds test this: the thread back end's own conformance suite, which needs what the
# run time of a sanitizer takes away (thread-local storage that faults, locked memory, exact times),
# and the tools that examine a live program (no leak check under a debugger, a core of 16 TiB).
SANITIZERS = Build(
    "sanitizers",
    "build-sanitizers",
    options=(
        "-Db_sanitize=address,undefined",
        "-Db_lundef=false",
        # Of three builds, this one takes longest to compile; only lines take less time than all of
        # -g.
        "-Dc_args=-fno-sanitize-recover=all -g1",
    ),
    test_env={
        "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=1:print_legend=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    },
    accepts=lambda test: "thread" not in test.suites or not test.suites & {"hal", "tools"},
)

LEAVING = (CLANG,)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the suite with its own line of progress."""

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
        return _everyday(project, selection)
    lag = Stage("long run", lambda: [longlag.case(project.root)])
    return [lag, static, *_side_by_side(project, selection), objects]


class Later:
    """Work that runs beside the stages, with a limited number at once; the stage to which it
    belongs reports the result."""

    def __init__(self, at_once: int) -> None:
        self._lanes = ThreadPoolExecutor(max_workers=at_once)
        self._given: dict[str, Future[list[Case]]] = {}

    def begin(self, name: str, part: Callable[[], list[Case]]) -> None:
        self._given[name] = self._lanes.submit(part)

    def cases(self, name: str) -> list[Case]:
        """Waits for the cases; None if the work was not begun."""
        return self._given[name].result() if name in self._given else []


def _side_by_side(project: Project, selection: Selection) -> list[Stage]:
    """The builds. Tests that need the machine's time take its processors one after the other, and
    mostly wait. Work that only computes runs beside them, with the time that they leave."""
    # One at a time, because each has work for every processor.
    later = Later(at_once=1)

    def computing(build: Build) -> list[Case]:
        others = [name for name in (*BACK_ENDS, None) if name != ON_MACHINE_TIME]
        return mesontests.run_tests(project, build, selection, others, LEFT_OVER)

    def begin() -> None:
        later.begin("gcc", lambda: computing(GCC))
        later.begin("clang compiles", lambda: _ahead(project, CLANG))
        # They run programs of the first build.
        later.begin("guests", lambda: checks.guests(project, LEFT_OVER))
        later.begin("Python", lambda: checks.python_at_once(project, LEFT_OVER))
        later.begin("sanitizers compile", lambda: _ahead(project, SANITIZERS))

    def on_threads(build: Build) -> list[Case]:
        cases = mesontests.compiles(project, build)
        if cases[0].outcome is not Outcome.PASSED:
            return cases
        if build is GCC:
            begin()
        else:
            later.begin(build.name, lambda: computing(build))
        return cases + mesontests.run_tests(project, build, selection, [ON_MACHINE_TIME])

    return [
        Stage("gcc build, on threads", lambda: on_threads(GCC)),
        Stage("Python, alone", lambda: checks.pytest_alone(project)),
        Stage("clang build, on threads", lambda: on_threads(CLANG)),
        Stage("sanitizers build, on threads", lambda: on_threads(SANITIZERS)),
        *(
            Stage(f"{build.name} build, in virtual time", partial(later.cases, build.name))
            for build in (GCC, CLANG, SANITIZERS)
        ),
        Stage("guests", partial(later.cases, "guests")),
        # It needs no build.
        Stage("Python", lambda: later.cases("Python") or checks.python_at_once(project)),
    ]


def _everyday(project: Project, selection: Selection) -> list[Stage]:
    """The everyday part. First all that computes runs at once, because each part leaves a processor
    idle now and then; then follows what must be alone."""
    later = Later(at_once=2)

    def gcc_build() -> list[Case]:
        later.begin("static", lambda: checks.static(project))
        cases = mesontests.compiles(project, GCC)
        if cases[0].outcome is Outcome.PASSED:
            # They run programs of the build.
            later.begin("Python", lambda: checks.python_at_once(project, quick=True))
            later.begin("objects", lambda: checks.built(project))
            cases += mesontests.run_tests(project, GCC, selection)
        return cases

    return [
        Stage("gcc build", gcc_build),
        Stage("static checks", partial(later.cases, "static")),
        Stage("objects", partial(later.cases, "objects")),
        Stage(
            "Python", lambda: later.cases("Python") or checks.python_at_once(project, quick=True)
        ),
        Stage("Python, alone", lambda: checks.pytest_alone(project, quick=True)),
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
