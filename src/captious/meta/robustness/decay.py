"""Decay: how a metric's score falls as captions are transformed more and more, and the area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.intervals import PERCENTILE, Interval, ResampledSums
from captious.resampling import RESAMPLES, SEED


@dataclass(frozen=True)
class DecayRow:
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

    def to_dict(self) -> dict[str, Any]:
        """The row as `--format json` prints it."""
        intervals = {name: list(bounds) for name, bounds in self.interval.items()}
        return {**vars(self), "interval": intervals, "worst": self.worst}


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
            f"{metric}: human captions score {human.mean():g} on average, so that nothing can be "
            "measured by it"
        )
    n_images = int(images.max()) + 1
    points = [human, *(point for name in scores for point in scores[name])]
    sums = [np.bincount(images, point, n_images) for point in points]
    statistics = np.column_stack(sums).astype(np.float64)
    widths = np.array(strengths, np.float64) / 100
    curves = _curves(statistics.sum(axis=0), len(scores))
    resampled = ResampledSums(
        statistics, partial(_areas_of_sums, list(scores), widths), resamples, seed
    )
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
    summary = {"average": areas.mean(axis=-1), "worst": areas.max(axis=-1)}
    return {**dict(zip(names, np.moveaxis(areas, -1, 0), strict=True)), **summary}
