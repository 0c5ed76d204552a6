"""Similarity of a system's captions of one image: self-CIDEr and mBLEU, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.diagnostics.diversity.self_cider import SelfCider
from captious.diagnostics.diversity.systems import (
    CaptionsByImage,
    System,
    Systems,
    images_with_several,
)
from captious.metrics.bleu import Bleu
from captious.stats.bootstrap import sum_by_image
from captious.stats.intervals import Interval, ResampledSums


def mbleu_4(images: CaptionsByImage) -> FloatArray:
    """For each image, the mean BLEU-4 of its captions, each against all others."""
    bleu = Bleu()
    scores = bleu.scores(bleu.statistics(images.beside_others, None))[:, -1]
    sums = np.bincount(images.rows.owners, scores, len(images.rows))
    means: FloatArray = sums / images.rows.lengths
    return means


SELF_CIDER, MBLEU_4 = LIKENESS_MEASURES = ("self_cider", "mbleu_4")


@dataclass(frozen=True)
class Likeness:
    """A mean over images, with its interval."""

    score: float
    interval: Interval


def measure_likeness(
    systems: Systems,
    system: System,
    self_cider: SelfCider | None,
    method: str,
    resamples: int,
    seed: int,
) -> dict[str, Likeness]:
    """Compute mBLEU and, where possible, self-CIDEr; empty without several captions an image."""
    several = images_with_several(system.rows)
    if not len(several):
        return {}
    every = CaptionsByImage(systems.pool, system.rows.take(several))
    scores: dict[str, list[FloatArray]] = {name: [] for name in LIKENESS_MEASURES}
    prepared = None if self_cider is None else self_cider.prepare(systems.pool)
    for images in every.in_blocks():
        in_order = images.sorted_by_text()
        if self_cider is not None and prepared is not None:
            compared = images if self_cider.depends_on_order else in_order
            scores[SELF_CIDER].append(self_cider.scores(compared, prepared))
        scores[MBLEU_4].append(mbleu_4(in_order))
    known = {name: np.concatenate(parts) for name, parts in scores.items() if parts}
    rows = np.column_stack([*known.values(), np.ones(len(several))])
    ids = [system.ids[image] for image in several.tolist()]
    resampled = ResampledSums(
        sum_by_image(ids, rows), partial(_means, tuple(known)), resamples, seed
    )
    estimates = {name: resampled[name] for name in known}
    return {
        name: Likeness(each.observed, each.interval(method=method))
        for name, each in estimates.items()
    }


def _means(names: tuple[str, ...], sums: FloatArray) -> dict[str, FloatArray]:
    return {name: sums[..., place] / sums[..., -1] for place, name in enumerate(names)}
