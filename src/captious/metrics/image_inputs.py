"""Image inputs of metrics: the parameter, its signature, and the vectors of images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from captious.images.encoder import ImageEncoder
from captious.images.folder import ImageFolder
from captious.images.sources import ImageSource, holds_vectors, vectors_in_order
from captious.images.vectors import ImageVectors, SingleArray
from captious.metrics.parameters import parameter
from captious.samples import References
from captious.signature import Resource


def images_parameter(what: str = "a folder of image files, or an .npz of images' vectors") -> Any:
    """Return the parameter that names the source of images."""
    return parameter(None, what)


def image_signature(source: ImageSource) -> str | Resource:
    """A folder by its name; vectors by that of their file, and a hash."""
    if holds_vectors(source):
        given = source if isinstance(source, str | Path) else None
        return Resource.of(given, "given", ImageVectors.load(source).fingerprint)
    assert not isinstance(source, ImageVectors)
    folder = source.path if isinstance(source, ImageFolder) else source
    return Path(folder).name


def load_image_vectors(
    metric: str, source: ImageSource, references: References, encoder: ImageEncoder | None = None
) -> SingleArray:
    """One vector an image: by the images' names or, without names, by their order."""
    cache = references.analysis.cache
    count = len(references)
    return vectors_in_order(metric, source, references.image_names, count, encoder, cache)
