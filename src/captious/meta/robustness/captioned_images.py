"""Images with the captions that people gave them: what robustness is measured on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.checks.arguments import LIST, check_arguments
from captious.corpus import check_caption, ids_as_text
from captious.errors import InputError, short_repr
from captious.images.vectors import ImageVectors, vector_file
from captious.io.inputs import is_file, read_text
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, Sentence
from captious.text.tokenizer.tokenizer import tokenize_all

CAPTIONS = "Flickr8k.token.txt"
TEST_IMAGES = "Flickr_8k.testImages.txt"
FEATURES = "efficientnet_lite2.npz"
SOURCE = "the folder of Flickr8k (Hodosh et al. 2013) as it is distributed"


class Worsened(NamedTuple):
    """Captions made worse: the row of the human caption that each came from, and its text."""

    rows: IntArray
    texts: list[str]

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Worsened:
        """From what was made of every caption; nothing where nothing could be made."""
        made = [(row, text) for row, text in enumerate(texts) if text is not None]
        return cls(np.array([row for row, _ in made], np.int64), [text for _, text in made])


@dataclass(frozen=True, eq=False)
class CaptionedImages:
    """Human captions of many images, as tokens: a caption is a row, `images` has its image.

    `features` has one row per image, for metrics and distortions that need similar images.
    """

    names: list[str]
    images: IntArray
    tokens: list[list[str]]
    features: FloatArray | None = None

    @classmethod
    @check_arguments
    def of(
        cls, captions: Mapping[str, Sequence[str]], features: FloatArray | None = None
    ) -> CaptionedImages:
        """From the captions of each image, and image features in the same order."""
        for name, texts in captions.items():
            if not LIST.allows(texts) or len(texts) < 2:
                raise InputError(
                    f"image {short_repr(name)}: needs a list of two captions or more, as each "
                    "is scored "
                    "against the others"
                )
            for caption in texts:
                check_caption(name, caption)
        if not captions:
            raise InputError("no images: there is nothing to distort")
        if features is not None and len(features) != len(captions):
            raise InputError(f"{len(captions)} images but features of {len(features)}")
        names = list(ids_as_text(captions).values())
        counts = [len(texts) for texts in captions.values()]
        tokens = tokenize_all(chain.from_iterable(captions.values()))
        images = np.repeat(np.arange(len(counts)), counts)
        if [] in tokens:
            raise InputError(
                f"image {short_repr(names[images[tokens.index([])]])}: a caption has no words"
            )
        return cls(names, images, tokens, features)

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def texts(self) -> list[str]:
        """Each caption as its tokens with blanks between: what is scored and distorted."""
        return [" ".join(words) for words in self.tokens]

    @cached_property
    def rows_of_image(self) -> list[list[int]]:
        """The rows of each image's captions."""
        rows: list[list[int]] = [[] for _ in self.names]
        for row, image in enumerate(self.images.tolist()):
            rows[image].append(row)
        return rows

    @cached_property
    def image_names(self) -> list[str]:
        """The name of each caption's image, by which metrics that see images find it."""
        return [self.names[image] for image in self.images.tolist()]

    def others(self, row: int) -> list[int]:
        """The rows of the other captions of the same image."""
        return [other for other in self.rows_of_image[self.images[row]] if other != row]

    @cached_property
    def vocabulary(self) -> list[str]:
        """The different words of all captions, in order of the alphabet."""
        return sorted(set(chain.from_iterable(self.tokens)))

    @cached_property
    def words(self) -> Ragged:
        """Each caption's words as places in the vocabulary."""
        place = dict(zip(self.vocabulary, range(len(self.vocabulary)), strict=True))
        lengths = np.fromiter(map(len, self.tokens), np.int64, len(self))
        flat = map(place.__getitem__, chain.from_iterable(self.tokens))
        return Ragged(np.fromiter(flat, np.int64, int(lengths.sum())), offsets_of(lengths))

    @cached_property
    def sentences(self) -> list[Sentence | None]:
        """Each caption's parse; none for the few captions of several sentences."""
        unique, rows = unique_rows(self.texts)
        parses = Analysis(unique, "whitespace").layer(Parses).sentences
        return [
            parses[place][0]
            if len(parses[place]) == 1 and list(parses[place][0].words) == self.tokens[row]
            else None
            for row, place in enumerate(rows.tolist())
        ]


def read_flickr8k(folder: str | Path, images: int | None = None) -> CaptionedImages:
    """Flickr8k's test captions, or those of its first so many test images, with features.

    The features (`efficientnet_lite2.npz`: `files` and `features`) may be missing; only what needs
    neighbours of images asks for them.
    """
    folder = Path(folder)
    for name in (CAPTIONS, TEST_IMAGES):
        if not is_file(folder / name):
            raise InputError(f"{folder}: no {name} in it; give {SOURCE}")
    if images is not None and images < 1:
        raise InputError(f"a number of images is a whole number from 1 on, not {images}")
    names = read_text(folder / TEST_IMAGES).split()[:images]
    captions: dict[str, list[str]] = {name: [] for name in names}
    if len(captions) < len(names):
        twice, _ = Counter(names).most_common(1)[0]
        raise InputError(
            f"{folder / TEST_IMAGES}: image {short_repr(twice)} occurs twice; keep one"
        )
    for number, line in enumerate(read_text(folder / CAPTIONS).splitlines(), 1):
        key, tab, caption = line.partition("\t")
        if not tab:
            raise InputError(f"{folder / CAPTIONS}: line {number}: no tab between name and caption")
        if (name := key.partition("#")[0]) in captions:
            captions[name].append(caption)
    return CaptionedImages.of(captions, _read_features(folder / FEATURES, names))


def _read_features(path: Path, names: Sequence[str]) -> FloatArray | None:
    if not is_file(path):
        return None
    arrays = vector_file(ImageVectors.names_array).read(path)
    files, features = arrays[ImageVectors.names_array].tolist(), arrays["features"]
    place = dict(zip(files, range(len(files)), strict=True))
    if missing := [name for name in names if name not in place]:
        raise InputError(f"{path}: no features of image {missing[0]!r}")
    chosen: FloatArray = features[[place[name] for name in names]].astype(np.float64)
    return chosen
