"""Captious with images: the probability that a caption was written for this image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.logistic import logistic
from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.images.encoder import image_encoder_named
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import SingleArray
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.cosines import cosines
from captious.metrics.form import Form
from captious.metrics.image_inputs import image_signature, images_parameter, load_image_vectors
from captious.metrics.learned.captious import Captious, CaptiousFull
from captious.metrics.learned.image_projection import ImageModel, caption_vectors_in
from captious.metrics.learned.metric import SHELF, weights_parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.encoder.encoder import unit
from captious.text.vectors.caption_vectors import VectorRows, Vectors

VIEWS = ("crop", "whole")


@dataclass(frozen=True)
class CaptiousImage(Metric):
    """The probability that the caption was written for this image, given references and image.

    `images` is a folder of images, of which both views are used; or an `.npz` of their vectors,
    with `whole` another one for the second view. `captious_image_alone` uses no references.
    """

    images: ImageSource | None = images_parameter()
    whole: ImageSource | None = images_parameter("an .npz of vectors of the second view")
    weights: str | Path = weights_parameter("captious_image.npz")

    name = "captious_image"
    columns = ("captious_image", "captious_image_alone")
    description = "`captious` that also uses the image; or the image alone, without references"
    english = "its space of captions"
    needs_images = True
    without_references = ("captious_image_alone",)
    reference_metric: ClassVar[type[Captious]] = Captious  # of the references

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.images is None:
            raise InputError(
                f"{self.name}: needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        self._image_model  # noqa: B018 - an unusable file raises here

    def prepare(self, references: References) -> tuple[dict[str, Vectors], Any]:
        """The places of each image, and what the reader needs of the references."""
        seen = self._seen(references)
        image_model = self._image_model
        places = {space: placed.of_images(seen) for space, placed in image_model.places.items()}
        return places, self.reference_metric().prepare(references) if references.are_given else None

    def statistics(self, samples: Samples, prepared: tuple[dict[str, Vectors], Any]) -> FloatArray:
        """Both scores of each sample."""
        images, ready = prepared
        image_model = self._image_model
        near = []
        for space, places in image_model.places.items():
            mine = places.of_captions(caption_vectors_in(space, samples.candidates))
            beside = VectorRows(images[space], samples.images)
            near.append(cosines(VectorRows(mine, samples.rows), beside))
        if ready is None:  # and so the column that reads them is not asked for
            margins = np.full(len(samples), np.nan)
        else:
            margins = self.reference_metric().margins(samples, ready)
        form = Form().statistics(samples, None)[:, 0]
        return averaged(
            logistic(weighted_sum([margins, *near], image_model.with_references)) * form,
            logistic(weighted_sum(near, image_model.alone)) * form,
        )

    def depends_on(self) -> dict[str, Any]:
        """The weights, the views, and everything that the reader of references depends on."""
        assert self.images is not None
        return {
            "images": image_signature(self.images),
            "whole": None if self.whole is None else image_signature(self.whole),
            "weights": Resource(SHELF.name_of(self.weights), self._image_model.fingerprint),
            "views": "one" if self._has_one_view else "two",
            "reader": self.reference_metric().signature(),
        }

    @property
    def _image_model(self) -> ImageModel:
        return ImageModel.load(SHELF.find(self.weights)[0])

    @property
    def _has_one_view(self) -> bool:
        assert self.images is not None
        return holds_vectors(self.images) and self.whole is None

    def _seen(self, references: References) -> SingleArray:
        """The mean of the views' vectors, each at length one."""
        assert self.images is not None
        views = [self.images] if self._has_one_view else [self.images, self.whole or self.images]
        seen = []
        for source, view in zip(views, VIEWS, strict=False):
            encoder = None if holds_vectors(source) else image_encoder_named(view=view)
            seen.append(unit(load_image_vectors(self.name, source, references, encoder)))
        mean: SingleArray = np.mean(seen, axis=0)
        return mean


@dataclass(frozen=True)
class CaptiousImageFull(CaptiousImage):
    """`captious_full` with images: also uses a sentence encoder's embedding space."""

    weights: str | Path = weights_parameter("captious_image_full.npz")

    name = "captious_image_full"
    requires = ("onnxruntime",)
    columns = ("captious_image_full", "captious_image_full_alone")
    without_references = ("captious_image_full_alone",)
    description = "`captious_image` with a sentence encoder as a further feature"
    reference_metric = CaptiousFull


def weighted_sum(columns: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """The weighted sum of columns, and the bias, which is last."""
    *each, bias = weights.tolist()
    terms = (weight * column for weight, column in zip(each, columns, strict=True))
    return sum(terms, np.full(len(columns[0]), bias))
