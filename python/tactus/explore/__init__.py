# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exploring schedules: bugs that are planted to see whether it finds them."""
