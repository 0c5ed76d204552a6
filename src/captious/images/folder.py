"""Folder of image files: finds and encodes the image of a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from captious.errors import InputError
from captious.images.encoder import ImageEncoder
from captious.images.encoding import (
    EncodedImages,
    EncoderOutputs,
    VectorMemory,
    VectorStore,
    normalize_outputs,
    run_encoder,
)
from captious.images.reading import BadImagesError
from captious.images.vectors import IMAGE_EXTENSIONS, NameIndex
from captious.io.inputs import is_folder


class ImageFolder:
    """The image files in a folder and in the folders below it.

    Where images are given to a metric, this can stand in place of the folder's path, to say how
    they are read: with `all_bad` one error, BadImagesError, names all bad images after the others
    were encoded. Images that were encoded until then are not encoded again when the same object is
    given without the bad ones.
    """

    def __init__(self, path: str | Path, *, all_bad: bool = False) -> None:
        self.path = Path(path)
        self.all_bad = all_bad
        if not is_folder(self.path):
            raise InputError(f"{path}: no such folder of images")
        # Only callers who get an error at the end ask for the same vectors again.
        self._memory = VectorMemory() if all_bad else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The path of every image file relative to this folder, sorted."""
        try:
            files = [
                path for path in self.path.rglob("*") if path.suffix.lower() in IMAGE_EXTENSIONS
            ]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        # Hidden files belong to other programs: macOS puts `._x.jpg`, no image, beside `x.jpg`.
        relative = (path.relative_to(self.path).as_posix() for path in files)
        return tuple(sorted(name for name in relative if not _is_hidden(name)))

    @cached_property
    def _index(self) -> NameIndex:
        if not self.names:
            raise InputError(f"{self.path}: no image files ({', '.join(IMAGE_EXTENSIONS)})")
        return NameIndex(self.names, str(self.path))

    def find(self, wanted: str) -> Path:
        """Return the file that a sample's image column, or its id, refers to."""
        return self.path / self._index.find(wanted)

    def encode(
        self,
        names: Sequence[str],
        encoder: ImageEncoder,
        cache: VectorStore | None = None,
        skip_bad: bool = False,
    ) -> EncodedImages:
        """Encode the images of these names as vectors of length 1."""
        return normalize_outputs(self.run_encoder(names, encoder, cache, skip_bad), encoder)

    def run_encoder(
        self,
        names: Sequence[str],
        encoder: ImageEncoder,
        cache: VectorStore | None = None,
        skip_bad: bool = False,
    ) -> EncoderOutputs:
        """Return the outputs of a network for the images of these names."""
        outputs = run_encoder(
            {name: self.find(name) for name in names},
            encoder,
            cache=self._memory if cache is None else cache,
            skip_bad=skip_bad or self.all_bad,
        )
        if outputs.skipped and not skip_bad:
            raise BadImagesError(outputs.skipped)
        return outputs


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
