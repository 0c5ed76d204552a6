"""Archives of arrays (`.npz`) from untrusted sources: headers are checked before use.

An `.npz` is a zip of `.npy` files. Either may lie about its sizes, be damaged, or be made so as to
fill the memory; an array is unpacked only if its type is plain and its size is that
of its shape, and nothing is ever unpickled.
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

from captious.io.inputs import is_gzipped, open_input, read_input

Array = npt.NDArray[Any]

SUFFIX = ".npy"
MAX_HEADER_CHARACTERS = 1000  # characters; NumPy's own take a tenth
MAX_EMPTY_SIZE = 1 << 16  # sides, multiplied, that an array without numbers may have
LOCAL_HEADER = 30  # bytes before each member of a zip, at the least
BYTES_PER_READ = 1 << 20  # bytes unpacked at a time
# Packed arrays seldom shrink to less than a tenth; bombs shrink to a thousandth.
MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO = (
    1 << 28,
    32,
)  # what may be unpacked: so many bytes, or so many times the file's own

# What the libraries raise for a damaged zip, packed stream or header. No pickle is
# ever read, so that nothing else can come out of them.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,  # names that are not UTF-8 among them
    RuntimeError,  # encryption, and compressions that are not there
    OverflowError,
)
_HEADER_ERRORS = (*_ZIP_ERRORS, SyntaxError, TypeError, MemoryError, tokenize.TokenError)


class DamagedArchiveError(Exception):
    """The reason why a file cannot be read as an archive of arrays."""


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
        self._reserved = 0
        self._members = _find_arrays(archive)

    @property
    def names(self) -> list[str]:
        """The names of all arrays."""
        return list(self._members)

    def reserve(self, names: Iterable[str], max_bytes: int) -> None:
        """Raise an error if arrays, with those reserved before, are too large by the directory."""
        size = self._reserved + sum(self._members[name].file_size for name in names)
        allowed = min(max_bytes, max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * self._packed_size))
        if size > allowed:
            raise DamagedArchiveError(
                f"its arrays would take {_format_size(size)}, and {_format_size(allowed)} are "
                f"allowed for a file of {_format_size(self._packed_size)}"
            )
        self._reserved = size

    def read_header(self, name: str) -> PackedArray:
        """Type and shape of an array, from its header."""
        info = self._members[name]
        try:
            stream = self._archive.open(info)
            dtype, shape, by_columns = _read_header(stream)
        except _HEADER_ERRORS as error:
            raise DamagedArchiveError(f"array {name!r}: {describe_error(error)}") from None
        packed = PackedArray(name, dtype, shape, by_columns, stream)
        # An array of nothing may still have absurd sides, and so may one of texts of no letters.
        sides = math.prod(side for side in shape if side) * max(dtype.itemsize, 1)
        sound = min(shape, default=0) >= 0 and stream.tell() + packed.size == info.file_size
        if not sound or sides > max(info.file_size, MAX_EMPTY_SIZE):
            raise DamagedArchiveError(
                f"array {name!r}: damaged (a shape of {_format_shape(shape)} in "
                f"{info.file_size} bytes)"
            )
        return packed

    def unpack(self, packed: PackedArray) -> Array:
        """An array's numbers, in this machine's byte order."""
        try:
            flat = np.empty(math.prod(packed.shape), packed.dtype)
            left = flat.view(np.uint8).data if packed.size else memoryview(b"")
            while len(left):
                part = packed.stream.read(min(BYTES_PER_READ, len(left)))
                if not part:
                    raise EOFError("cut off")
                left[: len(part)] = part
                left = left[len(part) :]
        except MemoryError:
            raise DamagedArchiveError(
                f"array {packed.name!r}: {_format_size(packed.size)} are more than there is memory "
                "for"
            ) from None
        except _ZIP_ERRORS as error:
            raise DamagedArchiveError(f"array {packed.name!r}: {describe_error(error)}") from None
        array = flat.reshape(packed.shape, order="F" if packed.by_columns else "C")
        return array.astype(packed.dtype.newbyteorder("="), copy=False)


@contextmanager
def open_archive(path: str | Path) -> Iterator[Archive]:
    """The arrays of a file, which may be gzipped as a whole."""
    with _open_stream(path) as stream:
        try:
            size = stream.seek(0, os.SEEK_END)
            archive = zipfile.ZipFile(stream)
        except _ZIP_ERRORS as error:
            raise DamagedArchiveError(describe_error(error)) from None
        with archive:
            yield Archive(archive, size)


def describe_error(error: BaseException) -> str:
    """The message of an error, on one line of limited length."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(reason.split())[:120] or type(error).__name__


def _open_stream(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    return io.BytesIO(read_input(path)) if is_gzipped(path) else open_input(path)


def _find_arrays(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members that are arrays, by name; other members are ignored."""
    members: dict[str, zipfile.ZipInfo] = {}
    end = 0
    for info in sorted(archive.infolist(), key=lambda each: each.header_offset):
        if not info.filename.endswith(SUFFIX):
            continue
        name = info.filename.removesuffix(SUFFIX)
        if name in members:
            raise DamagedArchiveError(f"array {name!r} is there twice")
        if info.flag_bits & 1:
            raise DamagedArchiveError(f"array {name!r} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DamagedArchiveError(f"array {name!r} has a compression that NumPy never uses")
        if info.compress_type == zipfile.ZIP_STORED and info.compress_size != info.file_size:
            raise DamagedArchiveError(f"array {name!r} states two different sizes")
        if info.header_offset < end:
            raise DamagedArchiveError(f"array {name!r} overlaps another array")
        end = info.header_offset + LOCAL_HEADER + info.compress_size
        members[name] = info
    return members


def _read_header(stream: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    """Type and shape of an array, and whether it is stored by columns."""
    version = npy.read_magic(stream)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise ValueError(f"version {version[0]}.{version[1]} of .npy, which plain arrays never are")
    with warnings.catch_warnings():  # of Python 2's way to write headers, which does no harm
        warnings.simplefilter("ignore")
        shape, by_columns, dtype = readers[version](stream, max_header_size=MAX_HEADER_CHARACTERS)
    if dtype.hasobject or dtype.subdtype is not None or dtype.names is not None:
        raise ValueError("holds objects or records, not plain numbers or text")
    return dtype, shape, bool(by_columns)


def _format_shape(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))[:60]


def _format_size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
