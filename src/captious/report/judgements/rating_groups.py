"""Mean scores of captions by people's rating: those of a metric that agrees rise with it."""

from __future__ import annotations

import numpy as np

from captious.comparison.score_files import GivenScores
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Ratings, number_images, round_means
from captious.metrics.base import averaged
from captious.report.browser.contents import Bucketing
from captious.report.judgements.attributes import mean_ratings
from captious.report.systems.buckets import SystemStatistics, bucketings
from captious.report.systems.grouping import Grouping, group_by_number

TITLE, NOTE = "people's rating", "mean scores of captions by what people said of them"
MAX_SEPARATE_RATINGS = 12  # each is a group; of more, neighbours are merged


def bucket_by_rating(evaluation: Evaluation, ratings: Ratings) -> list[Bucketing]:
    """The mean scores of captions that people rated alike; nothing where there are no resamples."""
    people = mean_ratings(ratings)
    rated = np.flatnonzero(np.isfinite(people))
    means = round_means(people[rated], np.asarray(ratings.ratings, dtype=np.float64))
    values, places = np.unique(means, return_inverse=True)

    def label(low: int, high: int, is_first: bool, is_last: bool) -> str:
        ends = [f"{values[place - 1]:.3g}" for place in dict.fromkeys((low, high))]
        return " to ".join(ends)

    kinds: Grouping | None
    if 1 < len(values) <= MAX_SEPARATE_RATINGS:
        kinds = Grouping(TITLE, [f"{value:.3g}" for value in values], places, NOTE)
    else:
        kinds = group_by_number(TITLE, places + 1, NOTE, label)
    if kinds is None or not evaluation.agreements.resamples:
        return []
    statistics = SystemStatistics(
        [GivenScores(column) for column in evaluation.scores],
        list(evaluation.scores),
        [np.hstack([averaged(scores[rated]) for scores in evaluation.scores.values()])],
        number_images([ratings.images[row] for row in rated])[0],
    )
    drawn = evaluation.agreements
    return bucketings(statistics, [kinds], drawn.resamples, drawn.seed)
