"""Agreement of metrics with people, with intervals from one set of resampled images."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.checks.bounds import Confidence, DrawsOrNone, Seed
from captious.errors import InputError, short_repr
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.accuracy import MEAN, PairGroups, pair_credits
from captious.meta.judgements import (
    Judgements,
    Preferences,
    Ratings,
    Votes,
    number_images,
    votes_of,
)
from captious.meta.protocol import IMAGE_PAIRS, PAIRWISE, Protocol
from captious.registry import orient_scores
from captious.stats.bootstrap import RESAMPLES, SEED, jackknife_counts
from captious.stats.correlation import STATISTICS, correlations, tied_share
from captious.stats.intervals import LEVEL, PERCENTILE, Estimate, Interval
from captious.stats.pairwise_accuracy import accuracy_over_all_pairs, accuracy_within_images
from captious.stats.resampled_correlation import ResampledCorrelation, draw_images

Scores = Mapping[str, FloatArray]
LeftOut = Callable[[str], FloatArray]  # a statistic without each image in turn


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(TabularResult):
    """One metric's agreement with people.

    `values` has all correlations, or the accuracy of each group and their mean. What is
    undefined (the correlation of constant scores) is NaN here and null in JSON. `ties` is the share
    of pairs of captions to which the metric gives equal scores: of all that can be made, or of
    those that people compared. Scores no farther apart than `epsilon` count as tied in pairwise
    accuracy, where that was asked for.
    """

    metric: str
    values: Mapping[str, float]
    n: int  # ratings or pairs compared
    ties: float
    draws: Mapping[str, FloatArray]  # each value over resampled images
    left_out: LeftOut | None = None
    epsilon: float | None = None
    images: int | None = None  # drawn from

    def estimate(self, statistic: str) -> Estimate:
        """A value with all that its interval follows from."""
        check_choice("unknown statistic", statistic, self.values)
        left_out = self.left_out and partial(self.left_out, statistic)
        name = f"{self.metric}'s {statistic}"
        value, draws = self.values[statistic], self.draws[statistic]
        return Estimate(name, value, draws, left_out, self.images)

    @check_arguments
    def interval(
        self, statistic: str, level: Confidence = LEVEL, *, method: str = PERCENTILE
    ) -> Interval:
        """The bootstrap interval by `percentile`, `bca` or `t`; NaN where it is undefined."""
        return self.estimate(statistic).interval(level, method)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the draws."""
        interval = {name: self.interval(name) for name in self.values}
        known = {"metric": self.metric, **self.values, "n": self.n, "ties": self.ties}
        if self.epsilon is not None:
            known["epsilon"] = self.epsilon
        row: dict[str, Any] = nan_to_none({**known, "interval": interval})
        return row

    def as_tables(self) -> list[OutputTable]:
        """One row a statistic, with its interval."""
        rows = []
        for name, value in self.values.items():
            low, high = map(format_share, self.interval(name))
            rows.append([name, format_share(value), "-" if low == "-" else f"{low} to {high}"])
        return [OutputTable([self.metric, "value", "95% interval"], rows)]

    def notes_below(self) -> list[str]:
        """How much was compared."""
        return [f"n {self.n:,}, ties {format_share(self.ties)}"]

    def brief(self) -> list[str]:
        """The metric and its values."""
        values = (f"{name} {format_share(value)}" for name, value in self.values.items())
        return [self.metric, *values, *self.notes_below()]

    def records(self) -> list[dict[str, Any]]:
        """One row."""
        return [self.to_dict()]


@dataclass(frozen=True, eq=False, repr=False)
class Agreements(TabularResult):
    """How well each metric agrees with the same judgements; `statistic` is the one that counts."""

    rows: tuple[Agreement, ...]
    statistic: str  # `mean` or `total` for accuracies
    of_pairs: bool  # preferences, not ratings
    resamples: int
    seed: int

    def __getitem__(self, metric: str) -> Agreement:
        for row in self.rows:
            if row.metric == metric:
                return row
        names = ", ".join(row.metric for row in self.rows)
        raise InputError(f"no metric named {short_repr(metric)} was compared; there are: {names}")

    def best_first(self, statistic: str | None = None) -> list[Agreement]:
        """The rows by a statistic, the headline's unless another is named; undefined ones last."""
        name = statistic or self.statistic
        return sorted(self.rows, key=lambda row: -np.nan_to_num(row.values[name], nan=-np.inf))

    @property
    def draws(self) -> dict[str, FloatArray]:
        """Each metric's headline statistic over the same resamples."""
        return {row.metric: row.draws[self.statistic] for row in self.rows}

    def to_dict(self) -> dict[str, Any]:
        """Everything but the draws, as `--format json` prints it."""
        rows = [
            {
                "metric": row.metric,
                **({"accuracy": row.values} if self.of_pairs else row.values),
                "n": row.n,
                "ties": row.ties,
                **({} if row.epsilon is None else {"epsilon": row.epsilon}),
                "interval": {name: row.interval(name) for name in row.values},
            }
            for row in self.rows
        ]
        stated = {"statistic": self.statistic, "resamples": self.resamples, "seed": self.seed}
        return {**stated, "rows": nan_to_none(rows)}

    def as_tables(self) -> list[OutputTable]:
        """One row a metric, the best first, one column a statistic."""
        names = [*self.rows[0].values] if self.rows else []
        rows = [
            [row.metric, *(format_share(row.values[name]) for name in names), f"{row.n:,}"]
            for row in self.best_first()
        ]
        return [OutputTable(["metric", *names, "n"], rows)]

    def brief(self) -> list[str]:
        """The statistic that counts, best metric first."""
        rows = (
            f"{row.metric} {format_share(row.values[self.statistic])}" for row in self.best_first()
        )
        return [self.statistic, *rows]


