# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the sample files of the instruments (docs/spec/samples.md)."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

MAGIC = b"TACTSAMP"
VERSION = 1
HEADER = struct.Struct("<8sIIQII")
RECORD = np.dtype(
    [("release_ns", "<u8"), ("latency_ns", "<i8"), ("task", "<u4"), ("overruns", "<u4")]
)


class SampleFileError(Exception):
    """The file is not the output of an instrument that ended well."""


def parse(data: bytes) -> NDArray[np.void]:
    """All records of a file's content, as an array of RECORD."""
    if len(data) < HEADER.size:
        raise SampleFileError("too short for a sample file")
    magic, version, record_bytes, _start_ns, _tasks, _reserved = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise SampleFileError(
            "no header: it is no sample file, or the program ended before it wrote one"
        )
    if version != VERSION or record_bytes != RECORD.itemsize:
        raise SampleFileError(f"version {version} of the format is unknown here")
    if (len(data) - HEADER.size) % RECORD.itemsize:
        raise SampleFileError("the last record is cut off")
    return np.frombuffer(data, dtype=RECORD, offset=HEADER.size)
