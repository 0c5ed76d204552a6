"""Captious with eyes: the chance that a caption was written for this very image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.images.encoder import image_encoder_named
from captious.images.sources import ImageSource, holds_vectors, vectors_in_order
from captious.images.vectors import SingleArray
from captious.learned.captious import Captious
from captious.learned.image_places import ImagePlaces
from captious.learned.network import logistic
from captious.learned.published import SHIPPED
from captious.metrics.base import Metric, averaged
from captious.metrics.form import Form
from captious.metrics.vector_views import products
from captious.ragged import FloatArray
from captious.samples import References, Samples
from captious.text.caption_vectors import CaptionSpace, Vectors, caption_vectors
from captious.text.encoder import unit

VIEWS = ("crop", "whole")


@dataclass(frozen=True)
class CaptiousImage(Metric):
    """The chance that the caption was written for this image, seen and with references, times form.

    `images` is a folder of images, of which both views are seen; or an `.npz` of their vectors,
    with `whole` another one for the second view. `captious_image_alone` looks at no reference.
    """

    images: ImageSource | None = None
    whole: ImageSource | None = None
    weights: str | Path = SHIPPED / "captious_image.npz"

    name = "captious_image"
    columns = ("captious_image", "captious_image_alone")
    description = "chance that the caption was written for this image, which is seen, times form"
    needs_images = True

    def __post_init__(self) -> None:
        if self.images is None:
            raise InputError(
                "captious_image: needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        ImagePlaces.load(self.weights)  # a file that cannot be used is said now

    def prepare(self, references: References) -> tuple[Vectors, Any]:
        """The place of each image, and what `captious` needs of the references."""
        places = ImagePlaces.load(self.weights).of_images(self._seen(references))
        return places, Captious().prepare(references)

    def statistics(self, samples: Samples, prepared: tuple[Vectors, Any]) -> FloatArray:
        """Both scores of each sample."""
        places, ready = prepared
        model = ImagePlaces.load(self.weights)
        every = np.arange(len(samples.candidates.captions))
        mine = caption_vectors(samples.candidates, CaptionSpace.load(), every)
        cosines = products(model.of_captions(mine)[samples.rows], places[samples.images])
        margins = Captious().margins(samples, ready)
        form = Form().statistics(samples, None)[:, 0]
        by_reference, by_sight, bias = model.with_references.tolist()
        alone, alone_bias = model.alone.tolist()
        return averaged(
            logistic(by_reference * margins + by_sight * cosines + bias) * form,
            logistic(alone * cosines + alone_bias) * form,
        )

    def signature(self) -> str:
        """The weights' hash, and everything that `captious` depends on."""
        fingerprint = ImagePlaces.load(self.weights).fingerprint
        views = "one" if self._has_one_view else "two"
        return f"captious_image(weights={fingerprint},views={views},{Captious().signature()})"

    @property
    def _has_one_view(self) -> bool:
        assert self.images is not None
        return holds_vectors(self.images) and self.whole is None

    def _seen(self, references: References) -> SingleArray:
        """The mean of the views' vectors, each at length one."""
        assert self.images is not None
        views = [self.images] if self._has_one_view else [self.images, self.whole or self.images]
        seen = [
            vectors_in_order(
                self.name,
                source,
                references.image_names,
                len(references),
                None if holds_vectors(source) else image_encoder_named(view=view),
                references.analysis.cache,
            )
            for source, view in zip(views, VIEWS, strict=False)
        ]
        mean: SingleArray = np.mean([unit(vectors) for vectors in seen], axis=0)
        return mean
