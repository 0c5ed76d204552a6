"""Rows sorted into kinds."""

from __future__ import annotations

import numpy as np
import pytest

from captious.report.systems.grouping import MIN_ROWS, UNGROUPED, group_by_name, group_by_number


def test_ranges_have_about_equally_many_rows() -> None:
    values = np.repeat(np.arange(5, 15), 100)
    kinds = group_by_number("words", values)
    assert kinds is not None
    assert kinds.labels == ["up to 6", "7 to 8", "9 to 10", "11 to 12", "13 and more"]
    assert np.bincount(kinds.numbers).tolist() == [200] * 5
    assert set(values[kinds.numbers == 1]) == {7, 8}


def test_zero_is_a_group_of_its_own() -> None:
    kinds = group_by_number("colours", np.array([0] * 50 + [1] * 30 + [2] * 20 + [7]))
    assert kinds is not None
    assert kinds.labels == ["none", "1", "2 and more"]
    assert kinds.numbers.tolist() == [0] * 50 + [1] * 30 + [2] * 21


def test_small_ranges_are_merged_with_neighbours() -> None:
    kinds = group_by_number("words", np.array([0] * 3 + [4] * 40 + [9] * 40 + [50] * 3))
    assert kinds is not None
    assert kinds.labels == ["up to 4", "9 and more"]
    assert np.bincount(kinds.numbers).tolist() == [43, 43]


@pytest.mark.parametrize("values", [[3] * 100, [0] * 100, [1, 2, 3], [0]])
def test_equal_or_too_few_numbers_are_not_grouped(values: list[int]) -> None:
    assert group_by_number("words", np.array(values)) is None


def test_every_row_is_grouped_and_groups_have_enough_rows() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = rng.poisson(rng.uniform(0, 20), rng.integers(1, 400))
        kinds = group_by_number("words", values)
        if kinds is not None:
            sizes = np.bincount(kinds.numbers)
            assert len(sizes) == len(kinds.labels) == len(set(kinds.labels)) > 1
            assert sizes.min() >= MIN_ROWS
            assert (np.diff(kinds.numbers[np.argsort(values)]) >= 0).all()


def test_several_systems_share_ranges() -> None:
    values = np.array([[5] * 20 + [9] * 20, [9] * 20 + [5] * 20])
    kinds = group_by_number("words", values)
    assert kinds is not None
    assert kinds.numbers.tolist() == [[0] * 20 + [1] * 20, [1] * 20 + [0] * 20]


def test_groups_by_name_leave_out_small_ones() -> None:
    kinds = group_by_name("source", ["web"] * 12 + ["news"] * 30 + ["none", "other"])
    assert kinds is not None
    assert kinds.labels == ["news", "web"]
    assert kinds.numbers.tolist() == [1] * 12 + [0] * 30 + [UNGROUPED] * 2
    assert kinds.note == "2 smaller groups, of 2 samples together, are left out"
    assert group_by_name("photo", [f"{number}.jpg" for number in range(100)]) is None