def format_share(value: float) -> str:
    """Format a number between -1 and 1, with a dash where it is undefined."""
    return "-" if math.isnan(value) else f"{value:.3f}"


@check_arguments
def agree(
    scores: Scores,
    judgements: Judgements,
    protocol: Protocol | None = None,
    *,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
) -> Agreements:
    """Compare scores with judgements: one number a caption, or for preferences two a pair.

    Intervals come from images drawn with replacement, all captions of an image together, in the
    same draws for all metrics. Without resamples (0) there are no intervals.
    """
    protocol = protocol or Protocol()
    check_scores(scores, judgements, protocol)
    scores = orient_all_scores(scores)
    if isinstance(judgements, Preferences):
        return _agree_on_pairs(scores, judgements, protocol, resamples, seed)
    votes = votes_of(judgements, protocol.raters)
    images, n_images = number_images([judgements.images[row] for row in votes.captions])
    draws = _draw_images(n_images, resamples, seed)
    rows = _agree_on_ratings(scores, votes, images, draws, protocol.statistic)
    return Agreements(rows, protocol.statistic, False, resamples, seed)


@check_arguments
def agree_by_group(
    scores: Scores,
    judgements: Ratings,
    protocol: Protocol | None = None,
    *,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
) -> dict[str, Agreements]:
    """Compare scores with the ratings of each group by itself; `mean` is the mean over groups."""
    protocol = protocol or Protocol()
    check_scores(scores, judgements, protocol)
    scores = orient_all_scores(scores)
    votes = votes_of(judgements, protocol.raters)
    images, n_images = number_images([judgements.images[row] for row in votes.captions])
    draws = _draw_images(n_images, resamples, seed)
    groups = np.array([judgements.groups[row] for row in votes.captions])
    parts = {}
    for group in dict.fromkeys(groups.tolist()):
        inside = groups == group
        part = Votes(votes.captions[inside], votes.values[inside], votes.weights[inside])
        # Groups may share images: they are drawn together, and each sees its own.
        seen, numbers = np.unique(images[inside], return_inverse=True)
        rows = _agree_on_ratings(scores, part, numbers, draws, protocol.statistic, seen)
        parts[group] = Agreements(rows, protocol.statistic, False, resamples, seed)
    if MEAN in parts:
        raise InputError(f"a group cannot be named {MEAN!r}: it is the mean over groups")
    means = tuple(map(_mean_agreement, zip(*(part.rows for part in parts.values()), strict=True)))
    parts[MEAN] = Agreements(means, protocol.statistic, False, resamples, seed)
    return parts


def _mean_agreement(rows: tuple[Agreement, ...]) -> Agreement:
    """One metric's mean over groups, each group counting alike."""
    return Agreement(
        rows[0].metric,
        {name: float(np.mean([row.values[name] for row in rows])) for name in rows[0].values},
        sum(row.n for row in rows),
        float(np.mean([row.ties for row in rows])),
        {name: np.mean([row.draws[name] for row in rows], axis=0) for name in rows[0].values},
        partial(_mean_left_out, rows),
        images=rows[0].images,
    )


def _mean_left_out(rows: tuple[Agreement, ...], statistic: str) -> FloatArray:
    mean: FloatArray = np.mean([row.estimate(statistic).jackknife() for row in rows], axis=0)
    return mean


def _agree_on_ratings(
    scores: Scores,
    votes: Votes,
    images: IntArray,
    draws: IntArray,
    statistic: str,
    seen: IntArray | slice = slice(None),
) -> tuple[Agreement, ...]:
    """One row a metric; `images` are places among those that are `seen` of all that are drawn.

    Pairwise accuracy, dearer than all correlations, is computed if it is the one that counts.
    """
    resampled = ResampledCorrelation(votes.values, votes.weights, images, draws[:, seen])
    captions = np.unique(votes.captions)
    rows = []
    for metric, column in scores.items():
        x = np.asarray(column, dtype=np.float64)
        ties = tied_share(x[captions])
        x = x[votes.captions]
        values = correlations(x, votes.values, votes.weights)
        left_out = partial(_correlation_left_out, x, votes, images, draws.shape[1], seen)
        drawn = resampled.correlations(x)
        row = Agreement(metric, values, votes.n, ties, drawn, left_out, images=draws.shape[1])
        if statistic in PAIRWISE:
            row = _with_pairwise(row, x, votes, images, draws, statistic, seen)
        rows.append(row)
    return tuple(rows)


