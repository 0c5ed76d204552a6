"""Arrays that a thread uses again: new memory takes longer than what is computed in it."""

from __future__ import annotations

import math
import threading

import numpy as np
from numpy.typing import NDArray


class WorkArrays(threading.local):
    """Arrays by name, each thread's own; what is in them stays until they are got again."""

    def __init__(self) -> None:
        self._flat: dict[str, NDArray[np.float32]] = {}

    def get(self, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return an array of this shape, with anything in it."""
        size = math.prod(shape)
        flat = self._flat.get(name)
        if flat is None or len(flat) < size:
            flat = self._flat[name] = np.empty(size, np.float32)
        return flat[:size].reshape(shape)
