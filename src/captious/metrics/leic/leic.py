"""LEIC: the probability that a person wrote the caption, by learned critics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.images.encoder import image_encoder_named
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import SingleArray
from captious.metrics.base import Metric, averaged
from captious.metrics.image_inputs import image_signature, images_parameter, load_image_vectors
from captious.metrics.leic.critic import Critic, load_critic
from captious.metrics.leic.scoring import Context, encode_context, human_probabilities
from captious.metrics.parameters import parameter
from captious.metrics.variants import PAPER, variant_parameter
from captious.resources import LEARNED, Shelf
from captious.samples import References, Samples
from captious.signature import Resource

SHELF = Shelf(LEARNED, "critic", "train your own with `captious critic train`")
MEAN = "mean"
# Critics that ship, by what they are called: one of image and reference, one of references alone,
# and both, for they err in different places.
SHIPPED = {
    MEAN: ("leic", "leic_reference"),
    "image": ("leic",),
    "reference": ("leic_reference",),
}
IN_ORDER = ("first", "second")  # of a mean, in the signature


@dataclass(frozen=True)
class Leic(Metric):
    """The critic of Cui et al. (2018): the mean probability over the references.

    With `images`, a folder or an `.npz` of vectors, the mean of a critic of image and reference and
    one of references alone; without, the latter. `critic` is `image` or `reference` for one of
    them, your own, or names its file.
    """

    images: ImageSource | None = images_parameter()
    variant: str = variant_parameter()
    critic: str | Path | Critic | None = parameter(
        None, "image, reference or mean of both; or your own, by `captious critic train`"
    )

    name = "leic"
    columns = ("leic",)
    description = "probability that a person wrote the caption for this image (Cui et al., 2018)"
    english = "its vocabulary"

    def __post_init__(self) -> None:
        super().__post_init__()
        sees = any(
            critic.recipe.uses_images for critic in self.critics()
        )  # unusable files raise here
        if sees and self.images is None:
            raise InputError(
                "leic: this critic needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        object.__setattr__(self, "needs_images", sees)

    def critics(self) -> tuple[Critic, ...]:
        """Return the critics, loaded."""
        if isinstance(self.critic, Critic):
            return (self.critic,)
        return tuple(_load_cached(*SHELF.find(name)) for name in self._names())

    def _names(self) -> tuple[str | Path, ...]:
        """The critics that are asked for, each a shipped one's name or a file."""
        if isinstance(self.critic, str | Path):
            return SHIPPED.get(str(self.critic), (self.critic,))
        if self.variant == PAPER:
            return SHIPPED["reference" if self.images is None else MEAN]
        if self.images is None:
            raise InputError(
                f"leic: the variant {self.variant!r} that ships sees images; give --images "
                "(images=) or a critic of your own"
            )
        return (f"leic_{self.variant}",)

    def prepare(self, references: References) -> tuple[Context, ...]:
        """Encode the context of each critic."""
        seen = self._seen(references) if self.needs_images else None
        return tuple(encode_context(critic, seen, references.analysis) for critic in self.critics())

    def statistics(self, samples: Samples, prepared: tuple[Context, ...]) -> FloatArray:
        """Return the mean probability over the critics."""
        by_critic = [
            human_probabilities(critic, samples, context)
            for critic, context in zip(self.critics(), prepared, strict=True)
        ]
        return averaged(np.add.reduce(by_critic) / len(by_critic))

    def depends_on(self) -> dict[str, Any]:
        """The critics' weights, what they read, and how references are pooled."""
        critics = self.critics()
        names = ("given",) if isinstance(self.critic, Critic) else self._names()
        files = [
            Resource(Path(name).name, critic.fingerprint)
            for name, critic in zip(names, critics, strict=True)
        ]
        judged_by: dict[str, Any] = {"critic": files[0]}
        if len(files) > 1:
            judged_by = {"critic": MEAN, **dict(zip(IN_ORDER, files, strict=True))}
        return {
            "images": None if self.images is None else image_signature(self.images),
            "variant": critics[0].recipe.variant,
            **judged_by,
            "context": [critic.recipe.context for critic in critics],
            "fusion": list(dict.fromkeys(critic.recipe.fusion for critic in critics)),
            "references": MEAN
            if any(critic.recipe.uses_references for critic in critics)
            else None,
        }

    def _seen(self, references: References) -> SingleArray:
        assert self.images is not None
        encoder = None if holds_vectors(self.images) else image_encoder_named()
        return load_image_vectors(self.name, self.images, references, encoder)


@lru_cache(maxsize=8)
def _load_cached(path: Path, written: int) -> Critic:
    """A file's critic, read once, and again when the file has been written anew."""
    return load_critic(path)
