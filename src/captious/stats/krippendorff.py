"""Krippendorff's alpha: how far raters agree beyond what chance would give, on an interval scale.

1 is full agreement and 0 none beyond chance. Of yes and no it is the nominal alpha as well. It
needs only sums over captions, so it is cheap for resampled images, too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray


def alpha_function(
    ratings: FloatArray, images: IntArray, n_images: int
) -> Callable[[IntArray], FloatArray]:
    """Return a function from draws (one row of image counts each) to the alpha of each draw.

    `ratings` has a row for each caption and a column for each rater, NaN where a rater said
    nothing. Captions that fewer than two people rated say nothing of agreement. Where all ratings
    are equal, alpha is undefined, and is NaN.
    """
    given = np.isfinite(ratings)
    several = given.sum(axis=1) > 1
    x, given, images = ratings[several], given[several], images[several]
    # Neither the mean nor the scale matters, and squares of large numbers lose digits.
    known = x[given]
    x = np.where(given, x - (known.mean() if len(known) else 0.0), 0.0)
    largest = float(np.abs(x).max(initial=0.0))
    x = x / largest if largest > 0 else x
    m = given.sum(axis=1).astype(np.float64)
    sums, squares = x.sum(axis=1), (x * x).sum(axis=1)
    apart = (m * squares - sums**2) / (m - 1)
    columns = [np.bincount(images, each, n_images) for each in (apart, m, sums, squares)]
    by_image = np.stack(columns, axis=1)

    def over(draws: IntArray) -> FloatArray:
        apart, n, sums, squares = (draws.astype(np.float64) @ by_image).T
        expected = n * squares - sums**2
        varied = expected > 1e-12 * np.maximum(n, 1) ** 2
        return np.where(varied, 1 - apart * (n - 1) / np.where(varied, expected, 1), np.nan)

    return over
