"""The nearest row of every segment, as argmax over products finds it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from captious._internal.arrays import nearest_rows
from captious._internal.arrays.nearest_rows import find_nearest_rows
from captious._internal.arrays.ragged import Ragged, offsets_of
from captious._internal.arrays.row_products import PackedMatrix, SingleArray, tiles

UNCOMPILED = -1
KINDS = [UNCOMPILED, *(tiles.SUPPORTED_KINDS if tiles is not None else ())]
LENGTHS = [1, 2, 7, 8, 9, 16, 17, 1, 3]  # on either side of how many products are computed at once


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    kind: int = request.param
    of_kind = None
    if tiles is not None and kind != UNCOMPILED:
        of_kind = SimpleNamespace(nearest=tiles.nearest, SUPPORTED_KINDS=(kind,))
    monkeypatch.setattr(nearest_rows, "tiles", of_kind)
    return kind


def draw(seed: int, *shape: int) -> SingleArray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def grouped(seed: int, lengths: list[int], count: int) -> Ragged:
    rng = np.random.default_rng(seed)
    return Ragged(rng.integers(0, count, sum(lengths)), offsets_of(np.array(lengths)))


def expected_places(
    vectors: SingleArray, groups: Ragged, others: SingleArray, segments: Ragged, bounds: list[int]
) -> list[list[int]]:
    """The definition, by one product for each row and segment."""
    answers = []
    for row, owner in zip(groups.values, groups.owners, strict=True):
        places = []
        for segment in range(bounds[owner], bounds[owner + 1]):
            start, end = segments.offsets[segment : segment + 2]
            beside = PackedMatrix(others[segments.values[start:end]].T)
            places.append(int(start + beside.multiply(vectors[row : row + 1])[0].argmax()))
        answers.append(places)
    return answers


@pytest.mark.parametrize("depth", [1, 2, 13, 384])
@pytest.mark.parametrize("bounds", [[0, 9], [0, 0, 3, 9], [0, 1, 2, 9]])
def test_nearest_rows_are_those_of_the_highest_products(
    kind: int, depth: int, bounds: list[int]
) -> None:
    vectors, others = draw(1, 6, depth), draw(2, 11, depth)
    groups = grouped(3, [1, 4, 2][: len(bounds) - 1], len(vectors))
    segments = grouped(4, LENGTHS, len(others))
    actual = find_nearest_rows(vectors, groups, others, segments, np.array(bounds))
    assert [list(row) for row in actual.to_tuples()] == expected_places(
        vectors, groups, others, segments, bounds
    )


def test_the_first_of_equally_near_rows_is_taken_and_nan_before_all(kind: int) -> None:
    others = np.array([[0.5], [2.0], [2.0], [np.nan], [3.0], [np.nan]], np.float32)
    segments = Ragged(np.array([0, 1, 2, 0, 2, 1, 4, 3, 4, 5]), np.array([0, 4, 6, 10]))
    group = Ragged(np.array([0]), np.array([0, 1]))
    vector = np.ones((1, 1), np.float32)
    actual = find_nearest_rows(vector, group, others, segments, np.array([0, 3]))
    assert actual.values.tolist() == [1, 4, 7]


def test_products_that_differ_in_the_last_bit_are_told_apart_by_fused_steps(kind: int) -> None:
    # Products are tiny**2 and 2 * tiny**2; were multiplications rounded, both would be 0.
    tiny = 2.0**-23
    vector = np.array([[1, 1 + tiny]], np.float32)
    others = np.array([[-1 - 2 * tiny, 1 + tiny], [-1 - 3 * tiny, 1 + 2 * tiny]], np.float32)
    one_group = Ragged(np.array([0]), np.array([0, 1]))
    segments = Ragged(np.array([0, 1]), np.array([0, 2]))
    actual = find_nearest_rows(vector, one_group, others, segments, np.array([0, 1]))
    assert actual.to_tuples() == [(1,)]


def test_no_rows_have_no_nearest(kind: int) -> None:
    none = Ragged(np.zeros(0, np.int64), np.zeros(1, np.int64))
    actual = find_nearest_rows(draw(1, 0, 4), none, draw(2, 3, 4), none, np.zeros(1, np.int64))
    assert len(actual) == 0


@pytest.mark.skipif(tiles is None, reason="the compiled loop alone reads memory unchecked")
def test_arrays_that_do_not_fit_never_reach_compiled_code() -> None:
    rows = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="do not fit"):
        tiles.nearest(draw(1, 2, 4), rows, draw(2, 2, 5), rows, rows, rows, rows, rows, 0)
    with pytest.raises(ValueError, match="do not fit"):
        tiles.nearest(draw(1, 2, 4), rows, draw(2, 2, 4), rows, rows, rows[:1], rows, rows, 0)
    with pytest.raises(ValueError, match="do not fit"):
        tiles.nearest(draw(1, 2, 4), rows, draw(2, 2, 4), rows, rows, rows, rows, rows, 99)
