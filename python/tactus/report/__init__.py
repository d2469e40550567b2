# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports for people, made only from the JSON of a measurement."""
