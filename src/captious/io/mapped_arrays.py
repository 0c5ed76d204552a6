"""Tables in a folder: arrays mapped into memory and lists of words, checked before they are used.

Compiled loops read the arrays without looking twice, so that a number out of its bounds would read
or write anywhere. What each file must hold is declared; a file that holds something else is an
error that names it.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.errors import InputError
from captious.io.inputs import open_input, read_input

# How NumPy writes a flat array of whole numbers; what else its format allows is not a table.
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|]\w\d)', 'fortran_order': False, 'shape': \((\d{1,18}),\), \} *\n"
)
_MAX_HEADER_BYTES = 1024


@dataclass(frozen=True)
class IntegerArray:
    """An array of whole numbers: its type, how many there are, and what they are less than.

    `size` and `below` name a count or another array, whose length is meant.
    """

    dtype: str
    size: str | None = None
    below: str | None = None


@dataclass(frozen=True)
class Offsets:
    """Where each of the `rows` begins in the array named, and, last, where it ends."""

    rows: str
    into: str
    longest: int | None = None  # numbers in a row
    tree: bool = False  # rows are the children of nodes: the first begins behind the roots


Declarations = Mapping[str, IntegerArray | Offsets]


def read_arrays(
    folder: Path, declared: Declarations, counts: Mapping[str, int], *, trusted: bool = False
) -> dict[str, IntArray]:
    """The arrays that are declared, each as it is declared, or an `InputError` naming the file.

    Of those that are trusted, what they hold is not read through: that takes longer than all else.
    """
    arrays = {
        name: map_array(
            folder / f"{name}.npy", about.dtype if isinstance(about, IntegerArray) else "<i4"
        )
        for name, about in declared.items()
    }
    if trusted:
        return arrays
    sizes = {name: len(array) for name, array in arrays.items()} | dict(counts)
    for name, about in declared.items():
        path, array = folder / f"{name}.npy", arrays[name]
        if isinstance(about, Offsets):
            _check_offsets(path, array, about, sizes)
        else:
            _check_numbers(path, array, about, sizes)
    return arrays


def map_array(path: Path, dtype: str) -> IntArray:
    """A flat array of the type named, mapped into memory."""
    expected = np.dtype(dtype)
    with open_input(path) as file:
        start = file.read(_MAX_HEADER_BYTES)
        size = file.seek(0, 2)
        # A map outlives the file that it was made of.
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    begin = 10 + int.from_bytes(start[8:10], "little")
    header = _HEADER.fullmatch(start, 10, begin) if start.startswith(_MAGIC) else None
    if header is None or begin > len(start) or begin % 16:
        raise damaged_file_error(path, "is no flat array of whole numbers")
    if header[1].decode() != expected.str:
        raise damaged_file_error(
            path, f"holds numbers of type {header[1].decode()}, not {expected.str}"
        )
    count = int(header[2])
    if size != begin + count * expected.itemsize:
        raise damaged_file_error(path, f"has {size} bytes, not those of {count} numbers")
    array: IntArray = np.frombuffer(content, expected, count, begin)
    return array


def read_text(path: Path) -> str:
    """A file's text."""
    try:
        return read_input(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged_file_error(path, f"is not UTF-8 at byte {error.start}") from None


def read_numbered_lines(path: Path, count: int | None = None) -> dict[str, int]:
    """The lines of a file, all different, with their numbers; as many as there must be."""
    lines = read_text(path).split("\n")
    if count is not None and len(lines) != count:
        raise damaged_file_error(path, f"has {len(lines)} lines, not {count}")
    numbered = dict(zip(lines, range(len(lines)), strict=True))
    if len(numbered) != len(lines):
        raise damaged_file_error(path, "has a line twice")
    return numbered


def damaged_file_error(path: Path, what: str) -> InputError:
    """The error that says what is wrong with a table."""
    return InputError(f"{path}: {what}; build the tables again (tools/build_meteor_tables.py)")


def _check_numbers(
    path: Path, array: IntArray, about: IntegerArray, sizes: Mapping[str, int]
) -> None:
    if about.size is not None and len(array) != sizes[about.size]:
        raise damaged_file_error(path, f"has {len(array)} numbers, not {sizes[about.size]}")
    if about.below is not None and len(array):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= sizes[about.below]:
            raise damaged_file_error(
                path, f"has numbers from {low} to {high}, not below {sizes[about.below]}"
            )


def _check_offsets(path: Path, array: IntArray, about: Offsets, sizes: Mapping[str, int]) -> None:
    rows, end = sizes[about.rows], sizes[about.into]
    if len(array) != rows + 1:
        raise damaged_file_error(path, f"has {len(array)} numbers, not {rows + 1}")
    # In 64 bits, where no difference of two offsets can overflow.
    lengths = np.diff(array.astype(np.int64))
    if (lengths < 0).any() or int(array[-1]) != end or array[0] < 0:
        raise damaged_file_error(path, f"does not ascend to {end}")
    if about.longest is not None and lengths.max(initial=0) > about.longest:
        raise damaged_file_error(
            path, f"has a row of {lengths.max()} numbers, more than {about.longest}"
        )
    if about.tree:
        if (array[:-1] <= np.arange(rows)).any():
            raise damaged_file_error(path, "has a node that is not behind its parent")
    elif array[0] != 0:
        raise damaged_file_error(path, "does not begin with 0")
