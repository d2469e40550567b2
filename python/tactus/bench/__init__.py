# SPDX-License-Identifier: LGPL-2.1-or-later
"""Micro benchmarks: rows, their goals, and the figures from the instrument's rounds."""
