"""The parameter of metrics that see images, and what a signature says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from captious.images.folder import ImageFolder
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import ImageVectors
from captious.metrics.parameters import parameter
from captious.signature import Resource


def images_parameter(what: str = "a folder of image files, or an .npz of images' vectors") -> Any:
    """Where images are found."""
    return parameter(None, what)


def named_source(source: ImageSource) -> str | Resource:
    """A folder by its name; vectors by that of their file, and a hash."""
    if holds_vectors(source):
        given = source if isinstance(source, str | Path) else None
        return Resource.of(given, "given", ImageVectors.given(source).fingerprint)
    assert not isinstance(source, ImageVectors)
    folder = source.path if isinstance(source, ImageFolder) else source
    return Path(folder).name
