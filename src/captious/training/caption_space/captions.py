"""Training captions as words and as word ids, image by image."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of

Images = list[list[list[str]]]  # the tokens of each caption of each image


def count_words(images: Images) -> Counter[str]:
    """Count how often each word occurs."""
    return Counter(word for captions in images for caption in captions for word in caption)


@dataclass(frozen=True, eq=False)
class NumberedCaptions:
    """Captions as word ids, one image's after another's; `several` of each image are used."""

    words: Ragged  # one row a caption
    first: IntArray  # row of each image, and the end
    several: int

    @classmethod
    def of(cls, images: Images, number: Mapping[str, int], several: int) -> NumberedCaptions:
        """Unknown words are left out; every image has `several` captions or more."""
        rows = [
            [number[word] for word in caption if word in number]
            for caption in chain.from_iterable(images)
        ]
        flat = np.array([word for row in rows for word in row], np.int64)
        words = Ragged(flat, offsets_of(np.array([len(row) for row in rows], np.int64)))
        return cls(words, offsets_of(np.array(list(map(len, images)), np.int64)), several)

    def __len__(self) -> int:
        return len(self.first) - 1

    @property
    def arrays(self) -> tuple[IntArray, ...]:
        """The arrays that identify these captions."""
        return self.words.values, self.words.offsets, self.first

    def select_images(self, chosen: IntArray, rng: np.random.Generator | None = None) -> Ragged:
        """The captions of some images: the first `several`, or as many drawn at random."""
        places = np.arange(self.several)
        rows = self.first[chosen][:, None] + places
        if rng is not None and (np.diff(self.first) > self.several).any():
            numbers = np.diff(self.first)[chosen].tolist()
            rows = rows - places
            rows = rows + [rng.choice(number, self.several, replace=False) for number in numbers]
        return self.words.take(rows.ravel())
