# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds the gravity of a CPU and stores it (docs/spec/gravity.md)."""
