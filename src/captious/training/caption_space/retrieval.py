"""Retrieval: how often a caption finds its image by the centroid of the other captions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    Vectors,
    caption_vectors,
    normalize,
)
from captious.training.caption_space.captions import Images


class RetrievalScores(NamedTuple):
    """Recall at 1 and mean reciprocal rank of a caption's own image among all."""

    first: float
    reciprocal_rank: float

    def __str__(self) -> str:
        return f"{self.first:.4f} first, {self.reciprocal_rank:.4f} reciprocal rank"


def evaluate_retrieval(placed: Vectors) -> RetrievalScores:
    """Evaluate caption vectors, indexed by image, caption of the image, and dimension."""
    found = []
    together = placed.sum(axis=1)
    for place in range(placed.shape[1]):
        scores = placed[:, place] @ normalize(together - placed[:, place]).T
        ranks = (scores > scores.diagonal()[:, None]).sum(axis=1) + 1
        found.append(((ranks == 1).mean(), (1 / ranks).mean()))
    return RetrievalScores(*np.mean(found, axis=0).tolist())


def evaluate_space(space: CaptionSpace, images: Images, several: int) -> RetrievalScores:
    """Evaluate the first `several` captions of each image in a caption space."""
    captions = [" ".join(caption) for image in images for caption in image[:several]]
    rows = np.arange(len(captions))
    vectors = caption_vectors(Analysis(captions, "whitespace"), space, rows)
    return evaluate_retrieval(vectors.reshape(len(images), several, -1))
