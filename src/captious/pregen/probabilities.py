"""Word probabilities that a captioner gave to the reference captions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.checks.array_arguments import (
    as_booleans,
    as_floats,
    as_integers,
    check_flat,
)
from captious.errors import InputError
from captious.pregen.inputs import BoolArray, flatten_captions

ROUNDING = 1e-3  # above 1, which a softmax in half precision may give to a word it is sure of


@dataclass(frozen=True, eq=False)
class WordProbabilities:
    """Each reference word's probability, the end token's too, and whether it was ranked first.

    Flat arrays: caption i is `probabilities[caption_offsets[i]:caption_offsets[i + 1]]`, and image
    j owns the captions from `image_offsets[j]` to `image_offsets[j + 1]`.
    """

    probabilities: FloatArray
    is_first: BoolArray
    caption_offsets: IntArray
    image_offsets: IntArray
    images: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        columns = {
            "probabilities": as_floats(self.probabilities, "probabilities"),
            "is_first": as_booleans(self.is_first, "is_first"),
            "caption_offsets": as_integers(self.caption_offsets, "caption_offsets"),
            "image_offsets": as_integers(self.image_offsets, "image_offsets"),
        }
        for name, column in columns.items():
            object.__setattr__(self, name, check_flat(column, name))
        words = len(self.probabilities)
        if len(self.is_first) != words:
            raise InputError(f"{words} probabilities but {len(self.is_first)} of is_first")
        _check_offsets(self.caption_offsets, words, "caption", "words; count the end token, too")
        _check_offsets(self.image_offsets, self.n_captions, "image", "reference captions")
        if self.images is not None and len(self.images) != self.n_images:
            raise InputError(f"{len(self.images)} names of images for {self.n_images} images")
        clipped = _clip_probabilities(self.probabilities, self.caption_offsets)
        object.__setattr__(self, "probabilities", clipped)

    @property
    def n_captions(self) -> int:
        """How many reference captions there are."""
        return len(self.caption_offsets) - 1

    @property
    def n_images(self) -> int:
        """How many images there are."""
        return len(self.image_offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """Words of each caption, with the end token."""
        return np.diff(self.caption_offsets)

    def take_images(self, rows: Any) -> WordProbabilities:
        """The images of these numbers (from 0 on) with their captions, in that order."""
        rows = as_integers(rows, "images to take")
        if len(rows) and not (rows.min() >= 0 and rows.max() < self.n_images):
            raise InputError(f"images are numbered from 0 to {self.n_images - 1}")
        captions = Ragged(np.arange(self.n_captions), self.image_offsets).take(rows)
        words = Ragged(np.arange(len(self.probabilities)), self.caption_offsets)
        places = words.take(captions.values)
        names = None if self.images is None else tuple(self.images[row] for row in rows.tolist())
        return WordProbabilities(
            self.probabilities[places.values],
            self.is_first[places.values],
            places.offsets,
            captions.offsets,
            names,
        )

    @classmethod
    def of(
        cls,
        probabilities: Any,
        is_first: Any,
        *,
        lengths: Any = None,
        mask: Any = None,
        images: Any = None,
    ) -> WordProbabilities:
        """From padded arrays (NumPy's, PyTorch's) or from lists of different lengths.

        Arrays are captions x words with `images`, an id for each caption in any order, or images x
        references x words; `lengths` (end token included) or `mask` (true where a word stands)
        says what is padding, and an image may have fewer references than others. Lists are of
        images, captions and words, or with `images` of captions and words.
        """
        return cls.of_captions(
            *flatten_captions(probabilities, is_first, lengths=lengths, mask=mask, images=images)
        )

    @classmethod
    def of_captions(
        cls,
        probabilities: FloatArray,
        is_first: BoolArray,
        lengths: IntArray,
        images: Sequence[Hashable],
    ) -> WordProbabilities:
        """From captions one after another in flat arrays, each with its image's id, in any order.

        Images stand in the order in which they are first met.
        """
        if len(images) != len(lengths):
            raise InputError(f"{len(lengths)} captions but {len(images)} ids of images")
        offsets = offsets_of(lengths)
        if not len(probabilities) == len(is_first) == offsets[-1]:
            raise InputError(
                f"{len(probabilities)} probabilities and {len(is_first)} of is_first for captions "
                f"of {offsets[-1]} words in all"
            )
        codes: dict[Hashable, int] = {}
        owners = np.array([codes.setdefault(image, len(codes)) for image in images], np.int64)
        words = Ragged(np.arange(offsets[-1]), offsets).take(np.argsort(owners, kind="stable"))
        return cls(
            probabilities[words.values],
            is_first[words.values],
            words.offsets,
            offsets_of(np.bincount(owners, minlength=len(codes))),
            tuple(codes),
        )


def _check_offsets(offsets: IntArray, end: int, of: str, needed: str) -> None:
    if len(offsets) < 2:
        raise InputError(f"no {of}s: there is nothing to score")
    steps = np.diff(offsets)
    if offsets[0] != 0 or offsets[-1] != end or (steps < 0).any():
        raise InputError(f"{of}_offsets must ascend from 0 to {end}")
    if not steps.all():
        raise InputError(f"{of} {int(np.argmin(steps))} has no {needed}")


def _clip_probabilities(given: FloatArray, caption_offsets: IntArray) -> FloatArray:
    """Probabilities from 0 to 1; what rounding put above is 1."""
    if given.min() >= 0 and given.max() <= 1:  # not so if any is NaN
        return given
    wrong = np.flatnonzero(~((given >= 0) & (given <= 1 + ROUNDING)))
    if len(wrong):
        caption = int(np.searchsorted(caption_offsets, wrong[0], side="right")) - 1
        word = int(wrong[0] - caption_offsets[caption])
        raise InputError(
            f"caption {caption}, word {word}: {given[wrong[0]]} is no probability "
            "(give probabilities from 0 to 1, not their logarithms)"
        )
    return np.minimum(given, 1.0)
