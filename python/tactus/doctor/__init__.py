# SPDX-License-Identifier: LGPL-2.1-or-later
"""What on this machine will hurt latency, and how to mend it.

A check is a pure function of a `Machine`, which reads files below a root that tests replace. What a
check cannot read it reports as unknown, never as ok.
"""
