# SPDX-License-Identifier: LGPL-2.1-or-later
"""Test suites that other projects publish: their places, how to fetch them, running them
unedited."""
