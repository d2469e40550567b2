# SPDX-License-Identifier: LGPL-2.1-or-later
"""The binary interface between programs and tools, from the build's `tools/abi/abi.json`."""
