"""Decay: how a metric's score falls as captions are transformed more and more, and the area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.meta.robustness.percentiles import percentile_intervals
from captious.resampling import RESAMPLES, SEED, bootstrap


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
    interval: dict[str, tuple[float, float]]
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
    names = list(scores)
    widths = np.array(strengths, np.float64) / 100
    curves = _curves(statistics.sum(axis=0)[None], len(names))
    observed = _areas(curves, widths)[0]
    drawn = _areas(_curves(bootstrap(statistics, resamples, seed), len(names)), widths)
    shown = [*names, "average", "worst"]
    return DecayRow(
        metric,
        kind,
        dict(zip(shown, observed.tolist(), strict=True)),
        dict(zip(shown, percentile_intervals(drawn), strict=True)),
        dict(zip(names, curves[0].tolist(), strict=True)),
    )


def _curves(sums: FloatArray, transformations: int) -> FloatArray:
    """Scores over the human captions': resample, transformation, strength."""
    human = sums[:, :1]
    over = np.divide(sums[:, 1:], human, out=np.full_like(sums[:, 1:], np.nan), where=human > 0)
    return over.reshape(len(sums), transformations, -1)


def _areas(curves: FloatArray, strengths: FloatArray) -> FloatArray:
    """The area under each curve, their average, and the largest, which is the worst."""
    heights = (curves[..., 1:] + curves[..., :-1]) / 2
    areas = heights @ np.diff(strengths)
    return np.column_stack([areas, areas.mean(axis=1), areas.max(axis=1)])
