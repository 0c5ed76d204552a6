"""Batch matrix products whose rows do not depend on their batch.

A BLAS promises no order of summation. It may choose another one for another number of rows or of
threads, on another processor, and, with OpenBLAS's kernel for AVX2, for another place of a row in
its batch: the last bit of a score would then depend on which captions it is scored with.

Here every element is a chain of fused multiply-adds, s = fma(row[k], matrix[k, column], s) for k
from 0 up. A fused multiply-add is rounded once, so the chain has one result, to the last bit: for
any batch, any number of threads, any processor, with and without a compiler. Compiled, `tiles`
computes many chains at once: with AVX2 in .95 of OpenBLAS's time (96 rows, a matrix of 192 by 768,
an AMD EPYC). Without instructions for it, each step takes two roundings and a check: 54 times as
long as with AVX2. Uncompiled, NumPy takes the same steps, in some 300 times as long.
"""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray

SingleArray = npt.NDArray[np.float32]

_UNCOMPILED_COLUMNS = 256  # at a time: what they need stays in the processor's cache
_LOW_BITS, _HALF_WAY = 0x1FFFFFFF, 0x10000000  # of a double, beyond the precision of a float
_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


def _import_tiles() -> Any:
    """Import the compiled product; None where the package was built without a compiler."""
    try:
        return importlib.import_module("captious._internal.arrays.tiles")
    except ImportError:
        return None


tiles = _import_tiles()


class PackedMatrix:
    """A matrix in single precision to multiply many rows with: `rows @ matrix`, row by row.

    >>> matrix = PackedMatrix(np.ones((3, 2), np.float32))
    >>> matrix.multiply(np.ones((2, 3), np.float32)).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """

    def __init__(self, matrix: npt.NDArray[Any]) -> None:
        self.shape: tuple[int, int] = (matrix.shape[0], matrix.shape[1])
        self._matrix = np.asarray(matrix, np.float32)
        if tiles is not None:
            self._matrix = _pack(self._matrix, tiles.PANEL_COLUMNS)

    def multiply(self, rows: SingleArray, out: SingleArray | None = None) -> SingleArray:
        """Return each row's product; rows may have more than two dimensions."""
        depth, columns = self.shape
        if rows.ndim < 2 or rows.shape[-1] != depth:
            raise ValueError(f"rows of {depth} numbers are expected, not of shape {rows.shape}")
        flat = rows.reshape(math.prod(rows.shape[:-1]), depth)
        products = np.empty((len(flat), columns), np.float32) if out is None else out
        if tiles is None:
            _multiply_uncompiled(flat, self._matrix, products)
        else:
            if flat.strides[1] != flat.itemsize:
                flat = np.ascontiguousarray(flat)
            tiles.multiply(flat, self._matrix, products, tiles.SUPPORTED_KINDS[-1])
        return products.reshape(*rows.shape[:-1], columns)


def _pack(matrix: SingleArray, panel: int) -> SingleArray:
    """Split a matrix into panels of so many columns, the last padded with zeros."""
    depth, columns = matrix.shape
    packed = np.zeros((-(-columns // panel), depth, panel), np.float32)
    for place, start in enumerate(range(0, columns, panel)):
        part = matrix[:, start : start + panel]
        packed[place, :, : part.shape[1]] = part
    return packed


def _multiply_uncompiled(rows: SingleArray, matrix: SingleArray, products: SingleArray) -> None:
    """The same chains of fused multiply-adds, a step for all rows and some columns at a time."""
    for start in range(0, matrix.shape[1], _UNCOMPILED_COLUMNS):
        part = matrix[:, start : start + _UNCOMPILED_COLUMNS].astype(np.float64)
        sums = np.zeros((len(rows), part.shape[1]), np.float32)
        with np.errstate(over="ignore", invalid="ignore"):  # as compiled loops have it
            for k, line in enumerate(part):
                sums = _fused_multiply_add(rows[:, k, None].astype(np.float64), line, sums)
        products[:, start : start + _UNCOMPILED_COLUMNS] = sums


def _fused_multiply_add(x: FloatArray, y: FloatArray, z: SingleArray) -> SingleArray:
    """x * y + z, rounded to single precision once; x and y are floats in double precision.

    Their product is exact. The sum is rounded to double and then to single precision, which differs
    from one rounding only if the first one ends half-way between two floats (or below the normal
    ones, where half-ways are elsewhere). Such sums are rounded to odd first, which makes the second
    rounding right (Boldo and Melquiond 2008).
    """
    product = x * y
    total = product + z
    is_half_way = (total.view(np.int64) & _LOW_BITS) == _HALF_WAY
    is_half_way |= (np.abs(total) < _SMALLEST_NORMAL) & (total != 0)
    if is_half_way.any():
        some, addend, summed = product[is_half_way], z[is_half_way], total[is_half_way]
        added = summed - some
        error = (some - (summed - added)) + (addend - added)
        is_even = (summed.view(np.int64) & 1) == 0
        step = np.where((error > 0) == (summed > 0), 1, -1) * (is_even & (error != 0))
        total[is_half_way] = (summed.view(np.int64) + step).view(np.float64)
    result: SingleArray = total.astype(np.float32)
    return result
