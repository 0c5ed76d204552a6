"""Encoding of image files: cached outputs are looked up, new files encoded and cached."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from captious._internal.progress import report_progress
from captious._internal.threads import thread_pool
from captious.errors import InputError
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats
from captious.images.reading import BadImageError, decode_image, read_image_bytes
from captious.images.vectors import ImageVectors
from captious.io.cache import pack_vectors, restore_vectors

BATCH_FILES = 64  # encoded between two writes to the cache: the most a killed process loses


class VectorStore(Protocol):
    """Protocol of a store of bytes by analysis and key, such as `AnalysisCache` on disk."""

    def get(self, analysis: str, captions: Sequence[str], /) -> dict[str, bytes]:
        """Return the stored values of these keys."""

    def put(self, analysis: str, values: Mapping[str, bytes], /) -> None:
        """Store values."""


class VectorMemory:
    """In-memory vector store."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, bytes]] = {}

    def get(self, analysis: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the stored values of these keys."""
        values = self._values.get(analysis, {})
        return {key: values[key] for key in keys if key in values}

    def put(self, analysis: str, values: Mapping[str, bytes]) -> None:
        """Store values."""
        self._values.setdefault(analysis, {}).update(values)


@dataclass(frozen=True)
class EncoderOutputs:
    """Outputs of a network for the readable images, and an error message for each other one."""

    by_name: Mapping[str, Floats]
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EncodedImages:
    """Vectors of the readable images by name, and an error message for each other one."""

    vectors: ImageVectors
    skipped: Mapping[str, str] = field(default_factory=dict)


def encode_files(
    files: Mapping[str, Path],
    encoder: ImageEncoder,
    *,
    cache: VectorStore | None,
    skip_bad: bool = False,
) -> EncodedImages:
    """Encode image files as vectors of length 1, by the names of the mapping."""
    return normalize_outputs(run_encoder(files, encoder, cache=cache, skip_bad=skip_bad), encoder)


def normalize_outputs(outputs: EncoderOutputs, encoder: ImageEncoder) -> EncodedImages:
    """Scale the outputs of an encoder to vectors of length 1."""
    vectors = np.array(list(outputs.by_name.values()))
    return EncodedImages(
        ImageVectors.of(list(outputs.by_name), vectors, encoder.signature), outputs.skipped
    )


def run_encoder(
    files: Mapping[str, Path],
    encoder: ImageEncoder,
    *,
    cache: VectorStore | None,
    skip_bad: bool = False,
) -> EncoderOutputs:
    """Run a network on image files and return its outputs by the names of the mapping.

    A file that cannot be used is an error that names it; with `skip_bad` it is left out and
    listed in `skipped`.
    """
    if not files:
        raise InputError("no images: there is nothing to encode")
    outputs: dict[str, Floats] = {}
    skipped: dict[str, str] = {}
    remaining = iter(files.items())
    report_progress(encoder.work, 0, len(files))  # so that a bar knows when the work began
    while batch := dict(islice(remaining, BATCH_FILES)):
        for name, vector in _encode_batch(batch, encoder, cache).items():
            if isinstance(vector, BadImageError):
                if not skip_bad:
                    raise vector
                skipped[name] = str(vector)
            else:
                outputs[name] = vector
        report_progress(encoder.work, len(outputs) + len(skipped), len(files))
    if not outputs:
        first = next(iter(skipped.values()))
        raise InputError(f"not one of {len(files)} images can be used; the first: {first}")
    if len(set(map(len, outputs.values()))) > 1:
        # Some cached outputs are not of this encoder; only encoding again shows which.
        return run_encoder(files, encoder, cache=None, skip_bad=skip_bad)
    return EncoderOutputs(outputs, skipped)


class _ImageFile(NamedTuple):
    path: Path
    content: bytes
    digest: str  # key of the cache: a file that changed is another image


def _encode_batch(
    paths: Mapping[str, Path], encoder: ImageEncoder, cache: VectorStore | None
) -> dict[str, Floats | BadImageError]:
    """Return a vector or an error for each file, from the cache or encoded."""
    analysis = f"image vector@{encoder.signature}"

    def encode(file: _ImageFile) -> Floats | BadImageError:
        try:
            return encoder.vector(decode_image(file.content, file.path))
        except BadImageError as error:
            return error

    with thread_pool() as threads:
        files = dict(zip(paths, threads.map(_read_file, paths.values()), strict=True))
        readable = {name: file for name, file in files.items() if isinstance(file, _ImageFile)}
        cached = cache.get(analysis, [file.digest for file in readable.values()]) if cache else {}
        known = restore_vectors(cached, encoder.width)
        new = {name: file for name, file in readable.items() if file.digest not in known}
        # The first image alone, so that only one thread loads the weights.
        queue = list(new.values())
        outputs = [*map(encode, queue[:1]), *threads.map(encode, queue[1:])]
        encoded = dict(zip(new, outputs, strict=True))
    if cache and encoded:
        cache.put(
            analysis,
            pack_vectors(
                {
                    new[name].digest: vector
                    for name, vector in encoded.items()
                    if isinstance(vector, np.ndarray)
                }
            ),
        )
    vectors: dict[str, Floats | BadImageError] = {}
    for name, file in files.items():
        if isinstance(file, BadImageError):
            vectors[name] = file
        elif name in encoded:
            vectors[name] = encoded[name]
        else:
            vectors[name] = known[file.digest]
    return vectors


def _read_file(path: Path) -> _ImageFile | BadImageError:
    try:
        content = read_image_bytes(path)
    except BadImageError as error:
        return error
    return _ImageFile(path, content, hashlib.sha256(content).hexdigest())
