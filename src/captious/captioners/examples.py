"""Training examples: token ids and image vectors, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.vocabulary import EDGE

PADDING = -1  # fills up the targets of shorter captions


class Batch(NamedTuple):
    """Batch of captions: the words that are read, and the target words."""

    rows: IntArray  # of the captions
    read: IntArray
    targets: IntArray


@dataclass(frozen=True, eq=False)
class Examples:
    """Tokenized captions; `image_of` has the row of each caption's image."""

    images: ImageVectors
    tokens: list[list[str]]
    image_of: IntArray

    @classmethod
    def of(cls, captions: Mapping[str, Sequence[str]], images: ImageVectors) -> Examples:
        """Create from the captions of each image, and vectors of at least these images."""
        if not captions:
            raise InputError("no captions to learn from")
        counts = [len(texts) for texts in captions.values()]
        tokens = tokenize_all(chain.from_iterable(captions.values()))
        image_of = np.repeat(np.arange(len(counts)), counts)
        return cls(images.take(list(captions)), tokens, image_of)

    def __len__(self) -> int:
        return len(self.tokens)


def batches(
    numbers: Ragged, size: int, chance: np.random.Generator | None = None
) -> Iterator[Batch]:
    """Yield batches of captions of similar length; with `chance`, in a random order."""
    shuffled = np.arange(len(numbers)) if chance is None else chance.permutation(len(numbers))
    order = shuffled[np.argsort(numbers.lengths[shuffled], kind="stable")]
    parts = [order[start : start + size] for start in range(0, len(order), size)]
    for place in range(len(parts)) if chance is None else chance.permutation(len(parts)):
        yield _batch(numbers, parts[place])


def _batch(numbers: Ragged, rows: IntArray) -> Batch:
    chosen = numbers.take(rows)
    lengths = chosen.lengths
    columns = np.arange(int(lengths.max(initial=0)) + 1)
    read = np.full((len(rows), len(columns)), EDGE, np.int64)
    read[:, 1:][columns[:-1] < lengths[:, None]] = chosen.values
    targets = np.full_like(read, PADDING)
    targets[:, :-1] = read[:, 1:]
    targets[columns == lengths[:, None]] = EDGE
    targets[columns > lengths[:, None]] = PADDING
    return Batch(rows, read, targets)
