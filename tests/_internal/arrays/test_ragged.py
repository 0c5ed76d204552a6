from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import Ragged, distinct


def test_take_repeats_and_reorders_rows() -> None:
    rows = Ragged(np.array([1, 2, 3, 4]), np.array([0, 2, 2, 4]))
    taken = rows.take(np.array([2, 1, 0, 2]))
    assert taken.values.tolist() == [3, 4, 1, 2, 3, 4]
    assert taken.lengths.tolist() == [2, 0, 2, 2]
    assert taken.owners.tolist() == [0, 0, 2, 2, 3, 3]


def test_take_of_nothing() -> None:
    rows = Ragged(np.array([1]), np.array([0, 1]))
    assert len(rows.take(np.array([], dtype=int))) == 0


def test_distinct_numbers_are_those_of_numpy() -> None:
    random = np.random.default_rng(0)
    for size in (0, 1, 2, 50, 1000):
        numbers = random.integers(-20, 20, size)
        assert distinct(numbers).tolist() == np.unique(numbers).tolist()
        assert distinct(numbers).dtype == numbers.dtype
