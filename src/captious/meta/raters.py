"""Raters: agreement among people, and the ceiling that it sets for a metric."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import DrawsOrNone, Seed
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.accuracy import PairGroups
from captious.meta.agreement import format_share
from captious.meta.evaluation_table import NAMES
from captious.meta.judgements import (
    Judgements,
    Preferences,
    Ratings,
    number_images,
    round_means,
    votes_of,
)
from captious.meta.protocol import ACCURACY, ALIKE, Protocol
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.correlation import CORRELATIONS
from captious.stats.inter_rater import RatingMixture, alpha_function
from captious.stats.intervals import Estimate
from captious.stats.resampled_correlation import ResampledCorrelation, draw_images

MAX_STEPS = 20  # of a rating scale, each of which has a probability
MAX_DRAWS = 100  # each is a set of judgements of all captions


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement(TabularResult):
    """Agreement among people, in the statistic by which metrics are compared with them.

    `one_rater` is the agreement of one rater with the others; `ceiling` is what a metric would
    reach that knew how people's ratings of each caption are distributed; `expected` is what the
    model behind the ceiling expects of one rater, to compare with `one_rater`.
    """

    statistic: str
    n: int  # individual ratings or votes
    alpha: Estimate  # Krippendorff's
    one_rater: Estimate
    ceiling: Estimate
    expected: float = field(default=math.nan)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the draws."""
        rows = {
            name: {"value": each.observed, "interval": each.interval()}
            for name, each in self._estimates.items()
        }
        known = {"statistic": self.statistic, "n": self.n, "expected_one_rater": self.expected}
        table: dict[str, Any] = nan_to_none({**known, **rows})
        return table

    @property
    def _estimates(self) -> dict[str, Estimate]:
        return {"one_rater": self.one_rater, "ceiling": self.ceiling, "alpha": self.alpha}

    def as_tables(self) -> list[OutputTable]:
        """Agreement of one rater, the ceiling of a metric, and alpha."""
        rows = []
        for each in self._estimates.values():
            low, high = each.interval()
            ends = "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"
            rows.append([each.name, format_share(each.observed), ends])
        title = self.statistic if self.statistic == ACCURACY else NAMES[self.statistic]
        return [OutputTable(["raters", title, "95% interval"], rows)]


@check_arguments
def rater_agreement(
    judgements: Judgements,
    protocol: Protocol | None = None,
    *,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
) -> RaterAgreement:
    """How far people agree with one another, and the ceiling that it sets for a metric.

    Intervals come from images drawn with replacement. The ceiling is undefined on a scale of more
    steps than single chances can be given to.
    """
    protocol = protocol or Protocol()
    individual = _individual_judgements(judgements, protocol)
    images, n_images = number_images(judgements.images)
    # What is drawn must not depend on the order of captions.
    groups = np.unique(judgements.groups, return_inverse=True)[1]
    order = np.lexsort((*individual.T, groups, images))
    judgements, individual, images = judgements.take(order), individual[order], images[order]
    draws = draw_images(n_images, resamples if n_images > 1 else 0, seed)
    compared: _RatingComparison | _VoteComparison
    if isinstance(judgements, Preferences):
        compared = _VoteComparison(individual, judgements, protocol)
    else:
        compared = _RatingComparison(individual, images, judgements, protocol)
    everything = np.ones((1, n_images), dtype=np.int64)
    alpha = alpha_function(individual, images, n_images)
    rater = compared.one_rater(np.concatenate([everything, draws]))
    ceiling, expected = _ceiling(compared, draws, seed)
    return RaterAgreement(
        ACCURACY if isinstance(judgements, Preferences) else protocol.statistic,
        int(np.isfinite(individual).sum()),
        Estimate("Krippendorff's alpha", float(alpha(everything)[0]), alpha(draws)),
        Estimate("one rater beside the others", float(rater[0]), rater[1:]),
        ceiling,
        expected,
    )


