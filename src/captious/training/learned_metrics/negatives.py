"""Negatives: captions that a learned metric learns to score low, from machines or corrupted.

A machine's caption of another image has a machine's style and wrong content. So had, as a rule, the
captions that the papers learned from: their machines were trained on one collection of images and
run on another.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray, offsets_of
from captious._internal.checks.arguments import check_choice
from captious.errors import InputError, short_repr
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import other_words
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.transformations import TRANSFORMATIONS
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    Vectors,
    caption_vectors,
    centroids,
)

MAX_NEIGHBOURS = 20  # images that count as similar
BATCH_IMAGES = 512  # bounds memory


def similar_images(
    human: Mapping[Any, Sequence[str]], images: Sequence[Hashable], among: Sequence[Hashable]
) -> dict[Hashable, list[int]]:
    """Return for each image the indices of the nearest other images in `among`, nearest first.

    Images are compared by the centroids of their captions.
    """
    all_images = list(dict.fromkeys((*among, *images)))  # those to choose among first
    row = {image: number for number, image in enumerate(all_images)}
    space = CaptionSpace.load()
    centroids_of_images = np.concatenate(
        [_centroids(human, batch, space) for batch in _batches(all_images)]
    )
    nearest: dict[Hashable, list[int]] = {}
    for batch in _batches(images):
        rows = np.array([row[image] for image in batch])
        similarity = centroids_of_images[rows] @ centroids_of_images[: len(among)].T
        is_among = np.flatnonzero(rows < len(among))
        similarity[is_among, rows[is_among]] = -np.inf
        top = _top_k(similarity, min(MAX_NEIGHBOURS, len(among) - 1))
        nearest.update(zip(batch, top.tolist(), strict=True))
    return nearest


def _batches(images: Sequence[Hashable]) -> list[Sequence[Hashable]]:
    return [images[start : start + BATCH_IMAGES] for start in range(0, len(images), BATCH_IMAGES)]


def _centroids(
    human: Mapping[Any, Sequence[str]], images: Sequence[Hashable], space: CaptionSpace
) -> Vectors:
    """The centroid of each image's captions."""
    unique, rows = unique_rows([caption for image in images for caption in human[image]])
    vectors = caption_vectors(Analysis(unique), space, rows)
    return centroids(vectors, offsets_of(np.array([len(human[image]) for image in images])))


def _top_k(values: Vectors, number: int) -> IntArray:
    """The indices of the largest values of each row, the largest first."""
    batch = np.argpartition(-values, number - 1, axis=1)[:, :number]
    order = np.argsort(-np.take_along_axis(values, batch, axis=1), axis=1, kind="stable")
    top: IntArray = np.take_along_axis(batch, order, axis=1)
    return top


Machines = Mapping[str, Mapping[Any, str | Sequence[str]]]  # by name, captions of each image
Negative = tuple[str, str]  # whose it is, and the caption

MACHINE, MACHINE_OTHER, MACHINE_SIMILAR = "machine", "machine_other", "machine_similar"
MACHINE_KINDS = (MACHINE, MACHINE_OTHER, MACHINE_SIMILAR)


class MachineCaptions:
    """Machine captions by image, from which negatives are drawn.

    Other images are any in `human` that a machine has a caption of: which of them are similar does
    not depend on how many images are trained on.
    """

    def __init__(
        self,
        machines: Machines,
        human: Mapping[Any, Sequence[str]],
        images: Sequence[Hashable],
        kinds: Sequence[str],
        rng: np.random.Generator,
    ) -> None:
        self._machines, self._rng = machines, rng
        self._captioned: list[Hashable] = [image for image in human if self._captions_of(image)]
        others = [kind for kind in kinds if kind in (MACHINE_OTHER, MACHINE_SIMILAR)]
        if others and len(self._captioned) < 2:
            raise InputError(
                f"{others[0]}: needs a machine's captions of two images or more, not of "
                f"{len(self._captioned)}"
            )
        similar = MACHINE_SIMILAR in kinds
        self._similar = similar_images(human, images, self._captioned) if similar else {}

    def draw(self, image: Hashable, most: int) -> list[Negative]:
        """Machine captions of the image in random order, at most `most`."""
        captions = self._captions_of(image)
        order = self._rng.permutation(len(captions))[:most].tolist()
        return [captions[place] for place in order]

    def draw_from_another(self, image: Hashable, kind: str) -> Negative:
        """Draw a machine caption of a similar image, or of any other."""
        if kind == MACHINE_SIMILAR:
            other, whose = self._captioned[self._choose(self._similar[image])], "a similar image"
        else:
            other, whose = image, "another image"
            while other == image:
                other = self._choose(self._captioned)
        name, caption = self._choose(self._captions_of(other))
        return f"{name} of {whose}", caption

    def _captions_of(self, image: Hashable) -> list[Negative]:
        """All machine captions of an image."""
        return [
            (name, caption)
            for name, by_image in self._machines.items()
            for caption in _as_list(by_image.get(image, ()))
        ]

    def _choose(self, items: Sequence[Any]) -> Any:
        return items[int(self._rng.integers(len(items)))]


