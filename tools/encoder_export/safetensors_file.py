"""Weights in the safetensors form: a table of names, shapes and places, then the numbers."""

from __future__ import annotations

import json

import numpy as np

from encoder_export.graph import Floats


def read_floats(content: bytes) -> dict[str, Floats]:
    """Every array of single precision by name; whole numbers, such as places, are left out."""
    length = int.from_bytes(content[:8], "little")
    table = json.loads(content[8 : 8 + length])
    data = memoryview(content)[8 + length :]
    return {
        name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in table.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }
