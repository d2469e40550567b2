# SPDX-License-Identifier: LGPL-2.1-or-later
"""Result files: one Parquet file per run, the folder of them, the database over it, the JSON."""

from tactus.lab.results.files import ResultError, read, write
from tactus.lab.results.folder import Loaded, load, merge
from tactus.lab.results.index import rebuild

__all__ = ["Loaded", "ResultError", "load", "merge", "read", "rebuild", "write"]
