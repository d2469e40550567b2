# SPDX-License-Identifier: LGPL-2.1-or-later
"""What increases latency on this machine, and how to correct it.

A check is a pure function of a `Machine`, which reads files below a root that tests replace. If a
check cannot read something, it reports unknown, never ok.
"""
