"""Negatives: captions that a learned metric learns to score low, from machines or corrupted."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from captious._internal.checks.choices import check_choice
from captious.errors import InputError, short_repr
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import other_words
from captious.text.transformations import TRANSFORMATIONS
from captious.training.learned_metrics.machines import (
    MACHINE,
    MACHINE_KINDS,
    MachineCaptions,
    Negative,
)

HUMAN = "human"
KINDS = (*MACHINE_KINDS, *TRANSFORMATIONS)


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
            raise InputError(f"a strength lies between 1 and 100 %, not {short_repr(strength)}")
        self._human, self._machines = human, machines
        self._images = list(human)
        self._kinds, self._shares = list(shares), list(shares.values())
        self._rng = rng
        self._made: dict[str, dict[Hashable, list[str]]] = {
            kind: self._worsen(kind, strength)
            for kind in shares
            if kind in ("word_permutation", "random_word")
        }
        if "random_caption" in shares and len(human) < 2:
            raise InputError("captions of other images need two images or more")

    def negatives(self, image: Hashable, number: int) -> list[Negative]:
        """Draw negatives for an image, each with its source; machine captions may run out."""
        left = self._machines.of(image, number)
        kinds = self._rng.choice(len(self._kinds), size=number, p=self._shares)
        drawn: list[Negative] = []
        for place in kinds.tolist():
            kind = self._kinds[place]
            if kind == MACHINE:
                if left:
                    drawn.append(left.pop())
            elif kind in MACHINE_KINDS:
                drawn.append(self._machines.of_another(image, kind))
            elif kind == "random_caption":
                drawn.append((kind, self._of_another(image)))
            else:
                drawn.append((kind, self._choose(self._made[kind][image])))
        return drawn

    def _choose(self, captions: Sequence[str]) -> str:
        return captions[int(self._rng.integers(len(captions)))]

    def _of_another(self, image: Hashable) -> str:
        other = image
        while other == image:
            other = self._images[int(self._rng.integers(len(self._images)))]
        return self._choose(self._human[other])

    def _worsen(self, kind: str, strength: int) -> dict[Hashable, list[str]]:
        """Corrupt every caption by one transformation."""
        data = CaptionedImages.of({str(image): texts for image, texts in self._human.items()})
        texts = other_words(data, kind, strength, self._rng)
        made: dict[Hashable, list[str]] = {image: [] for image in self._images}
        for row, image in enumerate(data.images.tolist()):
            made[self._images[image]].append(texts[row])
        return made
