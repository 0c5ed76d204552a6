"""Forced choice: how often a metric prefers the human caption to one made worse of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.intervals import PERCENTILE, Interval, ResampledSums
from captious.meta.robustness.captioned_images import Worsened
from captious.resampling import RESAMPLES, SEED

EQUAL = 1e-12  # scores that differ by no more differ by rounding


@dataclass(frozen=True)
class ChoiceRow:
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

    def to_dict(self) -> dict[str, Any]:
        """The row as `--format json` prints it."""
        intervals = {name: list(bounds) for name, bounds in self.interval.items()}
        return {**vars(self), "interval": intervals, "worst": self.worst}


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
        tied = np.abs(difference) <= EQUAL
        won = np.where(tied, 0.5, difference > 0)
        columns.append(np.bincount(images[rows], won, n_images).astype(np.float64))
        columns.append(np.bincount(images[rows], minlength=n_images).astype(np.float64))
        ties[name] = float(tied.mean())
        mean = float(human[rows].mean())
        ratio[name] = float(scores[name].mean()) / mean if mean else None
    resampled = ResampledSums(
        np.column_stack(columns), partial(_accuracies, names), resamples, seed
    )
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
    summary = {"average": shares.mean(axis=-1), "worst": shares.min(axis=-1)}
    return {**dict(zip(names, np.moveaxis(shares, -1, 0), strict=True)), **summary}
