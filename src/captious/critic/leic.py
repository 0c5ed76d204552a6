"""LEIC: how likely it is that a person wrote the caption of this image, by a critic's eye."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from captious.arrays.logistic import logistic
from captious.arrays.ragged import FloatArray
from captious.critic.critic import Critic, load_critic
from captious.errors import InputError
from captious.images.encoder import image_encoder_named
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import SingleArray
from captious.metrics.base import Metric, averaged
from captious.metrics.parameters import parameter
from captious.metrics.seen_images import images_parameter, named_source, seen_vectors
from captious.metrics.variants import PAPER, variant_parameter
from captious.resources import LEARNED, Shelf
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

PAIRS_AT_ONCE = 8192  # bounds memory
SHELF = Shelf(LEARNED, "critic", "train your own with `captious critic train`")


class Prepared(NamedTuple):
    """Vectors of images and of unique references; none of what the critic does not read."""

    images: SingleArray | None
    references: SingleArray | None


@dataclass(frozen=True)
class Leic(Metric):
    """The critic of Cui et al. (2018): the mean chance over the references.

    With `images`, a folder or an `.npz` of vectors, the critic of image and reference; without, of
    the reference alone. `critic` is one of one's own, or names its file.
    """

    images: ImageSource | None = images_parameter()
    variant: str = variant_parameter()
    critic: str | Path | Critic | None = parameter(
        None, "a critic of your own, by `captious critic train`"
    )

    name = "leic"
    columns = ("leic",)
    description = "chance that a person wrote the caption of this image, by a network that reads it"

    def __post_init__(self) -> None:
        super().__post_init__()
        recipe = self.judge().recipe  # a file that cannot be used is said now
        if recipe.sees and self.images is None:
            raise InputError(
                "leic: this critic needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        object.__setattr__(self, "needs_images", recipe.sees)

    def judge(self) -> Critic:
        """What judges."""
        if isinstance(self.critic, Critic):
            return self.critic
        return _loaded(*SHELF.find(self._shipped_name() if self.critic is None else self.critic))

    def _shipped_name(self) -> str:
        if self.variant != PAPER:
            if self.images is None:
                raise InputError(
                    f"leic: the variant {self.variant!r} that ships sees images; give --images "
                    "(images=) or a critic of your own"
                )
            return f"leic_{self.variant}"
        return "leic_reference" if self.images is None else "leic"

    def prepare(self, references: References) -> Prepared:
        """The vectors of the images, and those of the references."""
        critic = self.judge()
        images = texts = None
        if critic.recipe.sees:
            images = critic.images(self._seen(references))
        if critic.recipe.reads:
            texts = _read(critic, references.analysis)
        return Prepared(images, texts)

    def statistics(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The mean over each sample's references; one score where the critic reads none."""
        critic, pairs = self.judge(), samples.pairs
        candidates = critic.of_candidates(_read(critic, samples.candidates))
        owners = np.arange(len(samples)) if prepared.references is None else pairs.owners
        brought = []  # to the margins of pairs: products by row, and each pair's row
        if prepared.images is not None:
            seen, rows = np.unique(samples.images, return_inverse=True)
            brought.append((critic.of_images(prepared.images[seen]), rows[owners]))
        if prepared.references is not None:
            read, rows = np.unique(pairs.values, return_inverse=True)
            brought.append((critic.of_references(prepared.references[read]), rows))
        chances = np.empty(len(owners))
        for start in range(0, len(owners), PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            context = np.add.reduce([products[rows[some]] for products, rows in brought])
            mine = candidates[samples.rows[owners[some]]]
            margins = critic.fusion.margins(context, mine)
            chances[some] = logistic(margins.astype(np.float64))
        counts = np.bincount(owners, minlength=len(samples))
        return averaged(np.bincount(owners, chances, len(samples)) / counts)

    def depends_on(self) -> dict[str, Any]:
        """The critic's weights, what it reads, and how references are pooled."""
        critic = self.judge()
        given = self.critic if isinstance(self.critic, str | Path) else None
        shipped = self._shipped_name() if self.critic is None else "given"
        return {
            "images": None if self.images is None else named_source(self.images),
            "variant": critic.recipe.variant,
            "critic": Resource.of(given, shipped, critic.fingerprint),
            "context": critic.recipe.context,
            "fusion": critic.recipe.fusion,
            "references": "mean" if critic.recipe.reads else None,
        }

    def _seen(self, references: References) -> SingleArray:
        assert self.images is not None
        encoder = None if holds_vectors(self.images) else image_encoder_named()
        return seen_vectors(self.name, self.images, references, encoder)


def _read(critic: Critic, analysis: Analysis) -> SingleArray:
    """The vector of each unique caption."""
    return critic.captions(analysis.layer(Tokens).words)


@lru_cache(maxsize=8)
def _loaded(path: Path, written: int) -> Critic:
    """A file's critic, read once, and again when the file has been written anew."""
    return load_critic(path)
