# SPDX-License-Identifier: LGPL-2.1-or-later
"""The laboratory's report: one HTML page, its figures as PNG and SVG, its tables as CSV."""
