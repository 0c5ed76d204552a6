"""The block of a page, read in Python as its script reads it."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

TYPES = {"f4": "<f4", "u1": "u1", "u2": "<u2", "u4": "<u4"}


class Unpacked:
    """The header and columns of a block."""

    def __init__(self, block: str) -> None:
        whole = gzip.decompress(base64.b64decode(block, validate=True))
        length = int.from_bytes(whole[:4], "little")
        self.header: dict[str, Any] = json.loads(whole[4 : 4 + length])
        self._columns = whole[4 + length :]

    def numbers(self, place: dict[str, Any]) -> Any:
        kind = np.dtype(TYPES[place["type"]])
        count, at = place["count"], place["at"]
        data = np.frombuffer(self._columns, np.uint8, count * kind.itemsize, at)
        planes = data.reshape(kind.itemsize, count)
        return np.ascontiguousarray(planes.T).view(kind).reshape(count)

    def texts(self, place: dict[str, Any]) -> list[str]:
        letters, at = place["letters"]["count"], place["letters"]["at"]
        units = self._columns[at : at + letters].decode("utf-8").encode("utf-16-le")
        ends = np.cumsum(self.numbers(place["lengths"]), dtype=np.int64) * 2
        starts = [0, *ends][: len(ends)]
        return [
            units[start:end].decode("utf-16-le") for start, end in zip(starts, ends, strict=True)
        ]

    def ragged(self, place: dict[str, Any]) -> list[list[int]]:
        values = self.numbers(place["values"])
        ends = np.cumsum(self.numbers(place["lengths"]), dtype=np.int64)
        return [list(part) for part in np.split(values, ends[:-1])] if len(ends) else []
