"""Rows grouped by number or name, and by the rarest word that references share."""

from __future__ import annotations

import numpy as np
import pytest

from captious.corpus import ReferenceColumns
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.report.systems.row_groupings import (
    MAX_POWER,
    MIN_ROWS,
    UNGROUPED,
    compute_rarity,
    group_by_name,
    group_by_number,
    rarity_label,
)
from captious.samples import References


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


COUNTS = {("a",): 10_000, ("dog",): 1000, ("bench",): 100, ("borzoi",): 10, ("a", "dog"): 3}
FREQUENCIES = DocumentFrequencies.of_counts(COUNTS, 10_000)


def powers(*sets: list[str]) -> list[int]:
    references = References.of(ReferenceColumns.of(list(sets)))
    found: list[int] = compute_rarity(references, FREQUENCIES).tolist()
    return found


def test_only_words_that_two_references_share_count_unless_none_is() -> None:
    assert powers(["a dog", "a dog on a bench"]) == [1]
    assert powers(["a dog on a bench", "a bench"]) == [2]
    assert powers(["a borzoi", "the bench"]) == [MAX_POWER - 1]  # "the" is in no document
    assert powers(["a borzoi borzoi", "a bench"]) == [0]
    assert powers(["a borzoi"], [""], ["a"]) == [3, 0, 0]


def test_frequencies_of_words_alone() -> None:
    assert FREQUENCIES.of_words(["dog", "zebra", "a", "bench"]).tolist() == [1000, 0, 10_000, 100]
    shipped = DocumentFrequencies.load("coco-val2014")
    assert shipped.of_words(["a"])[0] > shipped.of_words(["giraffe"])[0] > 0


def test_labels_of_rarity_ranges() -> None:
    assert rarity_label(0, 1, True, False) == "in more than 1 image of 100"
    assert rarity_label(2, 2, False, False) == "in 1 image of 100 to 1,000"
    assert rarity_label(3, 5, False, True) == "in 1 image of 1,000 or fewer"
