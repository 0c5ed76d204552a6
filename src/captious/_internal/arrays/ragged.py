"""Ragged arrays (rows of different length in one flat array), and small array functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[Any]  # whole numbers of any width
FloatArray = npt.NDArray[np.float64]


def offsets_of(lengths: IntArray) -> IntArray:
    """Return where each row begins in the flat array, followed by the end of the last."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def distinct(numbers: IntArray) -> IntArray:
    """Return the distinct numbers in ascending order, as `np.unique` does.

    `np.unique` imports NumPy's masked arrays, which takes time.
    """
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    different: IntArray = ordered[is_first]
    return different


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of integers: row i is `values[offsets[i]:offsets[i + 1]]`."""

    values: IntArray
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """How many values each row has."""
        return np.diff(self.offsets)

    def lengths_at(self, rows: IntArray) -> IntArray:
        """How many values each of the given rows has, without reading the others."""
        lengths: IntArray = self.offsets[rows + 1] - self.offsets[rows]
        return lengths

    @property
    def owners(self) -> IntArray:
        """The row of every value."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def to_tuples(self) -> list[tuple[int, ...]]:
        """The rows as tuples."""
        values = self.values.tolist()
        return [tuple(values[start:end]) for start, end in pairwise(self.offsets.tolist())]

    def take(self, rows: IntArray) -> Ragged:
        """Return the given rows, in that order, repeated where given twice."""
        lengths = self.lengths_at(rows)
        offsets = offsets_of(lengths)
        # Each value's place: its row's start here, plus how far into the row it stands.
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return Ragged(self.values[places], offsets)


def concatenate_ragged(parts: Sequence[Ragged]) -> Ragged:
    """Concatenate the rows of all parts."""
    values = np.concatenate([part.values for part in parts])
    return Ragged(values, offsets_of(np.concatenate([part.lengths for part in parts])))


def logistic(margins: FloatArray) -> FloatArray:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow."""
    exponentials = np.exp(-np.abs(margins))
    values: FloatArray = np.where(margins >= 0, 1.0, exponentials) / (1.0 + exponentials)
    return values
