"""Judgements made up for tests: only what people said matters, not the captions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from captious.meta.judgements import Preferences, Ratings


def ratings_of(
    values: ArrayLike, images: Iterable[Hashable] | None = None, groups: Iterable[str] | None = None
) -> Ratings:
    """Ratings with one row a caption, each of an image of its own unless told."""
    columns = np.asarray(values, dtype=float)
    columns = columns[:, None] if columns.ndim == 1 else columns
    n = len(columns)
    return Ratings(
        ["a dog"] * n,
        [["a cat"]] * n,
        list(range(n)) if images is None else list(images),
        columns,
        ["all"] * n if groups is None else list(groups),
    )


def preferences_of(
    preferred: ArrayLike,
    groups: Iterable[str] | None = None,
    images: Iterable[Hashable] | None = None,
) -> Preferences:
    """Preferences between two captions, each pair of an image of its own unless told."""
    places = np.array(preferred)
    n = len(places)
    return Preferences(
        [("a dog", "a cat")] * n,
        [["a bird"]] * n,
        list(range(n)) if images is None else list(images),
        places,
        ["all"] * n if groups is None else list(groups),
    )
