"""Image files to vectors: read, looked up in the cache, encoded where they are new, and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from captious._internal.progress import report_progress
from captious._internal.threads import thread_pool
from captious.errors import InputError
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats
from captious.images.reading import BadImageError, decoded, read_image_bytes
from captious.images.vectors import ImageVectors
from captious.io.cache import packed_vectors, restored_vectors

AT_ONCE = 64  # files between two visits to the cache: what a killed process loses at most


class VectorStore(Protocol):
    """Values of bytes by the name of an analysis and a key; `AnalysisCache` is one, on disk."""

    def get(self, analysis: str, captions: Sequence[str], /) -> dict[str, bytes]:
        """The values that are known for these keys."""

    def put(self, analysis: str, values: Mapping[str, bytes], /) -> None:
        """Keep values."""


class VectorMemory:
    """A store in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, bytes]] = {}

    def get(self, analysis: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values that are known for these keys."""
        kept = self._kept.get(analysis, {})
        return {key: kept[key] for key in keys if key in kept}

    def put(self, analysis: str, values: Mapping[str, bytes]) -> None:
        """Keep values."""
        self._kept.setdefault(analysis, {}).update(values)


@dataclass(frozen=True)
class SeenImages:
    """What a network gives the sound images, and of the others what is wrong with each."""

    given: Mapping[str, Floats]
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EncodedImages:
    """Vectors of the sound images by name, and of the others what is wrong with each."""

    vectors: ImageVectors
    skipped: Mapping[str, str] = field(default_factory=dict)


def encode_files(
    files: Mapping[str, Path],
    encoder: ImageEncoder,
    *,
    cache: VectorStore | None,
    skip_bad: bool = False,
) -> EncodedImages:
    """The vectors of image files, of length 1, by the names that they are given under."""
    return unit_vectors(look_at_files(files, encoder, cache=cache, skip_bad=skip_bad), encoder)


def unit_vectors(seen: SeenImages, encoder: ImageEncoder) -> EncodedImages:
    """The vectors of images, of length 1."""
    vectors = np.array(list(seen.given.values()))
    return EncodedImages(
        ImageVectors.of(list(seen.given), vectors, encoder.signature), seen.skipped
    )


def look_at_files(
    files: Mapping[str, Path],
    encoder: ImageEncoder,
    *,
    cache: VectorStore | None,
    skip_bad: bool = False,
) -> SeenImages:
    """What a network gives image files, by the names that they are given under.

    A file that cannot be used is an error that names it; with `skip_bad` it is left out, and
    `skipped` says so.
    """
    if not files:
        raise InputError("no images: there is nothing to encode")
    sound: dict[str, Floats] = {}
    skipped: dict[str, str] = {}
    left = iter(files.items())
    report_progress(encoder.work, 0, len(files))  # so that a bar knows when the work began
    while some := dict(islice(left, AT_ONCE)):
        for name, vector in _encoded(some, encoder, cache).items():
            if isinstance(vector, BadImageError):
                if not skip_bad:
                    raise vector
                skipped[name] = str(vector)
            else:
                sound[name] = vector
        report_progress(encoder.work, len(sound) + len(skipped), len(files))
    if not sound:
        first = next(iter(skipped.values()))
        raise InputError(f"not one of {len(files)} images can be used; the first: {first}")
    if len(set(map(len, sound.values()))) > 1:
        # Some of what was kept is not this encoder's; which, only the encoder can say.
        return look_at_files(files, encoder, cache=None, skip_bad=skip_bad)
    return SeenImages(sound, skipped)


def _encoded(
    files: Mapping[str, Path], encoder: ImageEncoder, cache: VectorStore | None
) -> dict[str, Floats | BadImageError]:
    """A vector for each file, or what is wrong with it."""
    analysis = f"image vector@{encoder.signature}"

    def read(path: Path) -> tuple[bytes, str] | BadImageError:
        try:
            content = read_image_bytes(path)
        except BadImageError as error:
            return error
        return content, hashlib.sha256(content).hexdigest()

    def encode(given: tuple[Path, tuple[bytes, str]]) -> Floats | BadImageError:
        path, (content, _) = given
        try:
            return encoder.vector(decoded(content, path))
        except BadImageError as error:
            return error

    with thread_pool() as threads:
        read_ones = dict(zip(files, threads.map(read, files.values()), strict=True))
        sound = {name: got for name, got in read_ones.items() if not isinstance(got, BadImageError)}
        # By what is in a file, not by its name: a file that changed is another image.
        kept = cache.get(analysis, [digest for _, digest in sound.values()]) if cache else {}
        known = restored_vectors(kept, encoder.width)
        new = {name: got for name, got in sound.items() if got[1] not in known}
        made = dict(zip(new, _first_alone(threads, encode, files, new), strict=True))
    if cache and made:
        good = {new[name][1]: each for name, each in made.items() if isinstance(each, np.ndarray)}
        cache.put(analysis, packed_vectors(good))
    vectors: dict[str, Floats | BadImageError] = {}
    for name, got in read_ones.items():
        if isinstance(got, BadImageError):
            vectors[name] = got
        elif name in made:
            vectors[name] = made[name]
        else:
            vectors[name] = known[got[1]]
    return vectors


def _first_alone(
    threads: ThreadPoolExecutor,
    encode: Callable[[tuple[Path, tuple[bytes, str]]], Floats | BadImageError],
    files: Mapping[str, Path],
    new: Mapping[str, tuple[bytes, str]],
) -> list[Floats | BadImageError]:
    """Encode in threads, the first image by itself, so that one thread alone loads the weights."""
    work = [(files[name], got) for name, got in new.items()]
    return [*map(encode, work[:1]), *threads.map(encode, work[1:])]
