"""Unigram recall: the share of a reference's words that the candidate has, best reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.ngram_matches import ngram_matches
from captious.samples import Samples


@dataclass(frozen=True)
class UnigramRecall(Metric):
    """Words common to candidate and reference (counts clipped) over the reference's words."""

    name = "unigram_recall"
    columns = ("unigram_recall",)
    description = "share of a reference's words found in the candidate, best reference"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The best recall over the references; an empty reference recalls nothing."""
        matches = ngram_matches(samples)
        common = np.minimum(matches.count[matches.entry], matches.reference_count)
        of_words = common * (matches.order[matches.entry] == 0)
        recalled = np.bincount(matches.pair, weights=of_words, minlength=len(samples.pairs.values))
        recall = recalled / np.maximum(samples.reference_lengths, 1)
        return averaged(np.maximum.reduceat(recall, samples.pairs.offsets[:-1]))
