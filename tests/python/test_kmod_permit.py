# SPDX-License-Identifier: LGPL-2.1-or-later
"""The CPUs that the module gives to a program, what becomes of tasks that were bound to one, and
its reports, in a virtual machine. Skipped if QEMU, a kernel or its headers are missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kmod_factory import Boot, checked

pytestmark = pytest.mark.guest

INTEL = ("-cpu", "max,-la57,-monitor,vendor=GenuineIntel")
# IA32_MCG_CAP, IA32_FEATURE_CONTROL and IA32_MCG_EXT_CTL with local machine checks on, and with one
# bit less each (Intel SDM 4, table 2-2).
LOCAL = (1 << 27, 1 << 20 | 1, 1)
LESS = (
    (0, *LOCAL[1:]),
    (LOCAL[0], 1 << 20, 1),
    (LOCAL[0], 1, 1),
    (*LOCAL[:2], 0),
)
CASES = """
P=/sys/module/tactus/parameters
kmod-test permit 1 broadcast_mce
{less}
echo {local} >$P/mce_registers; kmod-test permit 1 taken
dmesg | grep -q 'will end the machine' && echo not ok warned in vain || echo ok no warning
echo 0,0,0 >$P/mce_registers
echo 1 >$P/broadcast_mce; kmod-test permit 1 taken
dmesg | grep -q 'check on CPU 1 will end the machine' && echo ok warned || echo not ok warned
echo 2 >$P/cpus; kmod-test permit 1 cpus; kmod-test permit 2 taken
echo 7-x 2>/dev/null >$P/cpus && echo not ok no list || echo ok a list is wanted
[ "$(cat $P/cpus)" = 2 ] && echo ok the list stays || echo not ok the list stays
echo 1-2 >$P/cpus; kmod-test permit 1 taken
echo 1 >$P/max_cpus
kmod-test hold 1 1000 >/tmp/held & holder=$!
sleep 0.4; kmod-test permit 2 max_cpus; wait $holder; cat /tmp/held
kmod-test permit 2 taken; echo 0 >$P/max_cpus
kmod-test permit 2 affinity 0
kmod-test permit 2 taken 2
mkdir -p /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
G=/sys/fs/cgroup/some; mkdir $G; echo 0-1 >$G/cpuset.cpus
(sh -c "echo \\$\\$ >$G/cgroup.procs; kmod-test permit 2 cpuset; kmod-test permit 1 taken")
kmod-test bound 1
"""


def test_module_gives_what_is_permitted_and_returns_what_was_bound(
    tmp_path: Path,
) -> None:
    less = "\n".join(
        f"echo {','.join(map(str, registers))} >$P/mce_registers; kmod-test permit 1 LMCE"
        for registers in LESS
    )
    cases = CASES.format(less=less, local=",".join(map(str, LOCAL)))
    wanted = Boot(cases, cpus=3, options=("TACTUS_TEST_SEAM=y",), devices=INTEL, parameters="")
    log = checked("generic", wanted, tmp_path, 45).text("kernel.log")
    assert re.search(r"tactus: CPU 2 taken by kmod-test \(pid \d+, uid 0\)", log)
    assert "tactus: CPU 2 is back with Linux" in log
