"""Sums of floating-point numbers kept as whole numbers, which add up alike in any order.

Adding floating-point numbers rounds, so that sums depend on who adds what first. Here a number is
cut into pieces of 32 bits, each at a fixed place, and pieces of one place are added as integers:
parts of a corpus that were summed in several processes give the sum of the whole, to the last bit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from captious.arrays.ragged import FloatArray

Pieces = npt.NDArray[np.int64]

BITS = 32  # of a piece; the other half of its integer has room for two billion numbers
MANTISSA = 53
LOWEST = 1074  # 2 ** -1074 is the smallest number above 0
COUNT = (LOWEST + 1024) // BITS + 1  # 2 ** 1024 is beyond the largest
_MASK = np.uint64((1 << BITS) - 1)


def pieces_of_sums(rows: FloatArray) -> Pieces:
    """The sum of each column of finite numbers, as pieces: one row a column, lowest piece first."""
    pieces = np.zeros((rows.shape[1], COUNT), np.int64)
    fraction, exponent = np.frexp(rows)
    # The smallest numbers have fewer bits: what is shifted out of them is empty.
    place = np.maximum(exponent.astype(np.int64) - MANTISSA + LOWEST, 0)
    sign = np.sign(fraction).astype(np.int64)
    mantissa = np.ldexp(np.abs(fraction), exponent + LOWEST - place).astype(np.uint64)
    first, shift = place // BITS, (place % BITS).astype(np.uint64)
    low = (mantissa & _MASK) << shift
    high = (mantissa >> np.uint64(BITS)) << shift
    column = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)
    for start, half in enumerate((low, high)):
        for further, part in enumerate((half & _MASK, half >> np.uint64(BITS)), start):
            np.add.at(pieces, (column, first + further), sign * part.astype(np.int64))
    return pieces


def sums_of_pieces(pieces: Pieces) -> FloatArray:
    """The sums, rounded once."""
    sums = np.empty(len(pieces))
    for row, parts in enumerate(pieces.tolist()):
        total = sum(part << (BITS * place) for place, part in enumerate(parts))
        sums[row] = total / (1 << LOWEST)
    return sums