def _individual_judgements(judgements: Judgements, protocol: Protocol) -> FloatArray:
    """Return the individual ratings or votes, one row a judgement, one column a rater."""
    individual = judgements.votes
    if individual is None and isinstance(judgements, Ratings):
        votes_of(judgements, "mean")  # raises if these are no ratings
        individual = judgements.ratings
    if individual is None or not (np.isfinite(np.asarray(individual)).sum(axis=1) > 1).any():
        raise InputError(
            "agreement among people needs several judgements of the same captions; here every "
            "caption has one"
        )
    if isinstance(judgements, Ratings) and protocol.statistic not in CORRELATIONS:
        raise InputError(
            f"agreement among people is measured by correlations, not by {protocol.statistic}; "
            f"choose one of: {', '.join(CORRELATIONS)}"
        )
    # Raters have no names: in whatever order they stand, the same is added up.
    return np.sort(np.asarray(individual, dtype=np.float64), axis=1)


class _RatingComparison:
    """Ratings that are correlated: one rater's with the mean of the others', or with a score."""

    def __init__(
        self, individual: FloatArray, images: IntArray, judgements: Ratings, protocol: Protocol
    ) -> None:
        self.individual, self.images, self.statistic = individual, images, protocol.statistic
        # Where what is compared are shares of votes, one rating stands for all raters.
        self.raters = "mean" if judgements.votes is not None else protocol.raters
        self.rated = np.flatnonzero(np.isfinite(individual).any(axis=1))
        self.steps = np.unique(individual[np.isfinite(individual)])

    def one_rater(self, draws: IntArray) -> FloatArray:
        """One rating of a caption beside the mean of all others, for all ratings at once."""
        x, y, rows = _mean_of_others(self.individual)
        resampled = ResampledCorrelation(y, np.ones(len(y)), self.images[rows], draws)
        return resampled.correlations(x, (self.statistic,))[self.statistic]

    def parts_to_model(self) -> list[tuple[IntArray, FloatArray]]:
        """All rated captions together, with the steps of the scale."""
        return [(self.rated, self.steps)]

    def ceiling_and_rater(
        self, chances: FloatArray, counts: IntArray, drawn: IntArray
    ) -> tuple[float, ...]:
        """The correlation of expected ratings with drawn ones; and of one drawn with the others."""
        steps, correlation = self.steps, CORRELATIONS[self.statistic]
        weights = drawn[self.images[self.rated]].astype(np.float64)
        expected = chances @ steps
        if self.raters == "flattened":
            captions, places = np.nonzero(counts)
            often = counts[captions, places] * weights[captions]
            value = correlation(expected[captions], steps[places], often)
        else:
            if self.raters == "mean":
                individual = round_means(counts @ steps / counts.sum(axis=1), steps)
            else:
                individual = steps[counts.argmax(axis=1)]
            value = correlation(expected, individual, weights)
        x, y, captions = _mean_of_others(_one_column_per_rater(counts, steps))
        return value, correlation(x, y, weights[captions])


class _VoteComparison:
    """Votes on pairs: one rater's beside what most others prefer, or beside a metric's choice."""

    def __init__(self, individual: FloatArray, judgements: Preferences, protocol: Protocol) -> None:
        # Votes count by themselves here: pairs need no weights.
        self.individual, self.groups = (
            individual,
            PairGroups.of(judgements, replace(protocol, weights=ALIKE)),
        )
        self.by_group = np.array(judgements.groups)

    def one_rater(self, draws: IntArray) -> FloatArray:
        """How often a rater's vote is what most others vote for; a tie is right by one half."""
        return self._accuracy(*_agreement_with_others(self.individual), draws)

    def _accuracy(self, right: FloatArray, votes: FloatArray, draws: IntArray) -> FloatArray:
        return self.groups.accuracies(right, draws, votes)[self.groups.headline]

    def parts_to_model(self) -> list[tuple[IntArray, FloatArray]]:
        """The pairs of each group, which are more or less easy to tell apart."""
        steps = np.array([0.0, 0.5, 1.0])
        return [
            (np.flatnonzero(self.by_group == name), steps) for name in sorted(self.groups.names)
        ]

    def ceiling_and_rater(
        self, chances: FloatArray, counts: IntArray, drawn: IntArray
    ) -> tuple[float, ...]:
        """The accuracy of who knows which caption more people prefer; and one rater's."""
        likely = np.sign(chances[:, 2] - chances[:, 0])
        preferred = np.sign(counts[:, 2] - counts[:, 0])
        decided = (preferred != 0).astype(np.float64)
        credit = np.where(likely == 0, 0.5, likely == preferred) * decided
        ceiling = self._accuracy(credit, decided, drawn[None])
        right, votes = _agreement_with_others(
            _one_column_per_rater(counts, np.array([0.0, 0.5, 1.0]))
        )
        return float(ceiling[0]), float(self._accuracy(right, votes, drawn[None])[0])


