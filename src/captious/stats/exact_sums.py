"""Exact sums of floating-point numbers as integer digits, independent of the order of addition.

Floating-point addition rounds, so that sums depend on the order of addition. Here a number is
cut into digits of 32 bits, each at a fixed place, and digits of one place are added as integers:
parts of a corpus that were summed in several processes give the sum of the whole, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray

Digits = npt.NDArray[np.int64]

DIGIT_BITS = 32  # the other half of an int64 has room for two billion numbers
MANTISSA_BITS = 53
MIN_EXPONENT = 1074  # negated: 2 ** -1074 is the smallest number above 0
MAX_DIGITS = (MIN_EXPONENT + 1024) // DIGIT_BITS + 1  # 2 ** 1024 is beyond the largest number
DIGITS_PER_NUMBER = 3  # digits that one mantissa may span
_MASK = np.uint64((1 << DIGIT_BITS) - 1)


@dataclass(frozen=True, eq=False)
class ExactSums:
    """Numbers of any shape as digits.

    `digits[..., k]` counts 2 ** (DIGIT_BITS * (first + k) - MIN_EXPONENT). Digits
    are signed. Those of a sum may be longer than DIGIT_BITS until they are carried.
    """

    first: int
    digits: Digits

    @classmethod
    def of(cls, numbers: FloatArray) -> ExactSums:
        """Convert finite numbers, each to digits below 2 ** DIGIT_BITS."""
        fraction, exponent = np.frexp(numbers)
        # The smallest numbers have fewer bits: what is shifted out of them is empty.
        place = np.maximum(exponent.astype(np.int64) - MANTISSA_BITS + MIN_EXPONENT, 0)
        place[fraction == 0] = place[fraction != 0].min(initial=MIN_EXPONENT)
        sign = np.sign(fraction).astype(np.int64)
        mantissa = np.ldexp(np.abs(fraction), exponent + MIN_EXPONENT - place).astype(np.uint64)
        start, shift = place // DIGIT_BITS, (place % DIGIT_BITS).astype(np.uint64)
        low, high = (mantissa & _MASK) << shift, (mantissa >> np.uint64(DIGIT_BITS)) << shift
        middle = (low >> np.uint64(DIGIT_BITS)) + (high & _MASK)
        top = (high >> np.uint64(DIGIT_BITS)) + (middle >> np.uint64(DIGIT_BITS))
        first = int(start.min(initial=MAX_DIGITS - 1))
        places = int(start.max(initial=first)) - first + DIGITS_PER_NUMBER
        digits = np.zeros((*numbers.shape, places), np.int64)
        for further, part in enumerate((low & _MASK, middle & _MASK, top)):
            at = (start - first + further)[..., None]
            np.put_along_axis(digits, at, (sign * part.astype(np.int64))[..., None], axis=-1)
        return cls(first, digits)

    @classmethod
    def zeros(cls, *shape: int) -> ExactSums:
        """Return sums that are zero."""
        return cls(MIN_EXPONENT // DIGIT_BITS, np.zeros((*shape, 1), np.int64))

    def total(self, axis: int = 0) -> ExactSums:
        """Sum along an axis of at most 2 ** 30 numbers."""
        return ExactSums(self.first, self.digits.sum(axis=axis)).carry()

    def weighted_totals(self, weights: FloatArray) -> ExactSums:
        """Sums over the first axis, each row counted as often as `weights` says: one row a weight.

        Weights are whole numbers, and all of one row's weights together at most 2 ** 20: a product
        of matrices in floating point is exact then.
        """
        flat = self.digits.reshape(len(self.digits), -1).astype(np.float64)
        sums = (weights @ flat).astype(np.int64)
        return ExactSums(self.first, sums.reshape(-1, *self.digits.shape[1:])).carry()

    def __add__(self, other: ExactSums) -> ExactSums:
        """Add two sums and carry."""
        first = min(self.first, other.first)
        end = max(each.first + each.digits.shape[-1] for each in (self, other))
        digits = np.zeros((*self.digits.shape[:-1], end - first), np.int64)
        for each in (self, other):
            start = each.first - first
            digits[..., start : start + each.digits.shape[-1]] += each.digits
        return ExactSums(first, digits).carry()

    def carry(self) -> ExactSums:
        """Carry: bring every digit but the topmost to 0 .. 2 ** DIGIT_BITS, against overflow."""
        digits = self.digits.copy()
        for place in range(digits.shape[-1] - 1):
            digits[..., place + 1] += digits[..., place] >> DIGIT_BITS
            digits[..., place] &= int(_MASK)
        top = digits[..., -1]
        if (np.abs(top) >> DIGIT_BITS).any():
            digits = np.concatenate([digits, (top >> DIGIT_BITS)[..., None]], axis=-1)
            digits[..., -2] &= int(_MASK)
        return ExactSums(self.first, digits)

    def to_floats(self) -> FloatArray:
        """Return the sums as floating-point numbers, rounded once."""
        flat = self.digits.reshape(-1, self.digits.shape[-1]).tolist()
        sums = np.fromiter((_number(self.first, digits) for digits in flat), np.float64, len(flat))
        return sums.reshape(self.digits.shape[:-1])


def column_sums_as_digits(rows: FloatArray) -> Digits:
    """Return the sum of each column of finite numbers, as all digits: one row a column."""
    sums = ExactSums.of(rows)
    pieces = np.zeros((rows.shape[1], MAX_DIGITS), np.int64)
    end = sums.first + sums.digits.shape[-1]
    # A number's topmost digit may lie beyond the last place: it is empty there.
    pieces[:, sums.first : end] = sums.digits.sum(axis=0)[:, : MAX_DIGITS - sums.first]
    return pieces


def sums_from_digits(pieces: Digits) -> FloatArray:
    """Convert digits back to sums, rounded once."""
    return ExactSums(0, pieces).to_floats()


def _number(first: int, digits: list[int]) -> float:
    total = sum(digit << (DIGIT_BITS * place) for place, digit in enumerate(digits, first))
    return total / (1 << MIN_EXPONENT)
