"""Inter-rater statistics: Krippendorff's alpha, and a mixture model of how ratings vary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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


MAX_COMPONENTS = 8
MAX_ITERATIONS = 1000
LOG_LIKELIHOOD_TOLERANCE = 1e-7  # per caption
SMOOTHING = 0.1  # share of the overall distribution in an initial component


@dataclass(frozen=True, eq=False)
class RatingMixture:
    """Counts of each rating per caption, and the fitted components."""

    counts: IntArray  # one row a caption, one column a step
    components: FloatArray  # one row a component: the probabilities of the steps
    responsibilities: FloatArray  # one row a caption: the probabilities of the components

    @classmethod
    def fit(cls, counts: IntArray, steps: FloatArray) -> RatingMixture:
        """Fit the components to counts."""
        # Captions with equal counts have equal responsibilities.
        patterns, places, often = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
        places = places.reshape(-1)
        patterns = patterns.astype(np.float64)
        components = _initial_components(patterns, often, steps)
        shares = np.full(len(components), 1 / len(components))
        before = -np.inf
        for _ in range(MAX_ITERATIONS):
            log = patterns @ np.log(np.maximum(components, 1e-300)).T + np.log(shares)
            highest = log.max(axis=1, keepdims=True)
            likely = np.exp(log - highest)
            totals = likely.sum(axis=1, keepdims=True)
            responsibilities = likely / totals
            weights = responsibilities * often[:, None]
            shares = np.maximum(weights.sum(axis=0) / often.sum(), 1e-300)
            given = weights.T @ patterns
            components = given / np.maximum(given.sum(axis=1, keepdims=True), 1e-300)
            fit = float((often * (np.log(totals) + highest)[:, 0]).sum() / often.sum())
            if fit - before < LOG_LIKELIHOOD_TOLERANCE:
                break
            before = fit
        return cls(counts, components, responsibilities[places])

    def draw(self, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Draw a component for each caption, given its ratings, and as many new ratings from it."""
        up_to = np.cumsum(self.responsibilities, axis=1)
        thresholds = rng.random(len(up_to))[:, None] * up_to[:, -1:]
        probabilities = self.components[(thresholds >= up_to[:, :-1]).sum(axis=1)]
        return probabilities, rng.multinomial(self.counts.sum(axis=1), probabilities)


def _initial_components(patterns: FloatArray, often: IntArray, steps: FloatArray) -> FloatArray:
    """Return initial components: captions in order of mean rating, cut into equal parts."""
    everything = often @ patterns
    everything = everything / everything.sum()
    order = np.argsort(patterns @ steps / patterns.sum(axis=1), kind="stable")
    middle = (np.cumsum(often[order]) - often[order] / 2) / often.sum()
    parts = (middle * MAX_COMPONENTS).astype(np.int64)
    rows = []
    for part in np.unique(parts):
        inside = order[parts == part]
        given = often[inside] @ patterns[inside]
        rows.append((1 - SMOOTHING) * given / given.sum() + SMOOTHING * everything)
    return np.array(rows)
