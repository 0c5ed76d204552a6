"""A folder of image files, and which of them belongs to a sample."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from captious.errors import InputError
from captious.images.names import ENDINGS, NameIndex


class ImageFolder:
    """The image files in a folder and in the folders below it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise InputError(f"{path}: no such folder of images")

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


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))
