"""How often each image is drawn in each resample of a stream: known from its id alone.

A bootstrap draws n of n images, and must know all of them first. In the Poisson bootstrap each
image is drawn as often as chance says for it alone, once on average, and the draws follow from the
seed, the number of the resample and the image's id: they are the same whatever comes before it, in
whichever process or on whichever machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

Unsigned = npt.NDArray[np.uint64]

SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64, by Sebastiano Vigna
_MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))
DRAWS_PER_NUMBER = 2  # draws that one number of 64 bits gives


def _thresholds() -> list[int]:
    """Of 2 ** 32 equally likely numbers, how many stand for fewer than 1, 2, 3, ... draws."""
    below, share, thresholds = 0.0, math.exp(-1), []
    for count in range(1, 20):
        below += share
        if round(below * 2**32) >= 2**32:
            break
        thresholds.append(round(below * 2**32))
        share /= count
    return thresholds


THRESHOLDS = np.array(_thresholds(), np.uint32)
MAX_DRAWS = len(THRESHOLDS)  # that an image can be drawn


def image_keys(ids: Sequence[Hashable], seed: int) -> Unsigned:
    """What stands for each image: a hash of its id and the seed."""
    salt = seed.to_bytes(8, "little")
    digests = (
        hashlib.blake2b(str(image).encode("utf-8", "surrogatepass"), digest_size=8, salt=salt)
        for image in ids
    )
    return np.frombuffer(b"".join(each.digest() for each in digests), "<u8").astype(np.uint64)


def draw_counts(keys: Unsigned, resamples: int) -> npt.NDArray[np.uint8]:
    """How often each image is drawn: one row an image, one column a resample."""
    steps = np.arange(1, (resamples + 1) // DRAWS_PER_NUMBER + 1, dtype=np.uint64) * SPLITMIX_STEP
    mixed = keys[:, None] + steps
    for shift, factor in _MIX:
        mixed ^= mixed >> np.uint64(shift)
        if factor != 1:
            mixed *= np.uint64(factor)
    halves = mixed.astype("<u8", copy=False).view("<u4")[:, :resamples]
    draws = np.zeros(halves.shape, np.uint8)
    for threshold in THRESHOLDS:
        draws += halves >= threshold
    return draws
