"""What stays is the same however rows are cut, and what a plain loop keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.streaming.filtering import selection
from captious.streaming.filtering.selection import (
    RemainingRows,
    RowSelector,
    Sample,
    SelectionRules,
    hashes_of,
)

Row = tuple[int, float, int, int]  # position, key, image, draw
row_lists = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 5)), max_size=40
).map(lambda rows: [(at, float(key), image, draw) for at, (key, image, draw) in enumerate(rows)])
wishes = st.builds(
    SelectionRules,
    st.none() | st.integers(1, 3),
    st.none() | st.integers(1, 10),
    st.none()
    | st.integers(1, 10).map(lambda count: Sample(count=count))
    | st.sampled_from((0.25, 0.5, 1.0)).map(Sample),
)


def standing(rows: list[Row]) -> RemainingRows:
    images = hashes_of([str(image).encode() for _, _, image, _ in rows], b"test")
    draws = [draw << 61 for *_, draw in rows]  # six of eight equally likely numbers
    return RemainingRows(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows], np.float64),
        images,
        np.array(draws, np.uint64),
    )


def plainly(rows: list[Row], wanted: SelectionRules) -> list[int]:
    """The same by a loop over rows in order of merit."""
    left = sorted(rows, key=lambda row: (-row[1], row[0]))
    if wanted.per_image is not None:
        of_image: dict[int, list[Row]] = {}
        for row in left:
            of_image.setdefault(row[2], []).append(row)
        left = [row for row in left if row in of_image[row[2]][: wanted.per_image]]
    if wanted.top is not None:
        left = left[: wanted.top]
    if wanted.sample is not None and wanted.sample.share is not None:
        left = [row for row in left if row[3] / 8 < wanted.sample.share]
    elif wanted.sample is not None:
        left = sorted(left, key=lambda row: (row[3], row[0]))[: wanted.sample.count]
    return sorted(row[0] for row in left)


@pytest.mark.slow
@given(row_lists, wishes, st.lists(st.integers(1, 7), min_size=1), st.integers(0, 5))
def test_what_stays_depends_on_no_chunks(
    rows: list[Row], wanted: SelectionRules, sizes: list[int], fewest: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "MIN_ROWS_TO_PRUNE", fewest)  # so that rows are dropped on the way
        choice = RowSelector(wanted)
        start = 0
        while start < len(rows):
            size = sizes[start % len(sizes)]
            choice.add(standing(rows[start : start + size]))
            start += size
    assert choice.finish().tolist() == plainly(rows, wanted)
    assert sum(choice.dropped.values()) == len(rows) - len(choice.standing)
    whole = RowSelector(wanted)
    whole.add(standing(rows))
    whole.finish()
    assert whole.dropped == choice.dropped


def test_no_more_is_remembered_than_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "MIN_ROWS_TO_PRUNE", 10)
    choice = RowSelector(SelectionRules(top=20))
    for start in range(0, 5000, 50):
        choice.add(standing([(at, float(at % 977), 0, 0) for at in range(start, start + 50)]))
        assert len(choice.standing) <= 2 * 20 + 50


def test_a_share_is_about_a_share_of_the_rows() -> None:
    draws = hashes_of([str(number).encode() for number in range(20_000)], b"draw", seed=3)[:, 0]
    rows = RemainingRows(
        np.arange(20_000), np.zeros(20_000), np.zeros((20_000, 2), np.uint64), draws
    )
    kept = selection.sampled(rows, Sample(0.3)).mean()
    assert abs(kept - 0.3) < 5 * (0.3 * 0.7 / 20_000) ** 0.5
    assert selection.sampled(rows, Sample(1.0)).all()
