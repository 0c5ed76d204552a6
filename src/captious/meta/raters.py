"""Raters: how far people agree with one another, and what that leaves for a metric to reach."""

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
from captious.meta.agreement import shown_share
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

MOST_STEPS = 20  # of a scale whose every step has a chance of its own
OPINIONS_DRAWN = 100  # at most: each is a set of judgements of all captions


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement(TabularResult):
    """How far people agree, in the statistic by which metrics are compared with them.

    `one_rater` is what a rater says beside what the others say; `ceiling` is what a metric would
    reach that knew how people's ratings of each caption are distributed; `expected` is what the
    model behind the ceiling foretells for one rater, to be held against `one_rater`.
    """

    statistic: str
    n: int  # what single people said
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
        """What people reach, and what a metric could."""
        rows = []
        for each in self._estimates.values():
            low, high = each.interval()
            ends = "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"
            rows.append([each.name, shown_share(each.observed), ends])
        title = self.statistic if self.statistic == ACCURACY else NAMES[self.statistic]
        return [OutputTable(["raters", title, "95 % interval"], rows)]


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
    said = _said(judgements, protocol)
    images, n_images = number_images(judgements.images)
    # What is drawn must not depend on the order of captions.
    groups = np.unique(judgements.groups, return_inverse=True)[1]
    order = np.lexsort((*said.T, groups, images))
    judgements, said, images = judgements.take(order), said[order], images[order]
    draws = draw_images(n_images, resamples if n_images > 1 else 0, seed)
    compared: _OfRatings | _OfPairs
    if isinstance(judgements, Preferences):
        compared = _OfPairs(said, judgements, protocol)
    else:
        compared = _OfRatings(said, images, judgements, protocol)
    everything = np.ones((1, n_images), dtype=np.int64)
    alpha = alpha_function(said, images, n_images)
    one = compared.one_rater(np.concatenate([everything, draws]))
    ceiling, expected = _ceiling(compared, draws, seed)
    return RaterAgreement(
        ACCURACY if isinstance(judgements, Preferences) else protocol.statistic,
        int(np.isfinite(said).sum()),
        Estimate("Krippendorff's alpha", float(alpha(everything)[0]), alpha(draws)),
        Estimate("one rater beside the others", float(one[0]), one[1:]),
        ceiling,
        expected,
    )


def _said(judgements: Judgements, protocol: Protocol) -> FloatArray:
    """What each person said, one row a judgement, one column a rater."""
    said = judgements.votes
    if said is None and isinstance(judgements, Ratings):
        votes_of(judgements, "mean")  # stops at what are no ratings
        said = judgements.ratings
    if said is None or not (np.isfinite(np.asarray(said)).sum(axis=1) > 1).any():
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
    return np.sort(np.asarray(said, dtype=np.float64), axis=1)


class _OfRatings:
    """Ratings that are correlated: one rater's with the mean of the others', or with a score."""

    def __init__(
        self, said: FloatArray, images: IntArray, judgements: Ratings, protocol: Protocol
    ) -> None:
        self.said, self.images, self.statistic = said, images, protocol.statistic
        # Where what is compared are shares of votes, one rating stands for all raters.
        self.raters = "mean" if judgements.votes is not None else protocol.raters
        self.rated = np.flatnonzero(np.isfinite(said).any(axis=1))
        self.steps = np.unique(said[np.isfinite(said)])

    def one_rater(self, draws: IntArray) -> FloatArray:
        """One rating of a caption beside the mean of all others, for all ratings at once."""
        x, y, rows = _beside_others(self.said)
        resampled = ResampledCorrelation(y, np.ones(len(y)), self.images[rows], draws)
        return resampled.correlations(x, (self.statistic,))[self.statistic]

    def opinions(self) -> list[tuple[IntArray, FloatArray]]:
        """All rated captions together, with the steps of the scale."""
        return [(self.rated, self.steps)]

    def reached(self, chances: FloatArray, counts: IntArray, drawn: IntArray) -> tuple[float, ...]:
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
                said = round_means(counts @ steps / counts.sum(axis=1), steps)
            else:
                said = steps[counts.argmax(axis=1)]
            value = correlation(expected, said, weights)
        x, y, captions = _beside_others(_written_out(counts, steps))
        return value, correlation(x, y, weights[captions])


