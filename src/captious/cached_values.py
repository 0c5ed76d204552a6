"""What a cache's bytes stand for; bytes that stand for nothing are as good as none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value")
Floats = NDArray[np.float32]

STORED = "<f4"  # numbers of a vector: single precision, little end first


def restored(found: Mapping[str, bytes], restore: Callable[[bytes], Value]) -> dict[str, Value]:
    """The values that can be restored; `restore` fails for what is not as it was kept."""
    values: dict[str, Value] = {}
    for key, packed in found.items():
        try:
            values[key] = restore(packed)
        except (ValueError, TypeError, LookupError, RecursionError):
            continue
    return values


def restored_vectors(found: Mapping[str, bytes], width: int | None = None) -> dict[str, Floats]:
    """The vectors of finite numbers, all of one width; of several widths none can be trusted."""
    size = np.dtype(STORED).itemsize
    sizes = {len(packed) for packed in found.values()} if width is None else {width * size}
    if len(sizes) != 1 or 0 in sizes or max(sizes) % size:
        return {}
    (wanted,) = sizes
    right = {key: packed for key, packed in found.items() if len(packed) == wanted}
    vectors = np.frombuffer(b"".join(right.values()), STORED).reshape(len(right), wanted // size)
    is_sound = np.isfinite(vectors).all(axis=1)
    return {key: vectors[row] for row, key in enumerate(right) if is_sound[row]}


def packed_vectors(vectors: Mapping[str, NDArray[Any]]) -> dict[str, bytes]:
    """Vectors as they are kept."""
    return {key: vector.astype(STORED).tobytes() for key, vector in vectors.items()}
