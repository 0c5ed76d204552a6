"""Read MATLAB files of version 5, as far as judgements are distributed in them.

A text is a `str`, an array of numbers is flat, an array of cells is a list, and an array of
structures is a list of dicts. Every size in a file is checked before it is used: one
wrong byte can crash SciPy's reader, and the process with it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from captious.errors import InputError
from captious.io.inputs import MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO, read_input

HEADER_BYTES = 128  # bytes before the first element
MATRIX, COMPRESSED = 14, 15  # kinds of elements
NUMBERS = dict(
    zip((1, 2, 3, 4, 5, 6, 7, 9, 12, 13), "i1 u1 i2 u2 i4 u4 f4 f8 i8 u8".split(), strict=True)
)
TEXTS = {1: "latin1", 2: "latin1", 4: "utf-16", 16: "utf8", 17: "utf-16", 18: "utf-32"}
CELL, STRUCTURE, TEXT = 1, 2, 4  # classes of arrays
NUMERIC = range(6, 16)
MAX_DEPTH = 16  # arrays inside arrays; judgements have four

Order = Literal["little", "big"]


def read_mat(path: Path, *names: str) -> list[Any]:
    """Read the named variables of a MATLAB file."""
    data = read_input(path)
    try:
        variables = _read_variables(data, names)
    except (ValueError, zlib.error) as error:
        raise InputError(f"{path}: not a valid MATLAB file ({error}); download it again") from None
    for name in names:
        if name not in variables:
            raise InputError(f"{path}: no variable {name!r}; is this the file as distributed?")
    return [variables[name] for name in names]


@dataclass
class _Elements:
    """A cursor over the elements of a part of a file, each of a kind and some bytes."""

    data: memoryview
    order: Order
    place: int = 0

    def next(self, *kinds: int) -> tuple[int, memoryview]:
        """The next element, which must be of one of these kinds where any are named."""
        kind, size = self._number(self.place), self._number(self.place + 4)
        start = self.place + 8
        if kind >> 16:  # a small one: kind, size and bytes share eight bytes
            kind, size, start = kind & 0xFFFF, kind >> 16, self.place + 4
        contents = self.data[start : start + size]
        if len(contents) < size or (start == self.place + 4 and size > 4):
            raise ValueError("an element is longer than the file")
        if kinds and kind not in kinds:
            raise ValueError(f"an element of kind {kind} where {kinds[0]} belongs")
        padded = size if kind == COMPRESSED else -(-size // 8) * 8
        self.place = start + (4 if start == self.place + 4 else padded)
        return kind, contents

    def all(self) -> Iterator[tuple[int, memoryview]]:
        """All elements to the end."""
        while self.place < len(self.data):
            yield self.next()

    def numbers(self) -> Any:
        """The next element, as numbers."""
        kind, numbers = self.next(*NUMBERS)
        dtype = np.dtype(NUMBERS[kind]).newbyteorder("<" if self.order == "little" else ">")
        return np.frombuffer(numbers, dtype)

    def text(self) -> str:
        """The next element, as text."""
        kind, letters = self.next(*TEXTS)
        ending = f"-{self.order[0]}e" if TEXTS[kind].startswith("utf-") else ""
        return str(letters, TEXTS[kind] + ending)

    def integers(self) -> tuple[int, ...]:
        """The next element, as whole numbers of 32 bits."""
        kind, numbers = self.next(5, 6)
        form = f"{'<' if self.order == 'little' else '>'}{len(numbers) // 4}{'iI'[kind - 5]}"
        return struct.unpack(form, numbers[: len(numbers) // 4 * 4])

    def _number(self, place: int) -> int:
        if place + 4 > len(self.data):
            raise ValueError("it is cut off")
        return int.from_bytes(self.data[place : place + 4], self.order)


def _read_variables(data: bytes, names: tuple[str, ...]) -> dict[str, Any]:
    if len(data) < HEADER_BYTES or data[HEADER_BYTES - 2 : HEADER_BYTES] not in (b"IM", b"MI"):
        raise ValueError("it does not begin as one of version 5")
    order: Order = "little" if data[HEADER_BYTES - 2 : HEADER_BYTES] == b"IM" else "big"
    room = max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * len(data))
    variables: dict[str, Any] = {}
    for kind, part in _Elements(memoryview(data)[HEADER_BYTES:], order).all():
        if kind == COMPRESSED:
            unpacker = zlib.decompressobj()
            unpacked = unpacker.decompress(part, room)
            room -= len(unpacked)
            if unpacker.unconsumed_tail or room <= 0:
                raise ValueError("it unpacks without end")
            kind, part = _Elements(memoryview(unpacked), order).next(MATRIX)
        if kind == MATRIX:
            name, value = _read_array(_Elements(part, order), names, 0)
            variables |= {name: value} if name in names else {}
    return variables


def _read_array(elements: _Elements, names: tuple[str, ...], depth: int) -> tuple[str, Any]:
    """Return the name and the contents of an array; variables other than `names` are skipped."""
    if not len(elements.data):
        return "", np.zeros(0)
    if depth > MAX_DEPTH:
        raise ValueError("arrays inside arrays without end")
    flags, sizes, name = elements.integers(), elements.integers(), elements.text()
    if depth == 0 and name not in names:
        return name, None
    if not flags or not sizes or min(sizes) < 0:
        raise ValueError("an array without a size")
    kind, count = flags[0] & 0xFF, prod(sizes)
    if kind == TEXT:
        return name, elements.text()[:: max(1, sizes[0])]  # columns first: the first row
    if kind in NUMERIC:
        return name, elements.numbers()
    if kind == CELL:
        return name, _read_parts(elements, count, depth)
    if kind == STRUCTURE:
        (length,), fields = elements.integers(), elements.text()
        if length < 1 or not fields:
            raise ValueError("a structure without names")
        starts = range(0, len(fields), length)
        labels = [fields[start : start + length].partition("\0")[0] for start in starts]
        values = iter(_read_parts(elements, count * len(labels), depth))
        return name, [dict(zip(labels, row)) for row in zip(*[values] * len(labels))]  # noqa: B905
    raise ValueError(f"an array of class {kind}")


def _read_parts(elements: _Elements, count: int, depth: int) -> list[Any]:
    """Return the arrays inside an array."""
    if count * 8 > len(elements.data):  # each has a kind and a size at least
        raise ValueError("an array is longer than the file")
    order = elements.order
    inside = (_Elements(elements.next(MATRIX)[1], order) for _ in range(count))
    return [_read_array(each, (), depth + 1)[1] for each in inside]
