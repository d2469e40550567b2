# SPDX-License-Identifier: LGPL-2.1-or-later
"""Micro benchmarks: rows, their goals, and what is made of the instrument's rounds."""
