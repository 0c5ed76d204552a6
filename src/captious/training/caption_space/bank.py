"""The bank of other images: centroids of the captions of some images that were learned from."""

from __future__ import annotations

import numpy as np

from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors, centroids
from captious.text.vectors.word_vectors import WordVectors
from captious.training.caption_space.captions import Images

NAME = "captions-others"
SIZE = 1000  # images


def bank_of(images: Images, space: CaptionSpace, size: int, seed: int) -> WordVectors:
    """The centroids of so many images, drawn at random, in a space."""
    chosen = np.random.default_rng(seed).choice(len(images), size, replace=False).tolist()
    captions = [" ".join(caption) for image in chosen for caption in images[image]]
    # One caption may be given twice; every row is one all the same.
    vectors = caption_vectors(Analysis(captions, "whitespace"), space, np.arange(len(captions)))
    together = centroids(vectors, np.cumsum([0, *(len(images[image]) for image in chosen)]))
    return WordVectors.in_bytes(NAME, [str(number) for number in range(size)], together)
