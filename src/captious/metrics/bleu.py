"""BLEU-1 to BLEU-4, with the COCO toolkit's closest reference length and smoothing constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.metrics.base import Metric, StatisticRules
from captious.metrics.ngram_matches import clipped_matches, ngram_totals
from captious.samples import Samples
from captious.text.ngrams import MAX_ORDER

ORDERS = range(1, MAX_ORDER + 1)
TINY, SMALL = 1e-15, 1e-9


def closest_reference_length(samples: Samples) -> IntArray:
    """Return the reference length closest to the candidate's; of two, the shorter."""
    reference = samples.reference_lengths
    distance = np.abs(reference - samples.candidate_lengths[samples.pairs.owners])
    # One integer orders by distance first and by length among equals.
    scale = int(reference.max(initial=0)) + 1
    closest = np.minimum.reduceat(distance * scale + reference, samples.pairs.offsets[:-1])
    length: IntArray = closest % scale
    return length


@dataclass(frozen=True)
class Bleu(Metric):
    """Clipped n-gram precision up to order k, its geometric mean, and a penalty for brevity."""

    name = "bleu"
    description = "n-gram precision with a brevity penalty (Papineni et al., 2002)"
    statistic_names = (
        *(f"correct_{n}" for n in ORDERS),
        *(f"total_{n}" for n in ORDERS),
        "length",
        "reference_length",
    )
    statistic_rules = StatisticRules.of_counts(
        statistic_names,
        *(((f"correct_{n}",), f"total_{n}") for n in ORDERS),
        *(((f"total_{n}",), "length") for n in ORDERS),
    )

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """Clipped matches and n-grams of each order, and both lengths."""
        columns = [
            clipped_matches(samples),
            ngram_totals(samples),
            samples.candidate_lengths,
            closest_reference_length(samples),
        ]
        return np.column_stack(columns).astype(np.float64)

    def scores(self, statistics: FloatArray) -> FloatArray:
        """BLEU of each order from counts, of a caption or of a corpus."""
        correct, total = statistics[..., :MAX_ORDER], statistics[..., MAX_ORDER:-2]
        precisions = np.cumprod((correct + TINY) / (total + SMALL), axis=-1)
        ratio = (statistics[..., -2:-1] + TINY) / (statistics[..., -1:] + SMALL)
        penalty = np.exp(np.minimum(0.0, 1.0 - 1.0 / ratio))
        scores: FloatArray = precisions ** (1.0 / np.arange(1, MAX_ORDER + 1)) * penalty
        return scores

    def depends_on(self) -> dict[str, Any]:
        """The maximal order, the reference length and the smoothing constant."""
        return {"n": 4, "length": "closest", "smoothing": TINY}
