"""Arrays of an NPZ archive, mapped rather than read."""

from __future__ import annotations

import mmap
import struct
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Dict

import numpy as np
from numpy.lib import format as npy

from wavefield.record_types import Values

#: Length of the local header of an entry, without its name and extra field.
HEADER = 30
#: Types of the arrays of a result.
TYPES = ("<f8", "<c16", "<u4")


def mapped(file: Path) -> Dict[str, Values]:
    """Returns the arrays of an archive by name. They are read when they are used, unless another program wrote them at
    offsets that their type cannot have in memory; these are copied."""
    arrays: Dict[str, Values] = {}
    try:
        with open(file, "rb") as opened, zipfile.ZipFile(opened) as archive:
            memory = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            for entry in archive.infolist():
                if entry.compress_type != zipfile.ZIP_STORED:
                    raise ValueError(f"{entry.filename} is compressed")
                name_length, extra_length = struct.unpack_from("<HH", memory, entry.header_offset + HEADER - 4)
                start = entry.header_offset + HEADER + name_length + extra_length
                head = BytesIO(memory[start : start + min(entry.file_size, 1 << 12)])
                if npy.read_magic(head) != (1, 0):
                    raise ValueError(f"{entry.filename} is of another version")
                shape, _, dtype = npy.read_array_header_1_0(head)
                if dtype.str not in TYPES:
                    raise ValueError(f"{entry.filename} holds {dtype}")
                offset = start + head.tell()
                name = entry.filename[: -len(".npy")] if entry.filename.endswith(".npy") else entry.filename
                values = np.ndarray(shape, dtype, memory, offset)
                arrays[name] = values if values.flags.aligned else values.copy()
    except (ValueError, TypeError, struct.error, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is not an archive of arrays of a result: {error}") from None
    return arrays
