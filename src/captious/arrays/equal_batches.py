"""Matrix products that give a row the same result whatever rows it comes with.

BLAS may sum in another order when a matrix has another shape, so every batch is filled up to the
same number of rows, and one thread does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits


def in_equal_batches(
    rows: npt.NDArray[Any], size: int, work: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """What `work` makes of each row, which it is given so many at a time, the last with zeros."""
    rows = np.ascontiguousarray(rows)
    parts = []
    with threadpool_limits(1, "blas"):
        for start in range(0, max(len(rows), 1), size):
            batch = rows[start : start + size]
            count = len(batch)
            if count < size:
                batch = np.zeros((size, *rows.shape[1:]), rows.dtype)
                batch[:count] = rows[start:]
            parts.append(work(batch)[:count])
    return np.concatenate(parts)
