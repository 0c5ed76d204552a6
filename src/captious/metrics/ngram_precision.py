"""n-gram precision and unigram recall: shares of n-grams that candidate and reference have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.ngram_matches import clipped_matches, ngram_matches, ngram_totals
from captious.samples import Samples


@dataclass(frozen=True)
class NgramPrecision(Metric):
    """Clipped matches over n-grams for each order on its own, without BLEU's brevity penalty."""

    name = "ngram_precision"
    description = "share of the candidate's n-grams found in the references, clipped"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The precision of each order; 0 for a candidate too short to have such an n-gram."""
        return mean_statistics(clipped_matches(samples) / np.maximum(ngram_totals(samples), 1))


@dataclass(frozen=True)
class UnigramRecall(Metric):
    """Words common to candidate and reference (counts clipped) over the reference's words."""

    name = "unigram_recall"
    description = "share of a reference's words found in the candidate, best reference"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The best recall over the references; an empty reference recalls nothing."""
        matches = ngram_matches(samples)
        common = np.minimum(matches.count[matches.entry], matches.reference_count)
        of_words = common * (matches.order[matches.entry] == 0)
        recalled = np.bincount(matches.pair, weights=of_words, minlength=len(samples.pairs.values))
        recall = recalled / np.maximum(samples.reference_lengths, 1)
        return mean_statistics(np.maximum.reduceat(recall, samples.pairs.offsets[:-1]))
