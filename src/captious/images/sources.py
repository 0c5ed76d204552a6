"""Image vectors of samples, from a folder of images, an `.npz`, or vectors in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from captious._internal.threads import thread_pool
from captious.errors import InputError, short_repr, warn
from captious.images.encoder import ImageEncoder, load_image_encoder
from captious.images.encoding import EncodedImages
from captious.images.folder import ImageFolder
from captious.images.reading import BadImageError, read_image
from captious.images.vectors import ImageVectors, SingleArray
from captious.io.cache import AnalysisCache

ImageSource = str | Path | ImageFolder | ImageVectors


def vectors_of_images(
    source: ImageSource,
    names: Sequence[str],
    encoder: ImageEncoder | None = None,
    *,
    cache: AnalysisCache | None = None,
    skip_bad: bool = False,
) -> EncodedImages:
    """Return the vectors of the images that samples name (or have as ids), by those names.

    A folder is encoded, by EfficientNet-Lite2 unless another encoder is given; an `.npz` is read.
    With `skip_bad`, images that cannot be used are left out, and one warning says how many were;
    an image that is not there at all is an error either way.
    """
    wanted = list(dict.fromkeys(names))
    if holds_vectors(source):
        return EncodedImages(ImageVectors.load(source).select(wanted))
    folder = image_folder(source)
    encoder = load_image_encoder() if encoder is None else encoder
    encoded = folder.encode(wanted, encoder, cache, skip_bad)
    if encoded.skipped:
        warn(
            f"{len(encoded.skipped)} of {len(wanted)} images skipped; the first: "
            f"{next(iter(encoded.skipped.values()))}"
        )
    return encoded


def vectors_in_order(
    who: str,
    source: ImageSource,
    names: Sequence[str] | None,
    count: int,
    encoder: ImageEncoder | None = None,
    cache: AnalysisCache | None = None,
) -> SingleArray:
    """Return one vector for each of `count` images, by their names or, without names, in order."""
    if names is not None:
        return vectors_of_images(source, names, encoder, cache=cache).vectors.take(names).vectors
    if holds_vectors(source):
        vectors = ImageVectors.load(source)
        if len(vectors.names) == count:
            return vectors.vectors
    raise InputError(f"{who}: {count} images without names; give vectors in the same order")


def bad_images(source: ImageSource, names: Sequence[str]) -> dict[str, str]:
    """Return the images of samples that cannot be used, with the reasons; nothing is encoded.

    For callers that leave samples out before scoring, whichever metric will read the images.
    """
    if holds_vectors(source):
        return {}
    folder = image_folder(source)

    def find_fault(name: str) -> str | None:
        try:
            read_image(folder.find(name))
        except BadImageError as error:
            return str(error)
        return None

    wanted = list(dict.fromkeys(names))
    with thread_pool() as threads:
        faults = zip(wanted, threads.map(find_fault, wanted), strict=True)
        return {name: reason for name, reason in faults if reason is not None}


def holds_vectors(source: ImageSource) -> TypeGuard[str | Path | ImageVectors]:
    """Whether a source holds vectors rather than images."""
    if isinstance(source, str | Path):
        return str(source).lower().endswith((".npz", ".npz.gz"))
    return isinstance(source, ImageVectors)


def image_folder(source: object) -> ImageFolder:
    """Return the image folder of a source, which is one or the path of one."""
    if isinstance(source, ImageFolder):
        return source
    if not isinstance(source, str | Path):
        raise InputError(
            f"images are a folder, an .npz of vectors or vectors, not {short_repr(source)}"
        )
    return ImageFolder(source)