def _ceiling(
    compared: _RatingComparison | _VoteComparison, draws: IntArray, seed: int
) -> tuple[Estimate, float]:
    """What a metric reaches that knows each caption's distribution, over drawn judgements."""
    name = "best possible metric"
    parts = compared.parts_to_model()
    if any(len(steps) > MAX_STEPS for _, steps in parts):
        return Estimate(name, math.nan, np.empty(0)), math.nan
    fitted = [
        RatingMixture.fit(_count_steps(compared.individual[rows], steps), steps)
        for rows, steps in parts
    ]
    order = np.argsort(np.concatenate([rows for rows, _ in parts]), kind="stable")
    n_images = draws.shape[1]

    def ceiling_and_rater(rng: np.random.Generator, drawn: IntArray) -> tuple[float, ...]:
        both = [each.draw(rng) for each in fitted]
        chances, counts = (np.concatenate(each)[order] for each in zip(*both, strict=True))
        return compared.ceiling_and_rater(chances, counts, drawn)

    def over(which: Iterator[IntArray]) -> FloatArray:
        rng = np.random.default_rng(seed)
        return np.array([ceiling_and_rater(rng, drawn) for drawn in which]).reshape(-1, 2)

    every = np.ones(n_images, dtype=np.int64)
    values = over(every for _ in range(MAX_DRAWS // 4)).mean(axis=0)
    drawn = over(iter(draws[:MAX_DRAWS]))
    return Estimate(name, float(values[0]), drawn[:, 0]), float(values[1])


def _count_steps(individual: FloatArray, steps: FloatArray) -> IntArray:
    """How often each step was given, one row a caption."""
    return np.stack([(individual == step).sum(axis=1) for step in steps], axis=1)


def _one_column_per_rater(counts: IntArray, steps: FloatArray) -> FloatArray:
    """Counts of steps as one column a rater."""
    totals = counts.sum(axis=1)
    individual = np.full((len(counts), int(totals.max(initial=0))), np.nan)
    individual[np.arange(individual.shape[1]) < totals[:, None]] = np.repeat(
        np.tile(steps, len(counts)), counts.ravel()
    )
    return individual


def _mean_of_others(individual: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """The mean of all other ratings, each rating, and its row; of what several people rated."""
    given = np.isfinite(individual)
    given &= (given.sum(axis=1) > 1)[:, None]
    rows, raters = np.nonzero(given)
    sums, counts = np.where(given, individual, 0).sum(axis=1), given.sum(axis=1)
    y = individual[rows, raters]
    return round_means((sums[rows] - y) / (counts[rows] - 1), individual), y, rows


def _agreement_with_others(individual: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each pair, how many votes are what most of the others say, and how many votes it has."""
    others, vote, rows = _mean_of_others(individual)
    sides = np.sign(others - 0.5) * np.sign(vote - 0.5)
    right: FloatArray = np.bincount(rows, (1 + sides) / 2, len(individual)).astype(np.float64)
    return right, np.bincount(rows, minlength=len(individual)).astype(np.float64)
