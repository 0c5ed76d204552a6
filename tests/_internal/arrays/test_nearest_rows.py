"""The nearest row of every segment, and of every other, as argmax over products finds it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from captious._internal.arrays import nearest_rows
from captious._internal.arrays.nearest_rows import find_nearest_rows
from captious._internal.arrays.ragged import Ragged, offsets_of
from captious._internal.arrays.row_products import PackedMatrix, SingleArray, tiles

UNCOMPILED = -1
KINDS = [UNCOMPILED, *(tiles.SUPPORTED_KINDS if tiles is not None else ())]
# On either side of how many others, and how many rows, are multiplied at once.
SEGMENT_LENGTHS = [1, 2, 7, 22, 1, 31, 32, 33, 64, 65, 1, 3]
GROUP_LENGTHS = [1, 5, 6, 7, 11, 12, 13, 25, 2, 3, 1, 1]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    kind: int = request.param
    of_kind = None
    if tiles is not None and kind != UNCOMPILED:
        of_kind = SimpleNamespace(
            nearest=tiles.nearest, PANEL_COLUMNS=tiles.PANEL_COLUMNS, SUPPORTED_KINDS=(kind,)
        )
    monkeypatch.setattr(nearest_rows, "tiles", of_kind)
    return kind


def draw(seed: int, *shape: int) -> SingleArray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def grouped(seed: int, lengths: list[int], count: int) -> Ragged:
    rng = np.random.default_rng(seed)
    return Ragged(rng.integers(0, count, sum(lengths)), offsets_of(np.array(lengths)))


def expected_places(
    vectors: SingleArray, groups: Ragged, others: SingleArray, segments: Ragged, bounds: list[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """The definition, by one product for each row and segment, and for each other."""
    answers = []
    for row, owner in zip(groups.values, groups.owners, strict=True):
        places = []
        for segment in range(bounds[owner], bounds[owner + 1]):
            start, end = segments.offsets[segment : segment + 2]
            beside = PackedMatrix(others[segments.values[start:end]].T)
            places.append(int(start + beside.multiply(vectors[row : row + 1])[0].argmax()))
        answers.append(tuple(places))
    reverse = []
    for other, segment in zip(segments.values, segments.owners, strict=True):
        group = int(np.searchsorted(bounds, segment, side="right")) - 1
        start, end = groups.offsets[group : group + 2]
        rows = PackedMatrix(vectors[groups.values[start:end]].T)
        reverse.append(int(start + rows.multiply(others[other : other + 1])[0].argmax()))
    return answers, reverse


@pytest.mark.parametrize("depth", [1, 2, 15, 16, 17, 384])
@pytest.mark.parametrize(
    "bounds",
    [[0, 12], [0, 0, 3, 12], [0, 1, 2, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12], [0, 9, 10, 12, 12]],
)
def test_nearest_rows_are_those_of_the_highest_products(
    kind: int, depth: int, bounds: list[int]
) -> None:
    vectors, others = draw(1, 6, depth), draw(2, 11, depth)
    for lengths in (GROUP_LENGTHS, GROUP_LENGTHS[::-1]):
        groups = grouped(3, lengths[: len(bounds) - 1], len(vectors))
        segments = grouped(4, SEGMENT_LENGTHS, len(others))
        nearest, reverse = find_nearest_rows(vectors, groups, others, segments, np.array(bounds))
        expected = expected_places(vectors, groups, others, segments, bounds)
        assert (nearest.to_tuples(), reverse.tolist()) == expected


def test_the_first_of_equally_near_rows_is_taken_and_nan_before_all(kind: int) -> None:
    others = np.array([[0.5], [2.0], [2.0], [np.nan], [3.0], [np.nan]], np.float32)
    segments = Ragged(np.array([0, 1, 2, 0, 2, 1, 4, 3, 4, 5]), np.array([0, 4, 6, 10]))
    group = Ragged(np.array([0]), np.array([0, 1]))
    vector = np.ones((1, 1), np.float32)
    nearest, reverse = find_nearest_rows(vector, group, others, segments, np.array([0, 3]))
    assert nearest.values.tolist() == [1, 4, 7]
    assert reverse.tolist() == [0] * 10
    # The other way round: the segments' values are rows of a group.
    rows = Ragged(segments.values[:6], np.array([0, 4, 6]))
    single = Ragged(np.zeros(2, np.int64), np.arange(3))
    nearest, reverse = find_nearest_rows(others, rows, vector, single, np.arange(3))
    assert nearest.values.tolist() == [0] * 4 + [1] * 2
    assert reverse.tolist() == [1, 4]
    rows = Ragged(np.array([4, 3, 4, 5]), np.array([0, 4]))
    single = Ragged(np.zeros(1, np.int64), np.arange(2))
    assert find_nearest_rows(others, rows, vector, single, np.arange(2))[1].tolist() == [1]


def test_products_that_differ_in_the_last_bit_are_told_apart_by_fused_steps(kind: int) -> None:
    # Products are tiny**2 and 2 * tiny**2; were multiplications rounded, both would be 0.
    tiny = 2.0**-23
    vector = np.array([[1, 1 + tiny]], np.float32)
    others = np.array([[-1 - 2 * tiny, 1 + tiny], [-1 - 3 * tiny, 1 + 2 * tiny]], np.float32)
    one_group = Ragged(np.array([0]), np.array([0, 1]))
    segments = Ragged(np.array([0, 1]), np.array([0, 2]))
    nearest, _ = find_nearest_rows(vector, one_group, others, segments, np.array([0, 1]))
    assert nearest.to_tuples() == [(1,)]
    two_rows = Ragged(np.array([0, 1]), np.array([0, 2]))
    one_other = Ragged(np.array([0]), np.array([0, 1]))
    _, reverse = find_nearest_rows(others, two_rows, vector, one_other, np.array([0, 1]))
    assert reverse.tolist() == [1]


def test_no_rows_have_no_nearest(kind: int) -> None:
    none = Ragged(np.zeros(0, np.int64), np.zeros(1, np.int64))
    nearest, reverse = find_nearest_rows(
        draw(1, 0, 4), none, draw(2, 3, 4), none, np.zeros(1, np.int64)
    )
    assert len(nearest) == len(reverse) == 0


@pytest.mark.skipif(tiles is None, reason="the compiled loop alone reads memory unchecked")
@pytest.mark.parametrize(
    "wrong",
    [
        {"others": draw(2, 2, 5)},
        {"vectors": draw(1, 2, 0), "others": draw(2, 2, 0), "panel": np.zeros(0, np.float32)},
        {"rows": np.zeros(3, np.int64)},
        {"other_rows": np.zeros(3, np.int64)},
        {"segments": np.array([0, 1, 2, 2])},
        {"bounds": np.array([0, 1, 2])},
        {"panel": np.zeros(1, np.float32)},
        {"best": np.zeros(3, np.float32)},
        {"reverse": np.zeros(1, np.int64)},
        {"kind": -1},
    ],
)
def test_arrays_that_do_not_fit_never_reach_compiled_code(wrong: dict[str, Any]) -> None:
    fitting: dict[str, Any] = {
        "vectors": draw(1, 2, 4),
        "rows": np.zeros(2, np.int64),
        "groups": np.array([0, 2]),
        "others": draw(2, 2, 4),
        "other_rows": np.zeros(2, np.int64),
        "segments": np.array([0, 1, 2]),
        "bounds": np.array([0, 2]),
        "panel": np.zeros(4 * tiles.PANEL_COLUMNS, np.float32),
        "best": np.zeros(4, np.float32),
        "nearest": np.zeros(4, np.int64),
        "reverse": np.zeros(2, np.int64),
        "kind": 0,
    }
    tiles.nearest(*fitting.values())
    with pytest.raises(ValueError, match="do not fit"):
        tiles.nearest(*(fitting | wrong).values())
