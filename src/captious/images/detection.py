"""Objects that the detector sees in samples' images."""

from __future__ import annotations

from collections.abc import Sequence

from captious.errors import InputError
from captious.images.detector import detector
from captious.images.sources import ImageSource, holds_vectors, image_folder
from captious.io.cache import AnalysisCache

THRESHOLD = 0.5  # that of the package which has the weights, fixed before anything was measured


def objects_in_images(
    source: ImageSource,
    names: Sequence[str],
    threshold: float = THRESHOLD,
    *,
    cache: AnalysisCache | None = None,
) -> dict[str, list[str]]:
    """The classes of objects in the images that samples name (or whose ids are given), by name.

    What the detector gave an image is kept in the cache, whatever the threshold.
    """
    if holds_vectors(source):
        raise InputError(
            "a detector looks at image files, and vectors were given; give a folder of images "
            "(--images, images=)"
        )
    seen = image_folder(source).seen(list(dict.fromkeys(names)), detector(), cache)
    return {name: detector().names_in(scores, threshold) for name, scores in seen.given.items()}
