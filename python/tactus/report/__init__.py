# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports for people, made from the JSON of a measurement and nothing else."""
