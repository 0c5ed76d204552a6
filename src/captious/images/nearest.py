"""Nearest images: for each image the others, the most alike first."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError

IMAGES_AT_ONCE = 512  # bounds memory


def nearest_images(features: FloatArray | None) -> IntArray:
    """For each image all others, the most alike by the cosine of their features first."""
    if features is None:
        raise InputError(
            "captions of other images need image features: put efficientnet_lite2.npz into the "
            "folder of data, or give `features`"
        )
    if len(features) < 2:
        raise InputError("captions of other images need two images or more")
    lengths = np.linalg.norm(features, axis=1, keepdims=True)
    unit = features / np.where(lengths > 0, lengths, 1)
    parts: list[IntArray] = []
    for start in range(0, len(unit), IMAGES_AT_ONCE):
        likeness = unit[start : start + IMAGES_AT_ONCE] @ unit.T
        rows = np.arange(len(likeness))
        likeness[rows, rows + start] = -np.inf  # sorts last, and is cut off
        order = np.argsort(-likeness, axis=1, kind="stable")[:, :-1]
        parts.append(order.astype(np.int32))
    return np.concatenate(parts)
