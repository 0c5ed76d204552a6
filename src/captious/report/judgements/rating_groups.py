"""Captions sorted by what people said of them: scores of a metric that agrees rise with ratings."""

from __future__ import annotations

import numpy as np

from captious.comparison.score_files import GivenScores
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Ratings
from captious.meta.votes import number_images, round_means
from captious.metrics.base import averaged
from captious.report.browser.contents import Bucketing
from captious.report.judgements.attributes import mean_ratings
from captious.report.systems.buckets import Scored, bucketings
from captious.report.systems.grouping import Kinds, kinds_by_number

TITLE, NOTE = "people's rating", "mean scores of captions by what people said of them"
FEW = 12  # different ratings that are each a kind; of more, neighbours are joined


def by_rating(evaluation: Evaluation, ratings: Ratings) -> list[Bucketing]:
    """The mean scores of captions that people rated alike; nothing where there are no resamples."""
    people = mean_ratings(ratings)
    rated = np.flatnonzero(np.isfinite(people))
    means = round_means(people[rated], np.asarray(ratings.ratings, dtype=np.float64))
    values, places = np.unique(means, return_inverse=True)

    def said(low: int, high: int, is_first: bool, is_last: bool) -> str:
        ends = [f"{values[place - 1]:.3g}" for place in dict.fromkeys((low, high))]
        return " to ".join(ends)

    kinds: Kinds | None
    if 1 < len(values) <= FEW:
        kinds = Kinds(TITLE, [f"{value:.3g}" for value in values], places, NOTE)
    else:
        kinds = kinds_by_number(TITLE, places + 1, NOTE, said)
    if kinds is None or not evaluation.agreements.resamples:
        return []
    scored = Scored(
        [GivenScores(column) for column in evaluation.scores],
        list(evaluation.scores),
        [np.hstack([averaged(scores[rated]) for scores in evaluation.scores.values()])],
        number_images([ratings.images[row] for row in rated])[0],
    )
    drawn = evaluation.agreements
    return bucketings(scored, [kinds], drawn.resamples, drawn.seed)
