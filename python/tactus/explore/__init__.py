# SPDX-License-Identifier: LGPL-2.1-or-later
"""Exploration of schedules: bugs that are planted to check that it finds them."""
