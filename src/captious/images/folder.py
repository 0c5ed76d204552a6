"""A folder of image files, and which of them belongs to a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from captious.errors import InputError
from captious.images.encoder import ImageEncoder
from captious.images.encoding import (
    EncodedImages,
    SeenImages,
    VectorMemory,
    VectorStore,
    look_at_files,
    unit_vectors,
)
from captious.images.names import ENDINGS, NameIndex
from captious.images.reading import BadImagesError
from captious.io.inputs import is_folder


class ImageFolder:
    """The image files in a folder and in the folders below it.

    Where images are given to a metric, this can stand in place of the folder's path, to say how
    they are looked at: with `all_bad` one error, BadImagesError, names all bad images after the
    others were encoded. What was encoded until then is not encoded again when the same object is
    given without the bad ones.
    """

    def __init__(self, path: str | Path, *, all_bad: bool = False) -> None:
        self.path = Path(path)
        self.all_bad = all_bad
        if not is_folder(self.path):
            raise InputError(f"{path}: no such folder of images")
        # Only who meets an error in the end comes back for the same vectors.
        self._memory = VectorMemory() if all_bad else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every image file's path, from this folder on, in order."""
        try:
            files = [path for path in self.path.rglob("*") if path.suffix.lower() in ENDINGS]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        # Hidden files are other programs': macOS puts `._x.jpg`, no image, beside `x.jpg`.
        relative = (path.relative_to(self.path).as_posix() for path in files)
        return tuple(sorted(name for name in relative if not _is_hidden(name)))

    @cached_property
    def _index(self) -> NameIndex:
        if not self.names:
            raise InputError(f"{self.path}: no image files ({', '.join(ENDINGS)})")
        return NameIndex(self.names, str(self.path))

    def find(self, wanted: str) -> Path:
        """The file that a sample's image column, or its id, means."""
        return self.path / self._index.find(wanted)

    def encoded(
        self,
        names: Sequence[str],
        encoder: ImageEncoder,
        cache: VectorStore | None = None,
        skip_bad: bool = False,
    ) -> EncodedImages:
        """The vectors of the images that are named, under those names."""
        return unit_vectors(self.seen(names, encoder, cache, skip_bad), encoder)

    def seen(
        self,
        names: Sequence[str],
        encoder: ImageEncoder,
        cache: VectorStore | None = None,
        skip_bad: bool = False,
    ) -> SeenImages:
        """What a network gives the images that are named, as it is, under those names."""
        seen = look_at_files(
            {name: self.find(name) for name in names},
            encoder,
            cache=self._memory if cache is None else cache,
            skip_bad=skip_bad or self.all_bad,
        )
        if seen.skipped and not skip_bad:
            raise BadImagesError(seen.skipped)
        return seen


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
