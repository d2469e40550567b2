# SPDX-License-Identifier: LGPL-2.1-or-later
"""The real-time tasks of running programs, read from their status segments."""
