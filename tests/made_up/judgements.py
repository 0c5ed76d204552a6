"""Judgements made up for tests: only what people said matters, not the captions."""

from __future__ import annotations

import numpy as np

from captious.meta.judgements import Preferences, Ratings


def ratings_of(values, images=None, groups=None) -> Ratings:
    """Ratings with one row a caption, each of an image of its own unless told."""
    values = np.asarray(values, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    n = len(values)
    return Ratings(
        ["a dog"] * n,
        [["a cat"]] * n,
        list(range(n)) if images is None else list(images),
        values,
        ["all"] * n if groups is None else list(groups),
    )


def preferences_of(preferred, groups=None, images=None) -> Preferences:
    """Preferences between two captions, each pair of an image of its own unless told."""
    n = len(preferred)
    return Preferences(
        [("a dog", "a cat")] * n,
        [["a cat"]] * n,
        list(range(n)) if images is None else list(images),
        np.array(preferred),
        ["all"] * n if groups is None else list(groups),
    )
