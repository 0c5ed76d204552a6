"""Archives of arrays (`.npz`) from anybody: what they say of themselves is checked before use.

An `.npz` is a zip of `.npy` files. Either may lie about its sizes, be damaged, or be made so as to
fill the memory; nothing is unpacked that was not found to be of a plain type and of the size that
its shape asks for, and nothing is ever unpickled.
"""

from __future__ import annotations

import io
import math
import os
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from captious.io.inputs import is_packed, open_input, read_input

Array = npt.NDArray[Any]

SUFFIX = ".npy"
LONGEST_HEADER = 1000  # characters; NumPy's own take a tenth
LARGEST_EMPTY = 1 << 16  # sides, multiplied, that an array without numbers may have
LOCAL_HEADER = 30  # bytes before each member of a zip, at the least
CHUNK = 1 << 20  # bytes unpacked at a time
# Packed arrays seldom shrink to less than a tenth; bombs shrink to a thousandth.
ROOM, RATIO = 1 << 28, 32  # what may be unpacked: so many bytes, or so many times the file's own

# What the libraries raise for a zip, a packed stream or a header that is not sound. No pickle is
# ever read, so that nothing else can come out of them.
_OF_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,  # names that are not UTF-8 among them
    RuntimeError,  # encryption, and compressions that are not there
    OverflowError,
)
_OF_HEADER = (*_OF_ZIP, SyntaxError, TypeError, MemoryError, tokenize.TokenError)


class UnsoundArchiveError(Exception):
    """Why a file cannot be read as an archive of arrays."""


class PackedArray(NamedTuple):
    """One array that is not unpacked yet: its type and shape, and where its numbers come from."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    by_columns: bool
    stream: IO[bytes]

    @property
    def size(self) -> int:
        """Bytes that its numbers take."""
        return math.prod(self.shape) * self.dtype.itemsize


class Archive:
    """The arrays of an open file, by name."""

    def __init__(self, archive: zipfile.ZipFile, packed_size: int) -> None:
        self._archive = archive
        self._packed_size = packed_size
        self._asked_for = 0
        self._members = _arrays_in(archive)

    @property
    def names(self) -> list[str]:
        """The names of all arrays."""
        return list(self._members)

    def ask_for(self, names: Iterable[str], most: int) -> None:
        """An error if arrays, with those asked for before, are too large, as the directory says."""
        size = self._asked_for + sum(self._members[name].file_size for name in names)
        allowed = min(most, max(ROOM, RATIO * self._packed_size))
        if size > allowed:
            raise UnsoundArchiveError(
                f"its arrays would take {_shown(size)}, and {_shown(allowed)} are allowed "
                f"for a file of {_shown(self._packed_size)}"
            )
        self._asked_for = size

    def packed(self, name: str) -> PackedArray:
        """What an array says of itself."""
        info = self._members[name]
        try:
            stream = self._archive.open(info)
            dtype, shape, by_columns = _header(stream)
        except _OF_HEADER as error:
            raise UnsoundArchiveError(f"array {name!r}: {one_line(error)}") from None
        packed = PackedArray(name, dtype, shape, by_columns, stream)
        # An array of nothing may still have absurd sides, and so may one of texts of no letters.
        sides = math.prod(side for side in shape if side) * max(dtype.itemsize, 1)
        sound = min(shape, default=0) >= 0 and stream.tell() + packed.size == info.file_size
        if not sound or sides > max(info.file_size, LARGEST_EMPTY):
            raise UnsoundArchiveError(
                f"array {name!r}: damaged (a shape of {_sides(shape)} in {info.file_size} bytes)"
            )
        return packed

    def unpack(self, packed: PackedArray) -> Array:
        """An array's numbers, in this machine's byte order."""
        try:
            flat = np.empty(math.prod(packed.shape), packed.dtype)
            left = flat.view(np.uint8).data if packed.size else memoryview(b"")
            while len(left):
                part = packed.stream.read(min(CHUNK, len(left)))
                if not part:
                    raise EOFError("cut off")
                left[: len(part)] = part
                left = left[len(part) :]
        except MemoryError:
            raise UnsoundArchiveError(
                f"array {packed.name!r}: {_shown(packed.size)} are more than there is memory for"
            ) from None
        except _OF_ZIP as error:
            raise UnsoundArchiveError(f"array {packed.name!r}: {one_line(error)}") from None
        array = flat.reshape(packed.shape, order="F" if packed.by_columns else "C")
        return array.astype(packed.dtype.newbyteorder("="), copy=False)


@contextmanager
def opened_archive(path: str | Path) -> Iterator[Archive]:
    """The arrays of a file, which may be gzipped as a whole."""
    with _opened(path) as stream:
        try:
            size = stream.seek(0, os.SEEK_END)
            archive = zipfile.ZipFile(stream)
        except _OF_ZIP as error:
            raise UnsoundArchiveError(one_line(error)) from None
        with archive:
            yield Archive(archive, size)


def one_line(error: BaseException) -> str:
    """What an error says, on one line that is not too long."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(reason.split())[:120] or type(error).__name__


def _opened(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    return io.BytesIO(read_input(path)) if is_packed(path) else open_input(path)


def _arrays_in(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members that are arrays, by name; other members are nobody's business."""
    members: dict[str, zipfile.ZipInfo] = {}
    end = 0
    for info in sorted(archive.infolist(), key=lambda each: each.header_offset):
        if not info.filename.endswith(SUFFIX):
            continue
        name = info.filename.removesuffix(SUFFIX)
        if name in members:
            raise UnsoundArchiveError(f"array {name!r} is there twice")
        if info.flag_bits & 1:
            raise UnsoundArchiveError(f"array {name!r} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnsoundArchiveError(f"array {name!r} has a compression that NumPy never uses")
        if info.compress_type == zipfile.ZIP_STORED and info.compress_size != info.file_size:
            raise UnsoundArchiveError(f"array {name!r} states two different sizes")
        if info.header_offset < end:
            raise UnsoundArchiveError(f"array {name!r} overlaps another array")
        end = info.header_offset + LOCAL_HEADER + info.compress_size
        members[name] = info
    return members


def _header(stream: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    """Type and shape of an array, and whether it is stored by columns."""
    version = npy.read_magic(stream)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise ValueError(f"version {version[0]}.{version[1]} of .npy, which plain arrays never are")
    with warnings.catch_warnings():  # of Python 2's way to write headers, which does no harm
        warnings.simplefilter("ignore")
        shape, by_columns, dtype = readers[version](stream, max_header_size=LONGEST_HEADER)
    if dtype.hasobject or dtype.subdtype is not None or dtype.names is not None:
        raise ValueError("holds objects or records, not plain numbers or text")
    return dtype, shape, bool(by_columns)


def _sides(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))[:60]


def _shown(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
