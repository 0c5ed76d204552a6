"""n-gram precision: the share of the candidate's n-grams that are found in the references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.ngram_matches import clipped_matches, ngram_totals
from captious.samples import Samples
from captious.text.ngrams import MAX_ORDER

ORDERS = range(1, MAX_ORDER + 1)


@dataclass(frozen=True)
class NgramPrecision(Metric):
    """Clipped matches over n-grams for each order on its own, without BLEU's brevity penalty."""

    name = "ngram_precision"
    columns = tuple(f"ngram_precision_{n}" for n in ORDERS)
    description = "share of the candidate's n-grams found in the references, clipped"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The precision of each order; 0 for a candidate too short to have such an n-gram."""
        return averaged(clipped_matches(samples) / np.maximum(ngram_totals(samples), 1))
