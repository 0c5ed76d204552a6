"""Captions as a critic reads them: the words that it knows, cut where it stops, side by side."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.metrics.variants import PAPER
from captious.text.vocabulary import EDGE

PADDING = EDGE  # after a caption's end, where nothing is read


def truncate(numbers: Ragged, longest: int) -> Ragged:
    """Truncate captions to `longest` words."""
    lengths = np.minimum(numbers.lengths, longest)
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1]) + np.repeat(numbers.offsets[:-1] - offsets[:-1], lengths)
    return Ragged(numbers.values[places], offsets)


def has_end_token(lengths: IntArray, longest: int, variant: str) -> IntArray:
    """Return which captions, of so many words before truncation, have a vector.

    The released code reads that many steps in all, and a caption whose end comes later has zeros
    in place of its vector. Here the paper's critic reads the end after the last word kept.
    """
    if variant == PAPER:
        return np.ones(len(lengths), np.bool_)
    return lengths < longest


def pad_captions(numbers: Ragged) -> IntArray:
    """Return a row a caption with its end token, padded to one length."""
    lengths = numbers.lengths
    columns = np.arange(int(lengths.max(initial=0)) + 1)
    rows = np.full((len(numbers), len(columns)), PADDING, np.int64)
    rows[columns < lengths[:, None]] = numbers.values
    return rows
