"""Similar images: those whose human captions are nearest in the caption space."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray, offsets_of
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    Vectors,
    caption_vectors,
    centroids,
)

MAX_NEIGHBOURS = 20  # images that count as similar
BATCH_IMAGES = 512  # bounds memory


def similar_images(
    human: Mapping[Any, Sequence[str]], images: Sequence[Hashable], among: Sequence[Hashable]
) -> dict[Hashable, list[int]]:
    """Return for each image the indices of the nearest other images in `among`, nearest first.

    Images are compared by the centroids of their captions.
    """
    every = list(dict.fromkeys((*among, *images)))  # those to choose among first
    row = {image: number for number, image in enumerate(every)}
    space = CaptionSpace.load()
    places = np.concatenate([_centroids(human, some, space) for some in _batches(every)])
    nearest: dict[Hashable, list[int]] = {}
    for some in _batches(images):
        rows = np.array([row[image] for image in some])
        likeness = places[rows] @ places[: len(among)].T
        itself = np.flatnonzero(rows < len(among))
        likeness[itself, rows[itself]] = -np.inf
        near = _top_k(likeness, min(MAX_NEIGHBOURS, len(among) - 1))
        nearest.update(zip(some, near.tolist(), strict=True))
    return nearest


def _batches(images: Sequence[Hashable]) -> list[Sequence[Hashable]]:
    return [images[start : start + BATCH_IMAGES] for start in range(0, len(images), BATCH_IMAGES)]


def _centroids(
    human: Mapping[Any, Sequence[str]], images: Sequence[Hashable], space: CaptionSpace
) -> Vectors:
    """The centroid of each image's captions."""
    unique, rows = unique_rows([caption for image in images for caption in human[image]])
    vectors = caption_vectors(Analysis(unique), space, rows)
    return centroids(vectors, offsets_of(np.array([len(human[image]) for image in images])))


def _top_k(values: Vectors, number: int) -> IntArray:
    """The indices of the largest values of each row, the largest first."""
    some = np.argpartition(-values, number - 1, axis=1)[:, :number]
    order = np.argsort(-np.take_along_axis(values, some, axis=1), axis=1, kind="stable")
    near: IntArray = np.take_along_axis(some, order, axis=1)
    return near