def _as_list(captions: str | Sequence[str]) -> Sequence[str]:
    """Return one or several captions as a list."""
    return [captions] if isinstance(captions, str) else captions


HUMAN, RANDOM_CAPTION = "human", "random_caption"
KINDS = (*MACHINE_KINDS, *TRANSFORMATIONS)
# What `captious train` takes unless told: chosen by tools/choose_negatives.py, see docs/learned.md.
MACHINE_DEFAULT: Mapping[str, float] = {MACHINE_OTHER: 2, RANDOM_CAPTION: 2, "word_permutation": 1}
NO_MACHINE_DEFAULT: Mapping[str, float] = {RANDOM_CAPTION: 4, "word_permutation": 1}


def default_mixture(with_machines: bool) -> dict[str, float]:
    """Return the mixture of kinds of negatives that is taken unless told."""
    return dict(MACHINE_DEFAULT if with_machines else NO_MACHINE_DEFAULT)


def check_mixture(mixture: Mapping[str, float]) -> dict[str, float]:
    """Return shares that add up to one, without the kinds that have none."""
    for kind, share in mixture.items():
        check_choice("unknown negatives", kind, KINDS)
        if not isinstance(share, int | float) or not 0 <= share < float("inf"):
            raise InputError(f"{kind}: a share is a number from 0 on, not {short_repr(share)}")
    total = sum(mixture.values())
    if not total:
        raise InputError("no negatives: give at least one kind a share above 0")
    return {kind: share / total for kind, share in mixture.items() if share}


class NegativeSampler:
    """Draws negatives by a mixture of kinds from human and machine captions of many images.

    Captions of other images are drawn evenly from all other images, permuted and replaced words as
    the transformations of the robustness tests have them.
    """

    def __init__(
        self,
        human: Mapping[Any, Sequence[str]],
        machines: MachineCaptions,
        shares: Mapping[str, float],
        strength: int,
        rng: np.random.Generator,
    ) -> None:
        if not isinstance(strength, int) or not 1 <= strength <= 100:
            raise InputError(f"a strength lies between 1 and 100%, not {short_repr(strength)}")
        self._human, self._machines = human, machines
        self._images = list(human)
        self._kinds, self._shares = list(shares), list(shares.values())
        self._rng = rng
        self._corrupted: dict[str, dict[Hashable, list[str]]] = {
            kind: self._corrupt(kind, strength)
            for kind in shares
            if kind in ("word_permutation", "random_word")
        }
        if RANDOM_CAPTION in shares and len(human) < 2:
            raise InputError("captions of other images need two images or more")

    def negatives(self, image: Hashable, number: int) -> list[Negative]:
        """Draw negatives for an image, each with its source; machine captions may run out."""
        machine_captions = self._machines.draw(image, number)
        kinds = self._rng.choice(len(self._kinds), size=number, p=self._shares)
        drawn: list[Negative] = []
        for place in kinds.tolist():
            kind = self._kinds[place]
            if kind == MACHINE:
                if machine_captions:
                    drawn.append(machine_captions.pop())
            elif kind in MACHINE_KINDS:
                drawn.append(self._machines.draw_from_another(image, kind))
            elif kind == RANDOM_CAPTION:
                drawn.append((kind, self._human_caption_of_another(image)))
            else:
                drawn.append((kind, self._choose(self._corrupted[kind][image])))
        return drawn

    def _choose(self, captions: Sequence[str]) -> str:
        return captions[int(self._rng.integers(len(captions)))]

    def _human_caption_of_another(self, image: Hashable) -> str:
        other = image
        while other == image:
            other = self._images[int(self._rng.integers(len(self._images)))]
        return self._choose(self._human[other])

    def _corrupt(self, kind: str, strength: int) -> dict[Hashable, list[str]]:
        """Corrupt every caption by one transformation."""
        data = CaptionedImages.of({str(image): texts for image, texts in self._human.items()})
        texts = other_words(data, kind, strength, self._rng)
        corrupted: dict[Hashable, list[str]] = {image: [] for image in self._images}
        for row, image in enumerate(data.images.tolist()):
            corrupted[self._images[image]].append(texts[row])
        return corrupted
