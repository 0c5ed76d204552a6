"""Files of arrays: each kind is declared once, for reading and for writing.

A declaration has the arrays, their types, shapes and bounds:

    >>> points = ArrayFile("a file of points", "measure them again", (
    ...     Member("names", LINES, ("points",)),
    ...     Member("places", DECIMALS, ("points", 2)),
    ... ))

What a file holds beyond its declaration is not looked at.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io import npz
from captious.io.atomic_files import atomic_write
from captious.io.npz import Array

Record = TypeVar("Record")

LARGEST = 1e18  # of a decimal number, on either side of 0: what is larger was never learned
MOST_BYTES = 1 << 30  # of one file's arrays, unless its kind says otherwise
LONGEST_ABOUT = 1 << 24  # characters
DEEPEST_ABOUT = 32  # tables and lists within one another
LAST_CHARACTER = 0x10FFFF
LONGEST_REASON = 300  # characters of an error


@dataclass(frozen=True)
class Kind:
    """What an array may hold; `read` makes of it what it stands for, `written` the reverse.

    `stored` has the shape in the file where it is not that of what is read; a `None` in a shape
    stands for any number.
    """

    what: str  # as errors call it
    letters: str  # NumPy's for kinds of types
    widths: tuple[int, ...] | None = None  # bytes of a number; none: any
    stored: tuple[int | None, ...] | None = None
    read: Callable[[Array], Any] = lambda array: array
    written: Callable[[Any], Array] = np.asarray

    def allows(self, dtype: np.dtype[Any]) -> bool:
        """Whether numbers of a type are of this kind."""
        return dtype.kind in self.letters and (
            self.widths is None or dtype.itemsize in self.widths or dtype.kind == "U"
        )


def _names(array: Array) -> Array:
    if array.dtype.kind == "U" and array.size:
        letters = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
        if letters.max() > LAST_CHARACTER:
            raise ValueError("a letter that does not exist")
    return array


def _text(array: Array) -> str:
    return array.tobytes().decode("utf-8", "surrogatepass")


def _lines(array: Array) -> list[str]:
    text = _text(array)
    return text.split("\n") if text else []


def _bytes(text: str) -> Array:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


DECIMALS = Kind("decimal numbers", "f", (2, 4, 8))
WHOLE = Kind("whole numbers", "iu", (1, 2, 4, 8))
FLAGS = Kind("true or false", "b")
NUMBERS = Kind("numbers", "biuf", (1, 2, 4, 8))
NAMES = Kind("names", "Uiu", (1, 2, 4, 8), read=_names)
ANYTHING = Kind("numbers or text", "biufU", (1, 2, 4, 8), read=_names)
TEXT = Kind("text in UTF-8", "u", (1,), (None,), _text, _bytes)
LINES = Kind("lines in UTF-8", "u", (1,), (None,), _lines, lambda lines: _bytes("\n".join(lines)))


def about(**entries: type | tuple[type, ...]) -> Kind:
    """A table in JSON with at least these entries, each of its type."""

    def read(array: Array) -> dict[str, Any]:
        if array.dtype.itemsize > 4 * LONGEST_ABOUT:
            raise ValueError(f"more than {LONGEST_ABOUT} characters")
        try:
            table = json.loads(str(_names(array)))
        except RecursionError:
            raise ValueError(f"goes deeper than {DEEPEST_ABOUT} levels") from None
        _check_depth(table, DEEPEST_ABOUT)
        if not isinstance(table, dict):
            raise ValueError("not a table")
        for name, kind in entries.items():
            if name not in table:
                raise ValueError(f"no entry {name!r}")
            if not isinstance(table[name], kind) or isinstance(table[name], bool):
                raise ValueError(f"{name!r} is of another kind")
        return table

    def written(table: Mapping[str, Any]) -> Array:
        return np.array(json.dumps(table, ensure_ascii=False, sort_keys=True))

    return Kind("a table in JSON", "U", None, (), read, written)


def _check_depth(value: Any, deepest: int) -> None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not deepest:
        raise ValueError(f"goes deeper than {DEEPEST_ABOUT} levels")
    for each in inner:
        _check_depth(each, deepest - 1)


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

    def check_header(self, packed: npz.PackedArray) -> None:
        """An error unless type and number of dimensions are as they should be."""
        if not self.kind.allows(packed.dtype):
            raise ValueError(f"expected {self.kind.what}, found {_described(packed.dtype)}")
        wanted = self.dims if self.kind.stored is None else self.kind.stored
        if wanted is not None and len(packed.shape) != len(wanted):
            raise ValueError(f"expected {len(wanted)} dimensions, found {len(packed.shape)}")

    def check_values(self, array: Array) -> None:
        """An error unless all numbers lie within their bounds."""
        usual = LARGEST if array.dtype.kind == "f" and self.finite else math.inf
        low = -usual if self.low is None else self.low
        high = usual if self.high is None else self.high
        if not array.size or (low, high) == (-math.inf, math.inf):
            return
        for number in _ends(array):
            if not low <= number <= high:
                with np.errstate(invalid="ignore"):  # a NaN that signals says so when it is widened
                    wide = array.astype(np.float64)
                place = np.argwhere(~((wide >= low) & (wide <= high)))[0].tolist()
                at = f", at {', '.join(map(str, place))}" if place else ""
                raise ValueError(f"{number:g} lies outside {low:g} to {high:g}{at}")


@dataclass(frozen=True)
class ArrayFile:
    """A kind of file: what errors call it, what to do about one that is not sound, its arrays."""

    what: str
    how: str
    members: tuple[Member, ...] = ()
    most: int = MOST_BYTES
    packed: bool = False  # when written

    def read(self, path: str | Path) -> dict[str, Any]:
        """What the declared arrays of a file stand for, by name."""
        with self.opened(path) as file:
            return file.read(*self.members)

    @contextmanager
    def opened(self, path: str | Path) -> Iterator[OpenFile]:
        """A file whose arrays are read one after another, as what is read first decides."""
        try:
            with npz.opened_archive(path) as archive:
                yield OpenFile(self, path, archive)
        except npz.UnsoundArchiveError as error:
            raise self.unsound(path, str(error)) from None

    def write(self, path: str | Path, contents: Mapping[str, Any]) -> None:
        """Write what arrays stand for, whole or not at all; equal contents give equal files."""
        kinds = {member.name: member.kind for member in self.members}
        arrays: dict[str, Any] = {
            name: kinds[name].written(value) if name in kinds else np.asarray(value)
            for name, value in contents.items()
        }
        with atomic_write(path) as stream:
            (np.savez_compressed if self.packed else np.savez)(stream, **arrays)

    def unsound(self, path: str | Path, reason: str) -> InputError:
        """The error that a file is not of this kind."""
        # What is told may come out of the file: no letter of it may end the line, or do worse.
        told = "".join(each if each.isprintable() else "?" for each in reason)[:LONGEST_REASON]
        return InputError(f"{path}: not {self.what} ({told}); {self.how}")


class OpenFile:
    """A file of arrays while it is read; `sizes` has how long each named dimension is."""

    def __init__(self, kind: ArrayFile, path: str | Path, archive: npz.Archive) -> None:
        self._kind, self._path, self._archive = kind, path, archive
        self.sizes: dict[str, int] = {}
        self.names = archive.names

    def unsound(self, reason: str) -> InputError:
        """The error that the file is not of its kind."""
        return self._kind.unsound(self._path, reason)

    def read(self, *members: Member) -> dict[str, Any]:
        """What some arrays stand for; all that can be known before is checked before."""
        wanted = [each for each in members if not each.optional or each.name in self.names]
        for each in wanted:
            if each.name not in self.names:
                there = ", ".join(self.names) or "none"
                raise self.unsound(f"no array {each.name!r}; its arrays are: {there}")
        self._archive.ask_for([each.name for each in wanted], self._kind.most)
        headers = []
        for each in wanted:
            with self._naming(each):
                packed = self._archive.packed(each.name)
                each.check_header(packed)
                if each.kind.stored is None:
                    self._fit(each, packed.shape)
                headers.append((each, packed))
        return {each.name: self._unpacked(each, packed) for each, packed in headers}

    def _unpacked(self, member: Member, packed: npz.PackedArray) -> Any:
        array = self._archive.unpack(packed)
        with self._naming(member):
            member.check_values(array)
            value = member.kind.read(array)
            if member.kind.stored is not None and member.dims:
                self._fit(member, (len(value),))
        return value

    def _fit(self, member: Member, shape: tuple[int, ...]) -> None:
        """Every dimension is as long as its name says, which the first to have it decides."""
        for dim, size in zip(member.dims or (), shape, strict=False):
            wanted = dim if isinstance(dim, int) else self.sizes.setdefault(dim, size)
            if size != wanted:
                of = "" if isinstance(dim, int) else f" {dim}"
                raise ValueError(f"{size}{of} where {wanted} are expected")

    @contextmanager
    def _naming(self, member: Member) -> Iterator[None]:
        """An error of one array names it, and the file."""
        try:
            yield
        except ValueError as error:
            raise self.unsound(f"array {member.name!r}: {npz.one_line(error)}") from None


def record_of(kind: type[Record], table: Mapping[str, Any]) -> Record:
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
    """A hash of all arrays with their names and shapes, and of what else is to be told apart."""
    digest = hashlib.sha256(choices.encode())
    for name in sorted(arrays):
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def _ends(array: Array) -> tuple[Any, Any]:
    """The least and the largest number; NaN is one of them if it occurs."""
    if array.dtype != np.float16:
        return array.min().item(), array.max().item()
    # NumPy compares halves one by one. Their bits, those of negative numbers turned round, are
    # whole numbers in the same order, NaN beyond both ends, and are compared many at a time.
    ordered = _turned(array.view(np.int16))
    ends = _turned(np.array([ordered.min(), ordered.max()])).view(np.float16)
    return float(ends[0]), float(ends[1])


def _turned(bits: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    return bits ^ ((bits >> 15) & 0x7FFF)


def _described(dtype: np.dtype[Any]) -> str:
    return {"U": "text", "S": "bytes", "b": "true or false"}.get(dtype.kind, str(dtype))
