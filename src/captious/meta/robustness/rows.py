"""Rows of robustness: what a metric made of captions worsened in one way, with intervals.

Of a forced choice, how often it prefers the human caption; of captions that are transformed more
and more, how its score falls, and the area under that curve.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.meta.robustness.captioned_images import Worsened
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE, Interval, ResampledSums


class Row(ABC):
    """One metric's figures for one kind of worsened captions."""

    @property
    @abstractmethod
    def worst(self) -> str:
        """The task that the metric does worst."""

    def to_dict(self) -> dict[str, Any]:
        """The row as `--format json` prints it."""
        return {**nan_to_none(vars(self)), "worst": self.worst}


@dataclass(frozen=True)
class ChoiceRow(Row):
    """One metric's accuracy in each kind of choice, on average, and in the worst.

    A tie counts one half; `ties` has the share of them. `ratio` is the mean score of the worsened
    captions over that of the human ones: above 1, the metric takes them for better.
    """

    metric: str
    kind: str
    accuracy: dict[str, float]
    interval: dict[str, Interval]
    ties: dict[str, float]
    ratio: dict[str, float | None]  # none where the human captions score 0
    n: dict[str, int]

    @property
    def worst(self) -> str:
        """The kind of choice that the metric gets wrong most often."""
        return min(self.n, key=self.accuracy.__getitem__)


@dataclass(frozen=True)
class DecayRow(Row):
    """One metric's area under the curve for each transformation; lower is more robust.

    As in LEIC (Cui et al. 2018, section 3.4): a point of a curve is the mean score of all captions
    transformed with that strength, divided by the mean score of the human captions, so that every
    curve begins at 1. The area is taken over strengths from 0 to 1 by the trapezium rule: 1 is a
    metric that notices nothing. The means are of single captions' scores, not corpus scores.
    """

    metric: str
    kind: str
    auc: dict[str, float]
    interval: dict[str, Interval]
    curves: dict[str, list[float]]

    @property
    def worst(self) -> str:
        """The transformation that the metric notices least."""
        return max(self.curves, key=self.auc.__getitem__)


def choice_row(
    metric: str,
    kind: str,
    human: FloatArray,
    worsened: Mapping[str, Worsened],
    scores: Mapping[str, FloatArray],
    images: IntArray,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    method: str = PERCENTILE,
) -> ChoiceRow:
    """Accuracies of one metric, with intervals over resampled images.

    `human` has the score of each human caption, `images` its image, `scores` those of the worsened
    captions.
    """
    names = [name for name in worsened if len(worsened[name].rows)]
    n_images = int(images.max()) + 1
    columns: list[FloatArray] = []
    ties: dict[str, float] = {}
    ratio: dict[str, float | None] = {}
    for name in names:
        rows = worsened[name].rows
        difference = human[rows] - scores[name]
        tied = difference == 0
        won = np.where(tied, 0.5, difference > 0)
        columns.append(np.bincount(images[rows], won, n_images).astype(np.float64))
        columns.append(np.bincount(images[rows], minlength=n_images).astype(np.float64))
        ties[name] = float(tied.mean())
        mean = float(human[rows].mean())
        ratio[name] = float(scores[name].mean()) / mean if mean else None
    sums = np.column_stack(columns)
    resampled = ResampledSums(sums, partial(_accuracies, names), resamples, seed)
    return ChoiceRow(
        metric,
        kind,
        {name: float(share) for name, share in resampled.observed.items()},
        resampled.intervals(method),
        ties,
        ratio,
        {name: len(worsened[name].rows) for name in names},
    )


def _accuracies(names: list[str], sums: FloatArray) -> dict[str, FloatArray]:
    """Accuracies from sums of choices won and choices made, with their average and worst case."""
    won, made = sums[..., ::2], sums[..., 1::2]
    shares = np.divide(won, made, out=np.full(made.shape, np.nan), where=made > 0)
    # Images drawn again may have no choice of a kind: then nothing is known of the summary either.
    return _summarize(names, shares, np.minimum)


def decay_row(
    metric: str,
    kind: str,
    human: FloatArray,
    scores: Mapping[str, Sequence[FloatArray]],
    strengths: Sequence[int],
    images: IntArray,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    method: str = PERCENTILE,
) -> DecayRow:
    """Curves and areas of one metric, with intervals over resampled images.

    `scores` has, for each transformation, the scores of all captions at each strength (per cent),
    the first of which must be 0 and the last 100.
    """
    if not human.mean() > 0:
        raise InputError(
            f"{metric}: human captions score {human.mean():g} on average, so that scores cannot "
            "be normalized by it"
        )
    n_images = int(images.max()) + 1
    points = [human, *(point for name in scores for point in scores[name])]
    sums = [np.bincount(images, point, n_images) for point in points]
    statistics = np.column_stack(sums).astype(np.float64)
    widths = np.array(strengths, np.float64) / 100
    curves = _curves(statistics.sum(axis=0), len(scores))
    areas = partial(_areas_of_sums, list(scores), widths)
    resampled = ResampledSums(statistics, areas, resamples, seed)
    return DecayRow(
        metric,
        kind,
        {name: float(area) for name, area in _areas(curves, list(scores), widths).items()},
        resampled.intervals(method),
        dict(zip(scores, curves.tolist(), strict=True)),
    )


def _areas_of_sums(
    names: list[str], strengths: FloatArray, sums: FloatArray
) -> dict[str, FloatArray]:
    return _areas(_curves(sums, len(names)), names, strengths)


def _curves(sums: FloatArray, transformations: int) -> FloatArray:
    """Scores over the human captions': resample, transformation, strength."""
    human, worsened = sums[..., :1], sums[..., 1:]
    over = np.divide(worsened, human, out=np.full_like(worsened, np.nan), where=human > 0)
    return over.reshape(*sums.shape[:-1], transformations, -1)


def _areas(curves: FloatArray, names: list[str], strengths: FloatArray) -> dict[str, FloatArray]:
    """The area under each curve, their average, and the largest, which is the worst."""
    heights = (curves[..., 1:] + curves[..., :-1]) / 2
    areas = heights @ np.diff(strengths)
    return _summarize(names, areas, np.maximum)


def _summarize(names: list[str], figures: FloatArray, worst: np.ufunc) -> dict[str, FloatArray]:
    """Figures by name, with their average and the worst of them."""
    summary = {"average": figures.mean(axis=-1), "worst": worst.reduce(figures, axis=-1)}
    return {**dict(zip(names, np.moveaxis(figures, -1, 0), strict=True)), **summary}
