"""Machine captions as negatives: of the image itself, of a similar one, or of any other.

A machine's caption of another image has a machine's style and wrong content. So had, as a rule, the
captions that the papers learned from: their machines were trained on one collection of images and
run on another.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.training.learned_metrics.similar_images import similar_images

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

    def of(self, image: Hashable, most: int) -> list[Negative]:
        """Machine captions of the image in random order, at most `most`."""
        written = self._captions_of(image)
        order = self._rng.permutation(len(written))[:most].tolist()
        return [written[place] for place in order]

    def of_another(self, image: Hashable, kind: str) -> Negative:
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
