# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plans and targets: their expansion, and one line for each malformed one."""

from __future__ import annotations

import pytest

from tactus.lab.model import Clock, Job
from tactus.lab.plan import Filter, find, jobs, plans
from tactus.lab.plan.read import parse
from tactus.lab.targets import described, opened
from tactus.lab.targets import find as find_target
from tactus.lab.targets.describe import parse as parse_target
from tactus.project import Project, UserError


def test_default_plan_is_what_was_promised() -> None:
    own = jobs(find("default"), find_target("vm"), Filter())
    assert {job.kernel for job in own} == {
        "generic",
        "server",
        "lowlatency",
        "preempt-rt",
    }
    for instrument in ("cyclictest", "latency", "irq", "switch"):
        combinations = {(j.kernel, j.load) for j in own if j.instrument == instrument}
        assert len(combinations - {("preempt-rt", "hackbench")}) == 12, instrument
    assert sum(job.instrument == "index" for job in own) == 4
    # The three loops of a plain thread, which check each other.
    plain = {(j.kernel, j.instrument) for j in own if j.core == "linux" and j.load == "idle"}
    for kernel in {job.kernel for job in own}:
        assert plain >= {(kernel, name) for name in ("jitter", "latency", "cyclictest")}
    assert all(job.samples >= 4000 for job in own if job.instrument == "latency")
    assert all(job.clock is Clock.VIRTUAL for job in own)
    assert len({job.id for job in own}) == len(own)


def test_quick_plan_shows_the_contrast() -> None:
    own = jobs(find("quick"), find_target("vm"), Filter())
    for kernel in ("generic", "preempt-rt"):
        for load in ("idle", "dohell"):
            found = {j.instrument for j in own if (j.kernel, j.load) == (kernel, load)}
            assert {"cyclictest", "latency"} <= found
    plain = {j.instrument for j in own if (j.kernel, j.core) == ("preempt-rt", "linux")}
    assert plain >= {"cyclictest", "jitter", "latency"}


def test_plan_of_a_machine_measures_its_own_gaps_under_the_loads_of_its_latencies() -> None:
    plan = find("machine")
    own = jobs(plan, find_target(plan.target), Filter())
    assert plan.target == "local"
    loads = {name: {j.load for j in own if j.instrument == name} for name in ("noise", "latency")}
    assert loads["noise"] == loads["latency"] == {"idle", "dohell"}


def test_guest_gets_the_device_that_its_instrument_needs() -> None:
    target = opened(find_target("vm"), Project.here(), {})
    machines = {
        name: target.commands(Job("p", "vm", "generic", 1, name))[0] for name in ("irq", "jitter")
    }
    assert machines["irq"][-2:] == ["-device", "edu"]
    assert "edu" not in machines["jitter"]


def test_same_plan_elsewhere_is_measured_on_its_own_kernel() -> None:
    own = jobs(find("default"), find_target("local"), Filter(instruments=("latency",)))
    assert {(job.kernel, job.clock) for job in own} == {("installed", Clock.REAL)}
    assert len(own) == 11


@pytest.mark.parametrize("name", [plan.name for plan in plans()])
def test_thread_that_spins_as_long_stands_beside_every_tactus_task(name: str) -> None:
    """A task that wakes ahead of its release is compared with a plain thread that does the same."""
    plan = find(name)
    own = jobs(plan, find_target(plan.target), Filter())
    ahead = {
        (j.kernel, j.cpus, j.load, j.period_ns, j.options)
        for j in own
        if (j.instrument, j.core, j.context) == ("latency", "thread", "task")
    }
    spins = {
        (j.kernel, j.cpus, j.load, j.period_ns, j.options)
        for j in own
        if (j.instrument, j.core) == ("latency", "linux-spin")
    }
    assert spins and ahead <= spins
    assert all("--lead-us" in options for *_, options in ahead)


def test_all_own_plans_and_targets_can_be_read() -> None:
    assert {plan.name for plan in plans()} >= {"default", "quick"}
    assert {target.name for target in described()} >= {"vm", "local"}


def test_filter_names_what_the_plan_lacks() -> None:
    with pytest.raises(UserError, match="no load 'storm' on vm: choose one of idle, dohell"):
        jobs(find("quick"), find_target("vm"), Filter(loads=("idle", "storm")))
    with pytest.raises(UserError, match="no kernel 'generic' on local: choose one of installed"):
        jobs(find("quick"), find_target("local"), Filter(kernels=("generic",)))
    with pytest.raises(UserError, match="no job for this combination"):
        jobs(
            find("quick"),
            find_target("vm"),
            Filter(loads=("dohell",), instruments=("irq",)),
        )


