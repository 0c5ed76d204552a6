"""A domain's captions, split into training, validation and test images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import offsets_of
from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens
from captious.training.caption_space import Images

MIN_CAPTIONS_PER_IMAGE = 3  # a candidate, a reference, and one that is held out
MAX_CAPTIONS_PER_IMAGE = 5  # that are used together
MIN_SHARE_OF_IMAGES = 0.8  # that have as many captions as are used together
MIN_IMAGES = 300  # with so many captions
# Images held out: a share of all, but no fewer and no more than so many.
VALIDATION_SIZE = (0.15, 100, 3000)
TEST_SIZE = (0.10, 50, 1000)


@dataclass(frozen=True, eq=False)
class CaptionSplit:
    """Images of one split: their names, captions, and the captions' words."""

    names: list[Any]
    texts: list[list[str]]
    words: Images

    def __len__(self) -> int:
        return len(self.names)

    @property
    def captions(self) -> list[list[str]]:
        """The words of every caption, image by image."""
        return list(chain.from_iterable(self.words))

    @property
    def number_of_captions(self) -> int:
        """The number of captions."""
        return sum(map(len, self.texts))


@dataclass(frozen=True, eq=False)
class DomainCaptions:
    """Disjoint splits of the images, and how many captions of an image are used together."""

    training: CaptionSplit
    validation: CaptionSplit  # when to stop, what order is usual, which weights features have
    test: CaptionSplit  # on which nothing was chosen
    few: CaptionSplit  # images with too few captions for a space: their words have an order, too
    captions_per_image: int


def split_captions(
    captions: Mapping[Any, Sequence[str]], tokenizer: str, seed: int
) -> DomainCaptions:
    """Tokenize captions and split the images at random, by the seed."""
    usable_names = [name for name in captions if len(captions[name]) >= MIN_CAPTIONS_PER_IMAGE]
    if len(usable_names) < MIN_IMAGES:
        raise InputError(
            f"{len(usable_names)} images with {MIN_CAPTIONS_PER_IMAGE} captions or more, of "
            f"{len(captions)}; a "
            f"domain is learned from {MIN_IMAGES} such images at least, better from thousands"
        )
    if len({caption for name in usable_names for caption in captions[name]}) < MIN_IMAGES:
        raise InputError(
            f"fewer than {MIN_IMAGES} different captions of {len(usable_names)} images, which "
            "cannot tell the images apart; are these the right captions?"
        )
    counts = np.array([len(captions[name]) for name in usable_names])
    captions_per_image = next(
        number
        for number in range(MAX_CAPTIONS_PER_IMAGE, 0, -1)
        if number == MIN_CAPTIONS_PER_IMAGE or (counts >= number).mean() >= MIN_SHARE_OF_IMAGES
    )
    usable = [name for name in usable_names if len(captions[name]) >= captions_per_image]
    order = np.random.default_rng(seed).permutation(len(usable)).tolist()
    shuffled = [usable[place] for place in order]
    n_test, n_validation = (
        _part_size(len(shuffled), *share) for share in (TEST_SIZE, VALIDATION_SIZE)
    )
    held_out = set(shuffled[: n_test + n_validation])
    used = set(usable)

    def part(names: list[Any]) -> CaptionSplit:
        return _tokenize_split(names, captions, tokenizer)

    return DomainCaptions(
        training=part([name for name in usable if name not in held_out]),
        validation=part(shuffled[n_test : n_test + n_validation]),
        test=part(shuffled[:n_test]),
        few=part([name for name in captions if name not in used]),
        captions_per_image=captions_per_image,
    )


def _part_size(images: int, share: float, fewest: int, most: int) -> int:
    return min(max(round(share * images), fewest), most)


def _tokenize_split(
    names: list[Any], captions: Mapping[Any, Sequence[str]], tokenizer: str
) -> CaptionSplit:
    texts = [list(captions[name]) for name in names]
    flat = list(chain.from_iterable(texts))
    # Every caption is a row of its own here, also where two say the same.
    words = Analysis(flat, tokenizer).layer(Tokens).words
    ends = offsets_of(np.array(list(map(len, texts)), np.int64)).tolist()
    return CaptionSplit(names, texts, [words[start:end] for start, end in pairwise(ends)])
