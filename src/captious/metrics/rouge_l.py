"""ROUGE-L: the longest common subsequence, as the COCO toolkit weighs it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.bounds import Bounds
from captious._internal.loops.lcs import lcs_lengths
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.parameters import parameter
from captious.samples import Samples
from captious.text.tokens import Tokens

BETA = 1.2


def lcs_of_pairs(samples: Samples, candidates: Tokens, references: Tokens) -> IntArray:
    """The length of the longest common subsequence of each pair of candidate and reference."""
    lengths = np.zeros(len(samples.pairs.values), np.int64)
    longest = int(references.ids.lengths_at(samples.pairs.values).max(initial=0))
    lcs_lengths(
        candidates.ids.values.data,
        candidates.ids.offsets.data,
        references.ids.values.data,
        references.ids.offsets.data,
        samples.rows[samples.pairs.owners].data,
        samples.pairs.values.data,
        np.zeros(candidates.size, np.uint64).data,
        np.zeros(longest, np.uint64).data,
        lengths.data,
    )
    return lengths


@dataclass(frozen=True)
class RougeL(Metric):
    """F-measure of the longest common subsequence, precision and recall each the best reference's.

    The toolkit splits an empty caption into one empty word, and so finds two empty captions equal.
    """

    beta: float = parameter(
        BETA, "the weight of recall relative to precision", bounds=Bounds(0, 1e6, with_most=True)
    )

    name = "rouge_l"
    description = "longest common subsequence, F-measure with beta 1.2 (Lin, 2004)"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        candidates = samples.candidates.layer(Tokens)
        references = samples.references.analysis.layer(Tokens)
        candidate = candidates.ids.lengths_at(samples.rows)[samples.pairs.owners]
        reference = references.ids.lengths_at(samples.pairs.values)
        both_empty = (candidate == 0) & (reference == 0)
        common = lcs_of_pairs(samples, candidates, references) + both_empty
        starts = samples.pairs.offsets[:-1]
        precision = np.maximum.reduceat(common / np.maximum(candidate, 1), starts)
        recall = np.maximum.reduceat(common / np.maximum(reference, 1), starts)
        weighted = recall + self.beta**2 * precision
        score = (1 + self.beta**2) * precision * recall / np.where(weighted > 0, weighted, 1.0)
        return mean_statistics(score)
