"""How alike a system's captions of one image are: means over images, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.diagnostics.diversity.mbleu import mbleu_4
from captious.diagnostics.diversity.same_image import SameImage, images_with_several
from captious.diagnostics.diversity.self_cider import SelfCider
from captious.diagnostics.diversity.systems import System, Systems
from captious.stats.bootstrap import sum_by_image
from captious.stats.intervals import Interval, ResampledSums

SELF_CIDER, MBLEU_4 = LIKENESS = ("self_cider", "mbleu_4")


@dataclass(frozen=True)
class Likeness:
    """A mean over images, with its interval."""

    score: float
    interval: Interval


def likeness(
    systems: Systems,
    system: System,
    self_cider: SelfCider | None,
    method: str,
    resamples: int,
    seed: int,
) -> dict[str, Likeness]:
    """Self-CIDEr, if its n-grams can be weighed, and mBLEU; nothing without several captions."""
    several = images_with_several(system.rows)
    if not len(several):
        return {}
    every = SameImage(systems.pool, system.rows.take(several))
    scores: dict[str, list[FloatArray]] = {name: [] for name in LIKENESS}
    prepared = None if self_cider is None else self_cider.prepare(systems.pool)
    for images in every.in_blocks():
        in_order = images.in_order_of_text()
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
