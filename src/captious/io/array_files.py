"""Files of arrays (`.npz`): each kind is declared once, for reading and for writing.

A declaration has the arrays, their types, shapes and bounds:

    >>> points = ArrayFile("a file of points", "measure them again", (
    ...     Member("names", LINES, ("points",)),
    ...     Member("places", DECIMALS, ("points", 2)),
    ... ))

Arrays beyond the declaration are ignored.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.atomic_files import atomic_write
from captious.io.npz import (
    Archive,
    Array,
    DamagedArchiveError,
    PackedArray,
    describe_error,
    open_archive,
)

Record = TypeVar("Record")

MAX_MAGNITUDE = 1e18  # of a decimal number: no larger one was ever learned
MAX_FILE_BYTES = 1 << 30  # of one file's arrays, unless its kind says otherwise
MAX_JSON_CHARACTERS = 1 << 24  # characters
MAX_JSON_DEPTH = 32  # tables and lists within one another
MAX_CODE_POINT = 0x10FFFF
MAX_REASON_CHARACTERS = 300  # characters of an error


@dataclass(frozen=True)
class Kind:
    """What an array may hold; `decode` turns it into the value that it stands for, `encode` back.

    `stored_shape` is the shape in the file where it is not that of the decoded value; a `None` in
    it stands for any number.
    """

    name: str  # in errors
    dtype_kinds: str  # NumPy's letters
    item_sizes: tuple[int, ...] | None = None  # bytes of a number; none: any
    stored_shape: tuple[int | None, ...] | None = None
    decode: Callable[[Array], Any] = lambda array: array
    encode: Callable[[Any], Array] = np.asarray

    def allows(self, dtype: np.dtype[Any]) -> bool:
        """Whether arrays of a type are of this kind."""
        return dtype.kind in self.dtype_kinds and (
            self.item_sizes is None or dtype.itemsize in self.item_sizes or dtype.kind == "U"
        )


def _check_characters(array: Array) -> Array:
    if array.dtype.kind == "U" and array.size:
        letters = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
        if letters.max() > MAX_CODE_POINT:
            raise ValueError("a letter that does not exist")
    return array


def _decode_text(array: Array) -> str:
    return array.tobytes().decode("utf-8", "surrogatepass")


def _decode_lines(array: Array) -> list[str]:
    text = _decode_text(array)
    return text.split("\n") if text else []


def _encode_text(text: str) -> Array:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _encode_lines(lines: Iterable[str]) -> Array:
    return _encode_text("\n".join(lines))


DECIMALS = Kind("decimal numbers", "f", (2, 4, 8))
WHOLE_NUMBERS = Kind("whole numbers", "iu", (1, 2, 4, 8))
FLAGS = Kind("true or false", "b")
NUMBERS = Kind("numbers", "biuf", (1, 2, 4, 8))
NAMES = Kind("names", "Uiu", (1, 2, 4, 8), decode=_check_characters)
ANYTHING = Kind("numbers or text", "biufU", (1, 2, 4, 8), decode=_check_characters)
TEXT = Kind("text in UTF-8", "u", (1,), (None,), _decode_text, _encode_text)
LINES = Kind("lines in UTF-8", "u", (1,), (None,), _decode_lines, _encode_lines)


def json_table(**entries: type | tuple[type, ...]) -> Kind:
    """A table in JSON with at least these entries, each of its type."""

    def decode(array: Array) -> dict[str, Any]:
        if array.dtype.itemsize > 4 * MAX_JSON_CHARACTERS:
            raise ValueError(f"more than {MAX_JSON_CHARACTERS} characters")
        try:
            table = json.loads(str(_check_characters(array)))
        except RecursionError:
            raise ValueError(f"goes deeper than {MAX_JSON_DEPTH} levels") from None
        _check_depth(table, MAX_JSON_DEPTH)
        if not isinstance(table, dict):
            raise ValueError("not a table")
        for name, kind in entries.items():
            if name not in table:
                raise ValueError(f"no entry {name!r}")
            if not isinstance(table[name], kind) or isinstance(table[name], bool):
                raise ValueError(f"{name!r} is of another kind")
        return table

    def encode(table: Mapping[str, Any]) -> Array:
        return np.array(json.dumps(table, ensure_ascii=False, sort_keys=True))

    return Kind("a table in JSON", "U", None, (), decode, encode)


def _check_depth(value: Any, levels: int) -> None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not levels:
        raise ValueError(f"goes deeper than {MAX_JSON_DEPTH} levels")
    for each in inner:
        _check_depth(each, levels - 1)


@dataclass(frozen=True)
class Member:
    """One array of a file.

    `dims` has a name for each dimension, which is as long wherever the name occurs, or a number;
    none at all: any shape. Numbers lie between `low` and `high`, which no NaN does; decimal ones
    that need not be `finite` are left alone.
    """

    name: str
    kind: Kind
    dims: tuple[str | int, ...] | None = ()
    low: float | None = None
    high: float | None = None
    finite: bool = True
    optional: bool = False

    def check_header(self, packed: PackedArray) -> None:
        """An error unless type and number of dimensions are as they should be."""
        if not self.kind.allows(packed.dtype):
            raise ValueError(f"expected {self.kind.name}, found {_describe_dtype(packed.dtype)}")
        shape = self.dims if self.kind.stored_shape is None else self.kind.stored_shape
        if shape is not None and len(packed.shape) != len(shape):
            raise ValueError(f"expected {len(shape)} dimensions, found {len(packed.shape)}")

    def check_values(self, array: Array) -> None:
        """An error unless all numbers lie within their bounds."""
        usual = MAX_MAGNITUDE if array.dtype.kind == "f" and self.finite else math.inf
        low = -usual if self.low is None else self.low
        high = usual if self.high is None else self.high
        if not array.size or (low, high) == (-math.inf, math.inf):
            return
        for number in _min_and_max(array):
            if not low <= number <= high:
                with np.errstate(invalid="ignore"):  # a NaN that signals says so when it is widened
                    wide = array.astype(np.float64)
                place = np.argwhere(~((wide >= low) & (wide <= high)))[0].tolist()
                at = f", at {', '.join(map(str, place))}" if place else ""
                raise ValueError(f"{number:g} lies outside {low:g} to {high:g}{at}")


@dataclass(frozen=True)
class ArrayFile:
    """A kind of file: its name in errors, what to do about a damaged one, and its arrays."""

    name: str
    remedy: str
    members: tuple[Member, ...] = ()
    max_bytes: int = MAX_FILE_BYTES
    compressed: bool = False  # when written

    def read(self, path: str | Path) -> dict[str, Any]:
        """The values of the declared arrays of a file, by name."""
        with self.open(path) as file:
            return file.read(*self.members)

    @contextmanager
    def open(self, path: str | Path) -> Iterator[OpenFile]:
        """Open a file to read its arrays one after another: the first may decide on the others."""
        try:
            with open_archive(path) as archive:
                yield OpenFile(self, path, archive)
        except DamagedArchiveError as error:
            raise self.error(path, str(error)) from None

    def write(self, path: str | Path, contents: Mapping[str, Any]) -> None:
        """Write values, whole or not at all; equal contents give equal files."""
        kinds = {member.name: member.kind for member in self.members}
        arrays: dict[str, Any] = {
            name: kinds[name].encode(value) if name in kinds else np.asarray(value)
            for name, value in contents.items()
        }
        with atomic_write(path) as stream:
            (np.savez_compressed if self.compressed else np.savez)(stream, **arrays)

    def error(self, path: str | Path, reason: str) -> InputError:
        """The error that a file is not of this kind."""
        # The reason may quote the file: none of its characters may end the line, or do worse.
        printable = "".join(each if each.isprintable() else "?" for each in reason)
        reason = printable[:MAX_REASON_CHARACTERS]
        return InputError(f"{path}: not {self.name} ({reason}); {self.remedy}")


class OpenFile:
    """A file of arrays while it is read; `sizes` has how long each named dimension is."""

    def __init__(self, kind: ArrayFile, path: str | Path, archive: Archive) -> None:
        self._kind, self._path, self._archive = kind, path, archive
        self.sizes: dict[str, int] = {}
        self.names = archive.names

    def error(self, reason: str) -> InputError:
        """The error that the file is not of its kind."""
        return self._kind.error(self._path, reason)

    def read(self, *members: Member) -> dict[str, Any]:
        """The values of some arrays; headers are checked before any array is unpacked."""
        wanted = [each for each in members if not each.optional or each.name in self.names]
        for each in wanted:
            if each.name not in self.names:
                there = ", ".join(self.names) or "none"
                raise self.error(f"no array {each.name!r}; its arrays are: {there}")
        self._archive.reserve([each.name for each in wanted], self._kind.max_bytes)
        headers = []
        for each in wanted:
            with self._add_name_to_errors(each):
                packed = self._archive.read_header(each.name)
                each.check_header(packed)
                if each.kind.stored_shape is None:
                    self._check_dims(each, packed.shape)
                headers.append((each, packed))
        return {each.name: self._unpack(each, packed) for each, packed in headers}

    def _unpack(self, member: Member, packed: PackedArray) -> Any:
        array = self._archive.unpack(packed)
        with self._add_name_to_errors(member):
            member.check_values(array)
            value = member.kind.decode(array)
            if member.kind.stored_shape is not None and member.dims:
                self._check_dims(member, (len(value),))
        return value

    def _check_dims(self, member: Member, shape: tuple[int, ...]) -> None:
        """Raise an error unless equally named dimensions are equally long."""
        for dim, size in zip(member.dims or (), shape, strict=False):
            wanted = dim if isinstance(dim, int) else self.sizes.setdefault(dim, size)
            if size != wanted:
                of = "" if isinstance(dim, int) else f" {dim}"
                raise ValueError(f"{size}{of} where {wanted} are expected")

    @contextmanager
    def _add_name_to_errors(self, member: Member) -> Iterator[None]:
        """Add the names of an array and its file to errors."""
        try:
            yield
        except ValueError as error:
            raise self.error(f"array {member.name!r}: {describe_error(error)}") from None


def record_from_table(kind: type[Record], table: Mapping[str, Any]) -> Record:
    """A dataclass from a table with its fields, which may lack those that have a default."""
    known = {field.name: field for field in fields(cast(Any, kind))}
    unknown = [name for name in table if name not in known]
    if unknown:
        raise InputError(f"unknown entry {unknown[0]!r}")
    for name, field in known.items():
        if name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise InputError(f"no entry {name!r}")
    return kind(**table)


def fingerprint(arrays: Mapping[str, Array], choices: str = "") -> str:
    """A hash of all arrays with their names and shapes, and of `choices`."""
    digest = hashlib.sha256(choices.encode())
    for name in sorted(arrays):
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def _min_and_max(array: Array) -> tuple[Any, Any]:
    """The smallest and the largest number; NaN is one of them if it occurs."""
    if array.dtype != np.float16:
        return array.min().item(), array.max().item()
    # NumPy compares halves one by one. Their bits, those of negative numbers turned round, are
    # whole numbers in the same order, NaN beyond both ends, and are compared many at a time.
    ordered = _flip_negative_bits(array.view(np.int16))
    ends = _flip_negative_bits(np.array([ordered.min(), ordered.max()])).view(np.float16)
    return float(ends[0]), float(ends[1])


def _flip_negative_bits(bits: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    return bits ^ ((bits >> 15) & 0x7FFF)


def _describe_dtype(dtype: np.dtype[Any]) -> str:
    return {"U": "text", "S": "bytes", "b": "true or false"}.get(dtype.kind, str(dtype))
