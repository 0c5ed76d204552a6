"""CIDEr-D's length penalty, in a module of its own so that it can be used without CIDEr-D."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.samples import Samples

SIGMA = 6.0  # bigrams


def length_penalty(samples: Samples, sigma: float = SIGMA) -> FloatArray:
    """Return the Gaussian penalty of each pair of candidate and reference, from 0 to 1."""
    # The toolkit measures length in bigrams, so that captions of one word and none are alike.
    candidate = np.maximum(samples.candidate_lengths - 1, 0)[samples.pairs.owners]
    difference = candidate - np.maximum(samples.reference_lengths - 1, 0)
    penalty: FloatArray = np.exp(-(difference.astype(np.float64) ** 2) / (2 * sigma**2))
    return penalty
