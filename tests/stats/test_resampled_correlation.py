"""Every resample at once gives what each resample counted anew gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.stats import bootstrap as resampling
from captious.stats import resampled_correlation
from captious.stats.correlation import STATISTICS, correlations
from captious.stats.resampled_correlation import ResampledCorrelation, draw_images


def test_draws_are_of_images_with_replacement_and_seeded() -> None:
    draws = draw_images(50, 400, seed=0)
    assert (draws.sum(axis=1) == 50).all()
    assert (draws == 0).mean() == pytest.approx(np.exp(-1), abs=0.01)
    assert np.array_equal(draws, draw_images(50, 400, seed=0))
    assert not np.array_equal(draws, draw_images(50, 400, seed=1))
    assert draw_images(0, 0, seed=0).shape == (0, 0)
    assert draw_images(50, 0, seed=0).shape == (0, 50)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 101])
@pytest.mark.parametrize("block", [1, 20, 1 << 23])
def test_there_is_one_stream_of_draws_whatever_the_blocks(
    monkeypatch: pytest.MonkeyPatch, n: int, block: int
) -> None:
    """The bootstrap of scores and that of correlations draw the same images, all from one call."""
    drawn = np.random.default_rng(5).integers(n, size=(30, n))
    expected = np.stack([np.bincount(row, minlength=n) for row in drawn])
    statistics = np.random.default_rng(0).normal(size=(n, 3))
    monkeypatch.setattr(resampling, "MAX_BLOCK_SIZE", block)
    assert np.array_equal(draw_images(n, 30, seed=5), expected)
    rows = max(1, block // n)
    blocks = [expected[start : start + rows] for start in range(0, 30, rows)]
    sums = np.concatenate([counts.astype(np.float64) @ statistics for counts in blocks])
    assert resampling.bootstrap(statistics, 30, seed=5).tobytes() == sums.tobytes()


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(1, 3), st.integers(0, 5)),
        min_size=3,
        max_size=40,
    ),
    st.sampled_from([64, 3]),
)
def test_every_resample_is_as_if_its_rows_were_repeated(
    rows: list[tuple[int, int, int, int]], large_tie: int
) -> None:
    """Pairs summed by images give, for each draw, what counting that draw anew gives."""
    x, y, w, images = (np.array(column) for column in zip(*rows, strict=True))
    draws = draw_images(6, 20, seed=1)
    resampled = ResampledCorrelation(y.astype(float), w.astype(float), images, draws)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("captious.stats.resampled_correlation.MIN_LARGE_TIE", large_tie)
        patch.setattr("captious.stats.resampled_correlation.block_size", lambda *_: large_tie)
        patch.setattr(resampled_correlation, "MAX_CELLS_PER_RATING", 10**6)
        found = resampled.correlations(x.astype(float))
    classes = min(len(set(x)), len(set(y)))
    for row, drawn in enumerate(draws):
        weights = (w * drawn[images]).astype(float)
        expected = correlations(x, y, weights)
        there = weights > 0
        m = min(len(set(x[there])), len(set(y[there])))
        if m > 1:  # tau c keeps the number of classes of all rows
            expected["kendall_c"] *= (m - 1) / m * classes / (classes - 1)
        got = {name: values[row] for name, values in found.items()}
        assert got == pytest.approx(expected, nan_ok=True, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("distinct_x", "distinct_y"), [(10**6, 5), (30, 12), (2, 2), (10**6, 10**6)]
)
def test_pairs_by_images_equal_pairs_counted_anew(
    monkeypatch: pytest.MonkeyPatch, distinct_x: int, distinct_y: int
) -> None:
    """The same on more rows, with blocks and large ties as they really are."""
    rng = np.random.default_rng(0)
    y = rng.integers(distinct_y, size=3000).astype(float)
    x = np.round((y / distinct_y + rng.normal(size=3000)) * distinct_x / 4)
    w, images = rng.integers(1, 4, size=3000).astype(float), rng.integers(200, size=3000)
    resampled = ResampledCorrelation(y, w, images, draw_images(200, 5, seed=0))
    at_once = resampled.correlations(x)
    monkeypatch.setattr(resampled_correlation, "MAX_IMAGES_IN_MATRIX", 0)
    by_class = resampled.correlations(x)
    monkeypatch.setattr(resampled_correlation, "MAX_CLASSES", 0)
    anew = resampled.correlations(x)
    for name in STATISTICS:
        assert at_once[name] == pytest.approx(anew[name], abs=1e-12)
        assert by_class[name] == pytest.approx(anew[name], abs=1e-12)
    assert np.ptp(at_once["kendall_b"]) > 0
