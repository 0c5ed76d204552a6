"""Captious with images: the probability that a caption was written for this image.

A linear map, fitted so that an image lands on the centroid of its captions, projects image vectors
into a space of captions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray, logistic
from captious._internal.arrays.row_products import PackedMatrix
from captious.errors import InputError
from captious.images.encoder import load_image_encoder
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import SingleArray
from captious.io.array_files import DECIMALS, ArrayFile, Member
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.consensus.caption_space import cosines
from captious.metrics.form import Form
from captious.metrics.image_inputs import image_signature, images_parameter, load_image_vectors
from captious.metrics.learned.captious import Captious, CaptiousFull
from captious.metrics.learned.metric import SHELF, weights_parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.encoder.encoder import load_encoder, normalize_vectors, sentence_vectors_or_zeros
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    VectorRows,
    Vectors,
    caption_vectors,
    normalize,
)

WORDS, ENCODER = SPACES = ("words", "encoder")  # sums of words' vectors, or an encoder's
WEIGHT_ARRAYS = ("with_references", "alone")
FILE = ArrayFile("a file of image places", "make it again with tools/train_captious_image.py")
VIEWS = ("crop", "whole")


def caption_vectors_in(space: str, analysis: Analysis) -> Vectors:
    """The vector of each caption of an analysis in a space; zeros for those without words."""
    if space == ENCODER:
        return sentence_vectors_or_zeros(analysis, load_encoder())
    return caption_vectors(analysis, CaptionSpace.load(), np.arange(len(analysis.captions)))


@dataclass(frozen=True, eq=False)
class ImageProjection:
    """Linear map of image vectors into a caption space, with the means of images and captions."""

    mapping: SingleArray
    usual_image: SingleArray
    usual_caption: SingleArray

    @cached_property
    def _packed_mapping(self) -> PackedMatrix:
        return PackedMatrix(self.mapping)

    def project_images(self, vectors: SingleArray) -> Vectors:
        """Project vectors of images into the space of captions."""
        if vectors.shape[1] != len(self.usual_image):
            raise InputError(
                f"image vectors of {vectors.shape[1]} numbers, but places were learned from "
                f"{len(self.usual_image)} (EfficientNet-Lite2)"
            )
        centred = (vectors - self.usual_image).astype(np.float32)
        return normalize(self._packed_mapping.multiply(centred))

    def project_captions(self, vectors: Vectors) -> Vectors:
        """Subtract the mean caption from vectors of captions; zeros stay zeros."""
        if vectors.shape[1] != len(self.usual_caption):
            raise InputError(
                f"caption vectors of {vectors.shape[1]} numbers, but places were learned among "
                f"those of {len(self.usual_caption)}"
            )
        is_placed = (vectors != 0).any(axis=1, keepdims=True)
        return normalize(np.where(is_placed, vectors - self.usual_caption, np.float32(0)))


PROJECTION_ARRAYS = [field.name for field in fields(ImageProjection)]


@dataclass(frozen=True, eq=False)
class ImageModel:
    """Projections by the name of the space, and the weights of their cosines.

    `with_references` has the weights of the margin of the references and of the cosine in each
    space, and the bias; `alone` has the cosines' weights and the bias.
    """

    places: Mapping[str, ImageProjection]
    with_references: FloatArray
    alone: FloatArray

    @classmethod
    def load(cls, path: str | Path) -> ImageModel:
        """Load a file that `tools/train_captious_image.py` wrote."""
        return _load(Path(path))

    def save(self, path: str | Path) -> None:
        """Write plain arrays, the maps in half precision."""
        arrays = {name: _to_half_precision(name, array) for name, array in self._arrays.items()}
        FILE.write(path, arrays)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all arrays."""
        digest = hashlib.sha256()
        for array in self._arrays.values():
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:12]

    @property
    def _arrays(self) -> dict[str, SingleArray | FloatArray]:
        return {
            **{
                f"{space}.{name}": getattr(places, name)
                for space, places in self.places.items()
                for name in PROJECTION_ARRAYS
            },
            **{name: getattr(self, name) for name in WEIGHT_ARRAYS},
        }


def _to_half_precision(name: str, array: SingleArray | FloatArray) -> np.ndarray:
    return array.astype(np.float16) if name.endswith(".mapping") else array


