"""A critic's training data: human and machine captions of images, and negatives drawn from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import (
    FloatArray,
    IntArray,
    Ragged,
    concatenate_ragged,
    offsets_of,
)
from captious.errors import InputError
from captious.images.vectors import ImageVectors, nearest_images
from captious.metrics.leic.recipe import CAPTIONER_NEGATIVES, CriticRecipe
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.transformations import permute_words, replace_words
from captious.text.vocabulary import SPECIAL, UNKNOWN, Vocabulary
from captious.training.checkpoint import training_key


@dataclass(frozen=True, eq=False)
class EncodedCaptions:
    """Captions as word ids, and the image of each, in the order of the images."""

    word_ids: Ragged
    images: IntArray

    @property
    def rows_of_image(self) -> IntArray:
        """The first row of each image's captions and, last, the end of all."""
        return offsets_of(np.bincount(self.images))

    @property
    def max_captions_per_image(self) -> int:
        """The largest number of captions of an image."""
        return int(np.bincount(self.images).max())


class Negatives:
    """Captions that a critic learns to distinguish from human ones, drawn anew for each epoch.

    Strengths of permuted and replaced words are squares of even chances, so that half of them lie
    below 25%: two changed words are harder to see than ten; the released code has even chances. A
    caption of another image comes from any other or, where the recipe says `similar`, from the
    nearest by the image vectors, of which an even chance says how many.
    """

    def __init__(
        self,
        people: EncodedCaptions,
        machines: Mapping[str, EncodedCaptions],
        recipe: CriticRecipe,
        n_known: int,
        n_words: int,
        features: FloatArray | None = None,
    ) -> None:
        """`n_words` words may replace others; the first `n_known` of them have ids of their own."""
        shares = {
            kind: share
            for kind, share in recipe.others.items()
            if share > 0 and (kind not in CAPTIONER_NEGATIVES or kind in machines)
        }
        if not shares:
            raise InputError(
                "no negatives: give machine captions, or a share above 0 to a transformation"
            )
        self._people, self._machines = people, machines
        self._n_known, self._n_words = n_known, n_words
        self._starts = people.rows_of_image
        if len(self._starts) < 3 and "random_caption" in shares:
            raise InputError("captions of other images need two images or more")
        self._power = 1 if recipe.as_released else 2
        self._kinds = tuple(shares)
        self._shares = np.array(list(shares.values())) / sum(shares.values())
        similar = recipe.similar and "random_caption" in shares
        self._nearest = nearest_images(features) if similar else None

    def draw(self, rows: IntArray, rng: np.random.Generator) -> Ragged:
        """Draw one negative for each of these human captions."""
        kinds = rng.choice(len(self._kinds), size=len(rows), p=self._shares)
        order = np.argsort(kinds, kind="stable")
        counts = np.bincount(kinds, minlength=len(self._kinds))
        parts = [
            self._draw_of_kind(kind, rows[places], rng)
            for kind, places in zip(
                self._kinds, np.split(order, np.cumsum(counts)[:-1]), strict=True
            )
            if len(places)
        ]
        return concatenate_ragged(parts).take(np.argsort(order, kind="stable"))

    def _draw_of_kind(self, kind: str, rows: IntArray, rng: np.random.Generator) -> Ragged:
        if kind in self._machines:
            machine_captions, images = self._machines[kind], self._people.images[rows]
            return machine_captions.word_ids.take(
                draw_one_per_image(machine_captions.rows_of_image, images, rng)
            )
        if kind == "random_caption":
            images = self._other_images(self._people.images[rows], rng)
            return self._people.word_ids.take(draw_one_per_image(self._starts, images, rng))
        captions = self._people.word_ids.take(rows)
        strengths = np.ceil(100 * rng.random(len(rows)) ** self._power).astype(np.int64)
        if kind == "word_permutation":
            return permute_words(captions, strengths, rng)
        # All words, the most frequent first: those after the known ones are the unknown word.
        places = np.where(captions.values == UNKNOWN, self._n_known, captions.values - len(SPECIAL))
        drawn = replace_words(
            Ragged(places, captions.offsets), self._n_words, strengths, rng
        ).values
        numbers = np.where(drawn < self._n_known, drawn + len(SPECIAL), UNKNOWN)
        return Ragged(np.where(drawn == places, captions.values, numbers), captions.offsets)

    def _other_images(self, images: IntArray, rng: np.random.Generator) -> IntArray:
        number = len(self._starts) - 1
        if self._nearest is None:
            drawn: IntArray = (images + rng.integers(1, number, size=len(images))) % number
            return drawn
        choice = np.ceil(rng.random(len(images)) * (number - 1)).astype(np.int64)
        return np.asarray(self._nearest[images, rng.integers(np.maximum(choice, 1))])


def draw_one_per_image(starts: IntArray, images: IntArray, rng: np.random.Generator) -> IntArray:
    """Draw the row of one caption of each image."""
    counts = starts[images + 1] - starts[images]
    rows: IntArray = starts[images] + rng.integers(counts)
    return rows


def draw_other_captions(
    people: EncodedCaptions, rows: IntArray, rng: np.random.Generator
) -> IntArray:
    """Draw for each caption the row of another caption of its image."""
    starts = people.rows_of_image
    images = people.images[rows]
    counts = starts[images + 1] - starts[images]
    step = rng.integers(1, counts)
    drawn: IntArray = starts[images] + (rows - starts[images] + step) % counts
    return drawn


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
        machine_tokens: dict[str, Tokens] = {}
        for kind, captions in (machines or {}).items():
            if kind not in CAPTIONER_NEGATIVES:
                raise InputError(f"machine captions are of kind {' or '.join(CAPTIONER_NEGATIVES)}")
            for name in people:
                if not captions.get(name):
                    raise InputError(f"image {name!r}: no captions of kind {kind!r}")
            machine_tokens[kind] = Tokens.of([captions[name] for name in people])
        image_vectors = None if images is None else images.take(list(people))
        return cls(tuple(people), Tokens.of(list(people.values())), machine_tokens, image_vectors)

    @property
    def key(self) -> str:
        """A hash of the captions and image vectors."""
        parts: list[Any] = [self.names]
        for kind, tokens in {"people": self.people, **self.machines}.items():
            parts += [[kind, tokens.words], tokens.offsets]
        return training_key(*parts, *([] if self.images is None else [self.images.vectors]))
