"""CLIPScore and RefCLIPScore as arithmetic over vectors (Hessel et al., 2021)."""

from __future__ import annotations

import numpy as np

from captious.ragged import FloatArray, IntArray

WEIGHT = 2.5  # brings CLIPScore to about 0 … 1


def clip_scores(cosines: FloatArray) -> FloatArray:
    """CLIPScore from the cosine between each caption and its image: 2.5 · max(cosine, 0)."""
    scores: FloatArray = WEIGHT * np.maximum(cosines, 0.0)
    return scores


def ref_clip_scores(scores: FloatArray, cosines: FloatArray, offsets: IntArray) -> FloatArray:
    """RefCLIPScore from CLIPScores and the cosines of each caption with its references, in a row.

    The harmonic mean of a caption's CLIPScore and max(cosine with the nearest reference, 0);
    `offsets` says where each caption's references begin, and, last, where they end.
    """
    nearest = np.maximum(np.maximum.reduceat(cosines, offsets[:-1]), 0.0)
    total = scores + nearest
    means: FloatArray = 2 * scores * nearest / np.where(total > 0, total, 1.0)
    return means
