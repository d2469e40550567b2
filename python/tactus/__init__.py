# SPDX-License-Identifier: LGPL-2.1-or-later
"""Command line, measurements and reports of Tactus."""