@lru_cache(maxsize=4)
def _load(path: Path) -> ImageModel:
    with FILE.open(path) as file:
        spaces = [space for space in SPACES if f"{space}.mapping" in file.names]
        if not spaces:
            raise file.error(f"no places in any of: {', '.join(SPACES)}")
        arrays = file.read(*(each for space in spaces for each in _members(space)))
        weights = file.read(
            Member(WEIGHT_ARRAYS[0], DECIMALS, (len(spaces) + 2,)),
            Member(WEIGHT_ARRAYS[1], DECIMALS, (len(spaces) + 1,)),
        )
    single = {name: array.astype(np.float32, copy=False) for name, array in arrays.items()}
    places = {
        space: ImageProjection(*(single[f"{space}.{name}"] for name in PROJECTION_ARRAYS))
        for space in spaces
    }
    return ImageModel(places, *weights.values())


def _members(space: str) -> tuple[Member, ...]:
    """The arrays of the places in a space, in the order of `PROJECTION_ARRAYS`."""
    dims = (("image", space), ("image",), (space,))
    return tuple(
        Member(f"{space}.{name}", DECIMALS, sides)
        for name, sides in zip(PROJECTION_ARRAYS, dims, strict=True)
    )


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
    description = "`captious` that also uses the image; or the image alone, without references"
    english = "its space of captions"
    reference_free_columns = ("captious_image_alone",)
    reference_metric: ClassVar[type[Captious]] = Captious  # scores the references

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.images is None:
            raise InputError(
                f"{self.name}: needs images, a folder or an .npz of image vectors (--images, "
                "images=)"
            )
        self._image_model  # noqa: B018 - an unusable file raises here

    def prepare(self, references: References) -> tuple[dict[str, Vectors], Any]:
        """Project the images, and prepare the references for the metric that reads them."""
        image_vectors = self._image_vectors(references)
        image_model = self._image_model
        places = {
            space: projection.project_images(image_vectors)
            for space, projection in image_model.places.items()
        }
        return places, self.reference_metric().prepare(references) if references.are_given else None

    def statistics(self, samples: Samples, prepared: tuple[dict[str, Vectors], Any]) -> FloatArray:
        """Both scores of each sample."""
        images, ready = prepared
        image_model = self._image_model
        image_cosines = []
        for space, projection in image_model.places.items():
            captions = projection.project_captions(caption_vectors_in(space, samples.candidates))
            sample_images = VectorRows(images[space], samples.images)
            image_cosines.append(cosines(VectorRows(captions, samples.rows), sample_images))
        if ready is None:  # without references, their column is not selected
            margins = np.full(len(samples), np.nan)
        else:
            margins = self.reference_metric().margins(samples, ready)
        form = Form().statistics(samples, None)[:, 0]
        return mean_statistics(
            logistic(weighted_sum([margins, *image_cosines], image_model.with_references)) * form,
            logistic(weighted_sum(image_cosines, image_model.alone)) * form,
        )

    def depends_on(self) -> dict[str, Any]:
        """The weights, the views, and everything that the references' metric depends on."""
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

    def _image_vectors(self, references: References) -> SingleArray:
        """The mean of the views' vectors, each at length one."""
        assert self.images is not None
        views = [self.images] if self._has_one_view else [self.images, self.whole or self.images]
        vectors = []
        for source, view in zip(views, VIEWS, strict=False):
            encoder = None if holds_vectors(source) else load_image_encoder(view=view)
            vectors.append(
                normalize_vectors(load_image_vectors(self.name, source, references, encoder))
            )
        mean: SingleArray = np.mean(vectors, axis=0)
        return mean


@dataclass(frozen=True)
class CaptiousImageFull(CaptiousImage):
    """`captious_full` with images: also uses a sentence encoder's embedding space."""

    weights: str | Path = weights_parameter("captious_image_full.npz")

    name = "captious_image_full"
    reference_free_columns = ("captious_image_full_alone",)
    description = "`captious_image` with a sentence encoder as a further feature"
    reference_metric = CaptiousFull


def weighted_sum(columns: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Return the weighted sum of columns, plus the bias, which is the last weight."""
    *each, bias = weights.tolist()
    terms = (weight * column for weight, column in zip(each, columns, strict=True))
    return sum(terms, np.full(len(columns[0]), bias))
