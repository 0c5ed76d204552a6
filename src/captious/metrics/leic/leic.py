"""LEIC: the probability that a person wrote the caption, by learned critics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, logistic
from captious.errors import InputError
from captious.images.encoder import load_image_encoder
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import SingleArray
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.image_inputs import image_signature, images_parameter, load_image_vectors
from captious.metrics.leic.critic import Critic, load_critic
from captious.metrics.parameters import PAPER, parameter, variant_parameter
from captious.resources import LEARNED, ResourceFiles
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

PAIRS_PER_BATCH = 8192  # bounds memory
SHELF = ResourceFiles(LEARNED, "critic", "train your own with `captious critic train`")
MEAN = "mean"
# Critics that ship, by name: of image and reference, of references alone, and both, whose errors
# differ.
SHIPPED = {
    MEAN: ("leic", "leic_reference"),
    "image": ("leic",),
    "reference": ("leic_reference",),
}
MEAN_PARTS = ("first", "second")  # of a mean, in the signature


class Context(NamedTuple):
    """Vectors of images and of unique references; none of what the critic does not read."""

    images: SingleArray | None
    references: SingleArray | None


def encode_context(
    critic: Critic, image_vectors: SingleArray | None, references: Analysis
) -> Context:
    """Encode the context of a critic: images, from an encoder's vectors, and references."""
    return Context(
        critic.encode_images(image_vectors)
        if critic.recipe.uses_images and image_vectors is not None
        else None,
        _encode_captions(critic, references) if critic.recipe.uses_references else None,
    )


def human_probabilities(critic: Critic, samples: Samples, context: Context) -> FloatArray:
    """Return the mean probability over each sample's references, if the critic uses any."""
    pairs = samples.pairs
    candidates = critic.project_candidates(_encode_captions(critic, samples.candidates))
    owners = np.arange(len(samples)) if context.references is None else pairs.owners
    terms = []  # of the margins of pairs: products by row, and each pair's row
    if context.images is not None:
        image_rows, rows = np.unique(samples.images, return_inverse=True)
        terms.append((critic.project_images(context.images[image_rows]), rows[owners]))
    if context.references is not None:
        reference_rows, rows = np.unique(pairs.values, return_inverse=True)
        terms.append((critic.project_references(context.references[reference_rows]), rows))
    by_pair = np.empty(len(owners))
    for start in range(0, len(owners), PAIRS_PER_BATCH):
        batch = slice(start, start + PAIRS_PER_BATCH)
        context_terms = np.add.reduce([products[rows[batch]] for products, rows in terms])
        candidate_terms = candidates[samples.rows[owners[batch]]]
        margins = critic.fusion.margins(context_terms, candidate_terms)
        by_pair[batch] = logistic(margins.astype(np.float64))
    counts = np.bincount(owners, minlength=len(samples))
    means: FloatArray = np.bincount(owners, by_pair, len(samples)) / counts
    return means


def _encode_captions(critic: Critic, analysis: Analysis) -> SingleArray:
    """The vector of each unique caption."""
    return critic.encode_captions(analysis.layer(Tokens).words)


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
    description = "probability that a person wrote the caption for this image (Cui et al., 2018)"
    english = "its vocabulary"

    def __post_init__(self) -> None:
        super().__post_init__()
        uses_images = any(
            critic.recipe.uses_images for critic in self.critics()
        )  # unusable files raise here
        if uses_images and self.images is None:
            raise InputError(
                "leic: this critic needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        object.__setattr__(self, "needs_images", uses_images)

    def critics(self) -> tuple[Critic, ...]:
        """Return the critics, loaded."""
        if isinstance(self.critic, Critic):
            return (self.critic,)
        return tuple(_load_cached(*SHELF.find(name)) for name in self._names())

    def _names(self) -> tuple[str | Path, ...]:
        """Return the critics to use, each a shipped one's name or a file."""
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
        image_vectors = self._image_vectors(references) if self.needs_images else None
        return tuple(
            encode_context(critic, image_vectors, references.analysis) for critic in self.critics()
        )

    def statistics(self, samples: Samples, prepared: tuple[Context, ...]) -> FloatArray:
        """Return the mean probability over the critics."""
        by_critic = [
            human_probabilities(critic, samples, context)
            for critic, context in zip(self.critics(), prepared, strict=True)
        ]
        return mean_statistics(np.add.reduce(by_critic) / len(by_critic))

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
            judged_by = {"critic": MEAN, **dict(zip(MEAN_PARTS, files, strict=True))}
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

    def _image_vectors(self, references: References) -> SingleArray:
        assert self.images is not None
        encoder = None if holds_vectors(self.images) else load_image_encoder()
        return load_image_vectors(self.name, self.images, references, encoder)


@lru_cache(maxsize=8)
def _load_cached(path: Path, written: int) -> Critic:
    """Load a critic, cached until its file changes."""
    return load_critic(path)
