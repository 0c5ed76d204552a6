"""Image vectors of samples: from a folder of images, from an `.npz`, or as they are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from captious.cache import AnalysisCache
from captious.errors import InputError
from captious.images.encoder import ImageEncoder, image_encoder_named
from captious.images.encoding import EncodedImages, Progress, encode_files
from captious.images.folder import ImageFolder
from captious.images.vectors import ImageVectors

ImageSource = str | Path | ImageVectors


def vectors_of_images(
    source: ImageSource,
    names: Sequence[str],
    encoder: ImageEncoder | None = None,
    *,
    cache: AnalysisCache | None = None,
    skip_bad: bool = False,
    progress: Progress | None = None,
) -> EncodedImages:
    """The vectors of the images that samples name (or whose ids are given), under those names.

    A folder is encoded, by EfficientNet-Lite2 unless another encoder is given; an `.npz` is read.
    An image that is not there at all is an error, whether bad ones are skipped or not.
    """
    wanted = list(dict.fromkeys(names))
    if holds_vectors(source):
        return EncodedImages(ImageVectors.given(source).found(wanted))
    if not isinstance(source, str | Path):
        raise InputError(f"images are a folder, an .npz of vectors or vectors, not {source!r}")
    folder = ImageFolder(source)
    files = {name: folder.find(name) for name in wanted}
    encoder = image_encoder_named() if encoder is None else encoder
    return encode_files(files, encoder, cache=cache, skip_bad=skip_bad, progress=progress)


def holds_vectors(source: ImageSource) -> bool:
    """Whether a source has vectors already and not images."""
    if isinstance(source, ImageVectors):
        return True
    return str(source).lower().endswith((".npz", ".npz.gz"))