class _OfPairs:
    """Votes on pairs: one rater's beside what most others prefer, or beside a metric's choice."""

    def __init__(self, said: FloatArray, judgements: Preferences, protocol: Protocol) -> None:
        # Votes count by themselves here: pairs need no weights.
        self.said, self.groups = said, PairGroups.of(judgements, replace(protocol, weights=ALIKE))
        self.by_group = np.array(judgements.groups)

    def one_rater(self, draws: IntArray) -> FloatArray:
        """How often a rater's vote is what most others vote for; a tie is right by one half."""
        return self._accuracy(*_votes_beside_others(self.said), draws)

    def _accuracy(self, right: FloatArray, votes: FloatArray, draws: IntArray) -> FloatArray:
        return self.groups.accuracies(right, draws, votes)[self.groups.headline]

    def opinions(self) -> list[tuple[IntArray, FloatArray]]:
        """The pairs of each group, which are more or less easy to tell apart."""
        steps = np.array([0.0, 0.5, 1.0])
        return [
            (np.flatnonzero(self.by_group == name), steps) for name in sorted(self.groups.names)
        ]

    def reached(self, chances: FloatArray, counts: IntArray, drawn: IntArray) -> tuple[float, ...]:
        """The accuracy of who knows which caption more people prefer; and one rater's."""
        likely = np.sign(chances[:, 2] - chances[:, 0])
        preferred = np.sign(counts[:, 2] - counts[:, 0])
        decided = (preferred != 0).astype(np.float64)
        credit = np.where(likely == 0, 0.5, likely == preferred) * decided
        ceiling = self._accuracy(credit, decided, drawn[None])
        right, votes = _votes_beside_others(_written_out(counts, np.array([0.0, 0.5, 1.0])))
        return float(ceiling[0]), float(self._accuracy(right, votes, drawn[None])[0])


def _ceiling(compared: _OfRatings | _OfPairs, draws: IntArray, seed: int) -> tuple[Estimate, float]:
    """What a metric reaches that knows each caption's distribution, over drawn judgements."""
    name = "best possible metric"
    parts = compared.opinions()
    if any(len(steps) > MOST_STEPS for _, steps in parts):
        return Estimate(name, math.nan, np.empty(0)), math.nan
    fitted = [
        RatingMixture.fit(_counts(compared.said[rows], steps), steps) for rows, steps in parts
    ]
    order = np.argsort(np.concatenate([rows for rows, _ in parts]), kind="stable")
    n_images = draws.shape[1]

    def reached(rng: np.random.Generator, drawn: IntArray) -> tuple[float, ...]:
        both = [each.draw(rng) for each in fitted]
        chances, counts = (np.concatenate(each)[order] for each in zip(*both, strict=True))
        return compared.reached(chances, counts, drawn)

    def over(which: Iterator[IntArray]) -> FloatArray:
        rng = np.random.default_rng(seed)
        return np.array([reached(rng, drawn) for drawn in which]).reshape(-1, 2)

    every = np.ones(n_images, dtype=np.int64)
    values = over(every for _ in range(OPINIONS_DRAWN // 4)).mean(axis=0)
    drawn = over(iter(draws[:OPINIONS_DRAWN]))
    return Estimate(name, float(values[0]), drawn[:, 0]), float(values[1])


def _counts(said: FloatArray, steps: FloatArray) -> IntArray:
    """How often each step was given, one row a caption."""
    return np.stack([(said == step).sum(axis=1) for step in steps], axis=1)


def _written_out(counts: IntArray, steps: FloatArray) -> FloatArray:
    """Counts of steps as one column a rater."""
    totals = counts.sum(axis=1)
    said = np.full((len(counts), int(totals.max(initial=0))), np.nan)
    said[np.arange(said.shape[1]) < totals[:, None]] = np.repeat(
        np.tile(steps, len(counts)), counts.ravel()
    )
    return said


def _beside_others(said: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """The mean of all other ratings, each rating, and its row; of what several people rated."""
    given = np.isfinite(said)
    given &= (given.sum(axis=1) > 1)[:, None]
    rows, raters = np.nonzero(given)
    sums, counts = np.where(given, said, 0).sum(axis=1), given.sum(axis=1)
    y = said[rows, raters]
    return round_means((sums[rows] - y) / (counts[rows] - 1), said), y, rows


def _votes_beside_others(said: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each pair, how many votes are what most of the others say, and how many votes it has."""
    others, vote, rows = _beside_others(said)
    sides = np.sign(others - 0.5) * np.sign(vote - 0.5)
    right: FloatArray = np.bincount(rows, (1 + sides) / 2, len(said)).astype(np.float64)
    return right, np.bincount(rows, minlength=len(said)).astype(np.float64)
