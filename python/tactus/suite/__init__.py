# SPDX-License-Identifier: LGPL-2.1-or-later
"""The whole test suite as stages, each of which yields cases."""
