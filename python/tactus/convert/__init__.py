# SPDX-License-Identifier: LGPL-2.1-or-later
"""Conversion of C and C++ sources to version 1 of the native API (docs/guide/api-1.md)."""
