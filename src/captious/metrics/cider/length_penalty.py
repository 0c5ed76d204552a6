"""CIDEr-D's penalty on length: what it leaves of a candidate beside a reference."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.samples import Samples

SIGMA = 6.0  # bigrams


def length_penalty(samples: Samples, sigma: float = SIGMA) -> FloatArray:
    """What is left of each pair of candidate and reference, from 0 to 1."""
    # The toolkit measures length in bigrams, so that captions of one word and none are alike.
    candidate = np.maximum(samples.candidate_lengths - 1, 0)[samples.pairs.owners]
    difference = candidate - np.maximum(samples.reference_lengths - 1, 0)
    kept: FloatArray = np.exp(-(difference.astype(np.float64) ** 2) / (2 * sigma**2))
    return kept
