"""People's ratings and preferences: as attributes of rows, and mean scores by rating."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.comparison.score_files import PrecomputedScores
from captious.meta.accuracy import pair_credits
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Judgements, Preferences, Ratings, number_images, round_means
from captious.metrics.base import mean_statistics
from captious.report.browser.contents import Attribute, Bucketing
from captious.report.systems.buckets import SystemStatistics, score_buckets
from captious.report.systems.row_groupings import Grouping, group_by_number

# What the page looks for: a rating to draw scores against, or the name of the preferred series.
RATING, PREFERRED = "rating", "preferred"
FIRST, SECOND = SIDES = ("first", "second")  # the two series of judged pairs
TITLE, NOTE = "people's rating", "mean scores of captions by what people said of them"
MAX_SEPARATE_RATINGS = 12  # each is a group; of more, neighbours are merged


def make_attributes(evaluation: Evaluation, judgements: Judgements) -> list[Attribute]:
    """Return ratings or preferences and, where there are several, the part of the benchmark."""
    if isinstance(judgements, Preferences):
        attributes = _preference_attributes(judgements, evaluation)
    else:
        attributes = _rating_attributes(judgements)
    groups = list(judgements.groups)
    if len(set(groups)) > 1 and not evaluation.first_part:  # whole systems are rows already
        attributes.append(Attribute("group", groups, "the part of the benchmark"))
    return attributes


def _rating_attributes(judgements: Ratings) -> list[Attribute]:
    """Return the mean rating and, with several raters, their number and spread."""
    ratings, mean = judgements.ratings, mean_ratings(judgements)
    is_rated = np.isfinite(ratings)
    raters = is_rated.sum(axis=1).astype(np.float64)
    if raters.max(initial=0) <= 1:
        return [Attribute(RATING, mean, "what people said")]
    highest = np.where(is_rated, ratings, -np.inf).max(axis=1)
    lowest = np.where(is_rated, ratings, np.inf).min(axis=1)
    return [
        Attribute(RATING, mean, "the mean of what people said"),
        Attribute("raters", raters, "how many people rated it"),
        Attribute(
            "spread",
            np.where(raters > 0, highest - lowest, np.nan),
            "the highest rating less the lowest",
        ),
    ]


def mean_ratings(judgements: Ratings) -> FloatArray:
    """Return each caption's mean rating; NaN where it has none."""
    is_rated = np.isfinite(judgements.ratings)
    sums, raters = np.where(is_rated, judgements.ratings, 0).sum(axis=1), is_rated.sum(axis=1)
    means: FloatArray = np.full(len(sums), np.nan)
    np.divide(sums, raters, out=means, where=raters > 0)
    return means


def _preference_attributes(judgements: Preferences, evaluation: Evaluation) -> list[Attribute]:
    """Return which caption people prefer, and how many metrics agree."""
    columns = evaluation.scores.values()
    earned = [pair_credits(scores, judgements, evaluation.protocol) for scores in columns]
    of = f"of {len(earned)}: those that score the caption higher that people prefer"
    return [
        Attribute(
            PREFERRED,
            [SIDES[side] for side in judgements.preferred.tolist()],
            "the caption that people prefer",
        ),
        Attribute("metrics that agree", np.sum(earned, axis=0), f"{of}; ties count in part"),
    ]


def bucket_by_rating(evaluation: Evaluation, ratings: Ratings) -> list[Bucketing]:
    """Return mean scores of captions by their rating; nothing if there are no resamples."""
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
        [PrecomputedScores(column) for column in evaluation.scores],
        list(evaluation.scores),
        [np.hstack([mean_statistics(scores[rated]) for scores in evaluation.scores.values()])],
        number_images([ratings.images[row] for row in rated])[0],
    )
    drawn = evaluation.agreements
    return score_buckets(statistics, [kinds], drawn.resamples, drawn.seed)