def test_kernel_that_is_not_in_the_plan_is_measured_as_those_that_are() -> None:
    own = jobs(find("quick"), find_target("vm"), Filter(kernels=("/boot/mine",)))
    assert {job.kernel for job in own} == {"/boot/mine"}
    there = jobs(find("quick"), find_target("vm"), Filter())
    measured = {(job.instrument, job.core, job.load) for job in there}
    assert {(job.instrument, job.core, job.load) for job in own} == measured


def test_plan_of_the_bare_core_measures_it_where_nothing_is_before_it_in_the_turn() -> None:
    every = jobs(find("bare"), find_target("vm"), Filter())
    found = [job for job in every if job.core != "linux-spin"]
    assert {(job.core, job.idle) for job in found} == {("bare", "sleep")}
    assert {job.tasks for job in found} == {1}
    target = opened(find_target("vm"), Project.here(), {})
    for job in found:
        words = target.commands(job)[0]
        released = job.instrument != "core"
        # The last one counts.
        processor = words[len(words) - words[::-1].index("-cpu")]
        assert processor.endswith("vendor=GenuineIntel") == released
        assert ("cpu0_hotplug" in words[words.index("-append") + 1]) == released
        assert any(word.endswith(f"interval={100 if released else 20}") for word in words)
        told = "--turns-us 100" in " ".join(target.commands(job)[2])
        assert told == (job.instrument == "contexts")
    kernels = ("generic", "preempt-rt")
    measured = {(j.kernel, j.load, j.cpus, j.options) for j in found if j.instrument == "contexts"}
    one = {(k, x, 2, ()) for k in kernels for x in ("idle", "dohell")}
    two = {("generic", "dohell", 4), ("preempt-rt", "hackbench", 8)}
    assert measured == one | {(*row, ("--cpus", "2")) for row in two}


RUN = '[[run]]\ninstruments = ["jitter"]\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[run", "Expected"),
        ("", r"nothing is measured: add a \[\[run\]\]"),
        ("colour = 1\n" + RUN, "there is no colour"),
        ("[[run]]\nloads = ['cpu']", "run 1: instruments are missing"),
        (RUN + "period = 500", "period is 500, it must be a text"),
        (RUN + 'period = "500"', "50us to 10s"),
        (RUN + "samples = 0", "10 to 1000000000"),
        (RUN + "samples = true", "a whole number"),
        (RUN + 'loads = ["heavy"]', "choose one of idle, cpu"),
        (RUN + "loads = []", "loads is empty"),
        (RUN + "load = 'cpu'", "there is no load, only instruments"),
        ("[[run]]\ninstruments = ['speed']", "choose one of latency"),
        (RUN + "cpus = ['two']", "a whole number"),
        ("defaults = 1\n" + RUN, "defaults must be a table"),
    ],
)
def test_malformed_plan_gets_one_line(text: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason) as error:
        parse("p", text, "p.toml")
    assert str(error.value).startswith("p.toml") and "\n" not in str(error.value)


def test_unknown_plan_and_target_name_the_known() -> None:
    with pytest.raises(UserError, match="choose one of bare, default, machine, quick"):
        find("slow")
    with pytest.raises(UserError, match="choose one of local, vm"):
        find_target("moon")
    with pytest.raises(UserError, match="cannot read the plan"):
        find("/nowhere/p.toml")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("kind = 'moon'", "choose one of vm, local, ssh"),
        ("kind = 'ssh'", "host is missing"),
        ("kind = 'ssh'\nhost = 'a'\nport = 'b'", "port is 'b'"),
        ("kind = 'ssh'\nhost = '-oProxyCommand=x'", "hyphen"),
        ("kind = 'ssh'\nhost = ''", "host is '': it must be a name"),
        (
            "kind = 'ssh'\nhost = 'a'\nport = 99999",
            "port is 99999: it must be 1 to 65535",
        ),
        ("kind = 'ssh'\nhost = 'a'\nfolder = 'here'", "an absolute path"),
        ("kind = 'vm'\naccelerator = 'fast'", "choose one of icount"),
        ("kind = 'vm'\nmemory_mib = -5", "memory_mib is -5: it must be 256"),
        ("kind = 'vm'\nslice_us = 0", "slice_us is 0: it must be 1"),
        ("kind = ['vm']", "choose one of vm, local, ssh"),
        ("kind = 'local'\ncpu = -7", "cpu is -7: it must be -1 to 4095"),
        ("kind = 'local'\nhost = 'a'", "has no host"),
        ("kind", "t.toml"),
    ],
)
def test_malformed_target_gets_one_line(text: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason) as error:
        parse_target("t", text, "t.toml")
    assert "\n" not in str(error.value)
