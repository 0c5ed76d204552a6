from __future__ import annotations

import numpy as np

from captious.arrays.ragged import Ragged


def test_take_repeats_and_reorders_rows() -> None:
    rows = Ragged(np.array([1, 2, 3, 4]), np.array([0, 2, 2, 4]))
    taken = rows.take(np.array([2, 1, 0, 2]))
    assert taken.values.tolist() == [3, 4, 1, 2, 3, 4]
    assert taken.lengths.tolist() == [2, 0, 2, 2]
    assert taken.owners.tolist() == [0, 0, 2, 2, 3, 3]


def test_take_of_nothing() -> None:
    rows = Ragged(np.array([1]), np.array([0, 1]))
    assert len(rows.take(np.array([], dtype=int))) == 0
