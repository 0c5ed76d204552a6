"""Captions that say what an earlier one said, but for case, punctuation and spaces."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from captious.streaming.filtering.selection import Numbers64, hashes_of
from captious.streaming.filtering.values import Flags

_PERSON = b"captious same"


def normalize_caption(caption: str) -> str:
    """A caption without what never matters: case, forms of letters, punctuation, spaces."""
    text = unicodedata.normalize("NFKC", caption).casefold()
    if not text.isascii() or not text.replace(" ", "").isalnum():
        # Marks belong to letters: in Hindi the vowels are marks.
        text = "".join(
            letter if letter.isalnum() or unicodedata.category(letter)[0] == "M" else " "
            for letter in text
        )
    return " ".join(text.split()) or caption.strip()


def text_hashes(captions: Sequence[str], images: Sequence[str] | None) -> Numbers64:
    """What stands for each caption's plain text, or for it and its image."""
    texts = [normalize_caption(caption) for caption in captions]
    if images is not None:
        texts = [f"{len(image)} {image} {text}" for image, text in zip(images, texts, strict=True)]
    return hashes_of([text.encode("utf-8", "surrogatepass") for text in texts], _PERSON)


@dataclass
class SeenCaptions:
    """The hashes of all captions so far: some 120 bytes for each that is different."""

    hashes: set[bytes] = field(default_factory=set)

    def are_new(self, hashes: Numbers64) -> Flags:
        """Whether each is met for the first time, and from now on not any more."""
        new = np.zeros(len(hashes), np.bool_)
        for row, each in enumerate(hashes):
            key = each.tobytes()
            if key not in self.hashes:
                self.hashes.add(key)
                new[row] = True
        return new
