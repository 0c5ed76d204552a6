"""A critic's training data: human and machine captions of the same images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray, offsets_of
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.metrics.leic.recipe import CAPTIONER_NEGATIVES
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.vocabulary import Vocabulary
from captious.training.checkpoint import training_key
from captious.training.critics.negatives import EncodedCaptions


@dataclass(frozen=True, eq=False)
class Tokens:
    """Captions in words; those of image i are `words[offsets[i]:offsets[i + 1]]`."""

    words: list[list[str]]
    offsets: IntArray

    @classmethod
    def of(cls, captions: Sequence[Sequence[str]]) -> Tokens:
        """From the captions of each image."""
        lengths = np.fromiter(map(len, captions), np.int64, len(captions))
        return cls(tokenize_all(chain.from_iterable(captions)), offsets_of(lengths))

    def to_ids(self, vocabulary: Vocabulary) -> EncodedCaptions:
        """Return the captions as word ids."""
        images = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return EncodedCaptions(vocabulary.encode(self.words), images)


@dataclass(frozen=True, eq=False)
class CriticCaptions:
    """People's captions of images, two or more of each, and machines' by their kind."""

    names: tuple[str, ...]
    people: Tokens
    machines: dict[str, Tokens]
    images: ImageVectors | None = None  # in the order of the names

    @classmethod
    def of(
        cls,
        people: Mapping[str, Sequence[str]],
        machines: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        images: ImageVectors | None = None,
    ) -> CriticCaptions:
        """From captions of each image; `machines` has them by kind (`machine`, `sampled`)."""
        if not people:
            raise InputError("no captions to learn from")
        for name, captions_of_people in people.items():
            if len(captions_of_people) < 2:
                raise InputError(
                    f"image {name!r}: needs two human captions or more: one is judged with "
                    "another as reference"
                )
        written: dict[str, Tokens] = {}
        for kind, captions in (machines or {}).items():
            if kind not in CAPTIONER_NEGATIVES:
                raise InputError(f"machine captions are of kind {' or '.join(CAPTIONER_NEGATIVES)}")
            for name in people:
                if not captions.get(name):
                    raise InputError(f"image {name!r}: no captions of kind {kind!r}")
            written[kind] = Tokens.of([captions[name] for name in people])
        seen = None if images is None else images.take(list(people))
        return cls(tuple(people), Tokens.of(list(people.values())), written, seen)

    @property
    def key(self) -> str:
        """A hash of the captions and image vectors."""
        parts: list[Any] = [self.names]
        for kind, tokens in {"people": self.people, **self.machines}.items():
            parts += [[kind, tokens.words], tokens.offsets]
        return training_key(*parts, *([] if self.images is None else [self.images.vectors]))
