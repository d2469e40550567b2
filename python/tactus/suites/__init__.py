# SPDX-License-Identifier: LGPL-2.1-or-later
"""Test suites that other projects publish: where they are, how they come, running them unedited."""
