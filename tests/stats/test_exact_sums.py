"""Sums as whole numbers: those of `math.fsum`, to the last bit, however they are parted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.stats.exact_sums import column_sums_as_digits, sums_from_digits

NUMBERS = st.floats(-1e300, 1e300) | st.floats(-1, 1) | st.sampled_from([5e-324, -2e-308, 1e305])


@pytest.mark.slow
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=30), st.integers(0, 30))
def test_sums_are_rounded_once_and_do_not_depend_on_parts(
    rows: list[tuple[float, float]], cut: int
) -> None:
    numbers = np.array(rows).reshape(-1, 2)
    parts = column_sums_as_digits(numbers[:cut]) + column_sums_as_digits(numbers[cut:])
    assert (parts == column_sums_as_digits(numbers[::-1])).all()
    assert sums_from_digits(parts).tolist() == [math.fsum(column) for column in numbers.T]


def test_the_largest_and_the_smallest() -> None:
    largest, smallest = np.finfo(float).max, 5e-324
    rows = np.array([[largest, smallest], [smallest, -smallest], [-largest, smallest]])
    assert sums_from_digits(column_sums_as_digits(rows)).tolist() == [smallest, smallest]
    assert sums_from_digits(column_sums_as_digits(rows[:1])).tolist() == [largest, smallest]
