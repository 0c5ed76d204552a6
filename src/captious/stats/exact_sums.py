"""Sums of floating-point numbers kept as whole numbers, which add up alike in any order.

Adding floating-point numbers rounds, so that sums depend on who adds what first. Here a number is
cut into digits of 32 bits, each at a fixed place, and digits of one place are added as integers:
parts of a corpus that were summed in several processes give the sum of the whole, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray

Digits = npt.NDArray[np.int64]

BITS = 32  # of a digit; the other half of its integer has room for two billion numbers
MANTISSA = 53
LOWEST = 1074  # 2 ** -1074 is the smallest number above 0
COUNT = (LOWEST + 1024) // BITS + 1  # places; 2 ** 1024 is beyond the largest number
SPREAD = 3  # places that the mantissa of one number may touch
_MASK = np.uint64((1 << BITS) - 1)


@dataclass(frozen=True, eq=False)
class ExactSums:
    """Numbers of any shape as digits: `digits[..., k]` counts 2 ** (BITS * (first + k) - LOWEST).

    Digits are signed. Those of a sum may be longer than BITS until they are carried.
    """

    first: int
    digits: Digits

    @classmethod
    def of(cls, numbers: FloatArray) -> ExactSums:
        """Finite numbers, each as digits below 2 ** BITS."""
        fraction, exponent = np.frexp(numbers)
        # The smallest numbers have fewer bits: what is shifted out of them is empty.
        place = np.maximum(exponent.astype(np.int64) - MANTISSA + LOWEST, 0)
        place[fraction == 0] = place[fraction != 0].min(initial=LOWEST)
        sign = np.sign(fraction).astype(np.int64)
        mantissa = np.ldexp(np.abs(fraction), exponent + LOWEST - place).astype(np.uint64)
        start, shift = place // BITS, (place % BITS).astype(np.uint64)
        low, high = (mantissa & _MASK) << shift, (mantissa >> np.uint64(BITS)) << shift
        middle = (low >> np.uint64(BITS)) + (high & _MASK)
        top = (high >> np.uint64(BITS)) + (middle >> np.uint64(BITS))
        first = int(start.min(initial=COUNT - 1))
        places = int(start.max(initial=first)) - first + SPREAD
        digits = np.zeros((*numbers.shape, places), np.int64)
        for further, part in enumerate((low & _MASK, middle & _MASK, top)):
            at = (start - first + further)[..., None]
            np.put_along_axis(digits, at, (sign * part.astype(np.int64))[..., None], axis=-1)
        return cls(first, digits)

    @classmethod
    def zeros(cls, *shape: int) -> ExactSums:
        """As many sums of nothing."""
        return cls(LOWEST // BITS, np.zeros((*shape, 1), np.int64))

    def total(self, axis: int = 0) -> ExactSums:
        """The sums along an axis of at most 2 ** 30 numbers."""
        return ExactSums(self.first, self.digits.sum(axis=axis)).carried()

    def weighed(self, weights: FloatArray) -> ExactSums:
        """Sums over the first axis, each row counted as often as `weights` says: one row a weight.

        Weights are whole numbers, and all of one row's weights together at most 2 ** 20: a product
        of matrices in floating point is exact then.
        """
        flat = self.digits.reshape(len(self.digits), -1).astype(np.float64)
        sums = (weights @ flat).astype(np.int64)
        return ExactSums(self.first, sums.reshape(-1, *self.digits.shape[1:])).carried()

    def __add__(self, other: ExactSums) -> ExactSums:
        """Both together, carried."""
        first = min(self.first, other.first)
        end = max(each.first + each.digits.shape[-1] for each in (self, other))
        digits = np.zeros((*self.digits.shape[:-1], end - first), np.int64)
        for each in (self, other):
            start = each.first - first
            digits[..., start : start + each.digits.shape[-1]] += each.digits
        return ExactSums(first, digits).carried()

    def carried(self) -> ExactSums:
        """The same with every digit but the topmost from 0 to 2 ** BITS, so that none overflows."""
        digits = self.digits.copy()
        for place in range(digits.shape[-1] - 1):
            digits[..., place + 1] += digits[..., place] >> BITS
            digits[..., place] &= int(_MASK)
        top = digits[..., -1]
        if (np.abs(top) >> BITS).any():
            digits = np.concatenate([digits, (top >> BITS)[..., None]], axis=-1)
            digits[..., -2] &= int(_MASK)
        return ExactSums(self.first, digits)

    def rounded(self) -> FloatArray:
        """The sums as floating-point numbers, rounded once."""
        flat = self.digits.reshape(-1, self.digits.shape[-1]).tolist()
        sums = np.fromiter((_number(self.first, digits) for digits in flat), np.float64, len(flat))
        return sums.reshape(self.digits.shape[:-1])


def pieces_of_sums(rows: FloatArray) -> Digits:
    """The sum of each column of finite numbers, as digits of all places: one row a column."""
    sums = ExactSums.of(rows)
    pieces = np.zeros((rows.shape[1], COUNT), np.int64)
    end = sums.first + sums.digits.shape[-1]
    # A number's topmost digit may lie beyond the last place: it is empty there.
    pieces[:, sums.first : end] = sums.digits.sum(axis=0)[:, : COUNT - sums.first]
    return pieces


def sums_of_pieces(pieces: Digits) -> FloatArray:
    """The sums, rounded once."""
    return ExactSums(0, pieces).rounded()


def _number(first: int, digits: list[int]) -> float:
    total = sum(digit << (BITS * place) for place, digit in enumerate(digits, first))
    return total / (1 << LOWEST)
