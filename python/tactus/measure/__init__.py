# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how late periodic tasks start on this machine; see docs/spec/measure.md."""