def _with_pairwise(
    row: Agreement,
    x: FloatArray,
    votes: Votes,
    images: IntArray,
    draws: IntArray,
    statistic: str,
    seen: IntArray | slice,
) -> Agreement:
    """A row with pairwise accuracy, first of all; epsilon is not chosen anew for each resample."""
    one_per_caption, places = (
        votes.one_per_caption(),
        np.unique(votes.captions, return_index=True)[1],
    )
    calibrated_over = (
        accuracy_within_images if statistic == IMAGE_PAIRS else accuracy_over_all_pairs
    )
    n_images = draws[:, seen].shape[1]
    calibrated = calibrated_over(x[places], one_per_caption.values, images[places], n_images)

    def left_out(name: str) -> FloatArray:
        if name != statistic and row.left_out is not None:
            return row.left_out(name)
        blocks = jackknife_counts(draws.shape[1])
        return np.concatenate([calibrated.over(block[:, seen]) for block in blocks])

    return replace(
        row,
        values={statistic: calibrated.value, **row.values},
        draws={statistic: calibrated.over(draws[:, seen]), **row.draws},
        left_out=left_out,
        epsilon=calibrated.epsilon,
    )


def _correlation_left_out(
    x: FloatArray,
    votes: Votes,
    images: IntArray,
    n_images: int,
    seen: IntArray | slice,
    statistic: str,
) -> FloatArray:
    """A correlation without each image in turn, exactly: as a resample that has all others."""
    parts = (
        ResampledCorrelation(votes.values, votes.weights, images, block[:, seen])
        for block in jackknife_counts(n_images)
    )
    return np.concatenate([part.correlations(x, (statistic,))[statistic] for part in parts])


def _agree_on_pairs(
    scores: Scores, judgements: Preferences, protocol: Protocol, resamples: int, seed: int
) -> Agreements:
    groups = PairGroups.of(judgements, protocol)
    draws = _draw_images(groups.n_images, resamples, seed)
    every = np.ones((1, groups.n_images))
    rows = []
    for metric, column in scores.items():
        x = np.asarray(column, dtype=np.float64)
        earned = pair_credits(x, judgements, protocol)
        values = {name: float(share[0]) for name, share in groups.accuracies(earned, every).items()}
        ties = float((x[:, 0] == x[:, 1]).mean())
        drawn = groups.accuracies(earned, draws)
        left_out = partial(_accuracy_left_out, earned, groups)
        rows.append(
            Agreement(
                metric, values, len(judgements), ties, drawn, left_out, images=groups.n_images
            )
        )
    return Agreements(tuple(rows), groups.headline, True, resamples, seed)


def _accuracy_left_out(earned: FloatArray, groups: PairGroups, statistic: str) -> FloatArray:
    blocks = jackknife_counts(groups.n_images)
    return np.concatenate([groups.accuracies(earned, block)[statistic] for block in blocks])


def orient_all_scores(scores: Scores) -> dict[str, FloatArray]:
    """Return scores of which higher ones are better; others are reversed."""
    return {name: orient_scores(name, np.asarray(column)) for name, column in scores.items()}


def _draw_images(n_images: int, resamples: int, seed: int) -> IntArray:
    # One image is always drawn as it is, which says nothing about another sample.
    return draw_images(n_images, resamples if n_images > 1 else 0, seed)


def check_scores(scores: Scores, judgements: Judgements, protocol: Protocol) -> None:
    """Raise if scores cannot be compared with judgements."""
    if not scores:
        raise InputError("no scores: name at least one metric")
    if isinstance(judgements, Ratings) and protocol.statistic not in (*STATISTICS, *PAIRWISE):
        raise InputError(
            f"protocol {protocol.name!r}: {protocol.statistic} is of preferences, and these are "
            f"ratings; choose one of: {', '.join((*STATISTICS, *PAIRWISE))}"
        )
    shape = (len(judgements), *judgements.score_shape[1:])
    form = "two a pair" if isinstance(judgements, Preferences) else "one"
    for metric, column in scores.items():
        x = np.asarray(column, dtype=np.float64)
        if x.shape != shape:
            raise InputError(f"{metric}: scores of shape {x.shape}; give {form}, {shape} in all")
        if not np.isfinite(x).all():
            row = int(np.argwhere(~np.isfinite(x))[0][0])
            raise InputError(f"{metric}: the score of row {row} is {x[row]}; it must be finite")
