"""Ways in which a file of arrays can be damaged or crafted: bytes, members, headers, tables."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib import format as npy

Chance = np.random.Generator
CENTRAL, LOCAL = b"PK\x01\x02", b"PK\x03\x04"


def _place(data: bytes, chance: Chance) -> int:
    """A place in a file, often in the zip's directory, where little damage does much."""
    directory = data.find(CENTRAL)
    if directory > 0 and chance.random() < 0.5:
        return int(chance.integers(directory, len(data)))
    return int(chance.integers(len(data)))


def flipped_bit(data: bytes, chance: Chance) -> bytes:
    changed = bytearray(data)
    changed[_place(data, chance)] ^= 1 << int(chance.integers(8))
    return bytes(changed)


def changed_bytes(data: bytes, chance: Chance) -> bytes:
    changed = bytearray(data)
    for _ in range(int(chance.integers(1, 9))):
        changed[_place(data, chance)] = int(chance.integers(256))
    return bytes(changed)


def cut_off(data: bytes, chance: Chance) -> bytes:
    return data[: int(chance.integers(len(data)))]


def swapped(data: bytes, chance: Chance) -> bytes:
    first, second = sorted((_place(data, chance), _place(data, chance)))
    size = int(chance.integers(1, 40))
    parts = (data[:first], data[second : second + size], data[first + size : second])
    return b"".join((*parts, data[first : first + size], data[second + size :]))


def repeated(data: bytes, chance: Chance) -> bytes:
    first, second = sorted((_place(data, chance), _place(data, chance)))
    return data[:second] + data[first:]


def contents(data: bytes) -> dict[str, bytes]:
    """The members of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def zipped(
    members: dict[str, bytes] | list[tuple[str, bytes]], compression: int = zipfile.ZIP_DEFLATED
) -> bytes:
    stream = io.BytesIO()
    listed = members.items() if isinstance(members, dict) else members
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", compression) as archive:
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, data in listed:
            archive.writestr(name, data)
    return stream.getvalue()


def npy_of(array: Any, pickled: bool = False) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        npy.write_array(stream, np.asanyarray(array), allow_pickle=pickled)
    return stream.getvalue()


def array_of(data: bytes) -> Any:
    return npy.read_array(io.BytesIO(data), allow_pickle=False)


def _chosen(members: dict[str, bytes], chance: Chance) -> str:
    return list(members)[int(chance.integers(len(members)))]


# What an array is made into; whatever fails for an array leaves it as it is.
OTHER_ARRAYS: list[Callable[[Any], Any]] = [
    lambda array: array.reshape(-1)[0],
    lambda array: array.reshape(-1),
    lambda array: array[None],
    lambda array: array[:0],
    lambda array: array[1:],
    lambda array: np.concatenate([array, array]),
    lambda array: array.T,
    lambda array: np.asfortranarray(array),
    lambda array: array.astype(array.dtype.newbyteorder(">")),
    lambda array: array.astype(np.float64),
    lambda array: array.astype(np.float16),
    lambda array: array.astype(np.int64),
    lambda array: array.astype(np.uint8),
    lambda array: array.astype(np.bool_),
    lambda array: array.astype(np.complex128),
    lambda array: array.astype(np.longdouble),
    lambda array: array.astype("S3"),
    lambda array: array.astype("U3"),
    lambda array: array.astype("M8[s]"),
    lambda array: np.full_like(array, np.nan),
    lambda array: np.full_like(array, np.inf),
    lambda array: np.full_like(array, -1),
    lambda array: np.full_like(array, 0),
    lambda array: array.astype(np.float64) * 1e300,
    lambda array: array.astype(np.float32) * np.float32(1e38),
    lambda array: array + 1,
    lambda array: array * 0 + np.iinfo(array.dtype).max,
    lambda array: array * 0 + np.iinfo(array.dtype).min,
    lambda array: np.array("text"),
    lambda array: np.array(["text", "more"]),
    lambda array: np.zeros((2, 2, 2, 2)),
    lambda array: np.zeros(3, [("a", "f4"), ("b", "i4")]),
    lambda array: np.zeros((0, 3)),
]  # fmt: skip


def other_array(data: bytes, chance: Chance) -> bytes:
    members = contents(data)
    name = _chosen(members, chance)
    make = OTHER_ARRAYS[int(chance.integers(len(OTHER_ARRAYS)))]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            members[name] = npy_of(make(array_of(members[name])))
        except (ValueError, TypeError, IndexError, OverflowError):
            members[name] = npy_of(np.zeros(()))
    return zipped(members)


def object_array(data: bytes, chance: Chance) -> bytes:
    members = contents(data)
    members[_chosen(members, chance)] = npy_of(np.array([{"a": 1}], object), pickled=True)
    return zipped(members)


def one_number(data: bytes, chance: Chance) -> bytes:
    """One number of an array changed, the checksum right."""
    members = contents(data)
    name = _chosen(members, chance)
    array = array_of(members[name]).copy()
    if array.size and array.dtype.kind in "biuf":
        kinds: dict[str, list[Any]] = {
            "f": [np.nan, np.inf, -np.inf, 0, -1, 6e4],
            "b": [True, False],
        }
        usual = [0, 1, 2, 127, 100] if array.dtype.kind != "u" else [0, 1, 200, 255, 10]
        values = kinds.get(array.dtype.kind, usual)
        array.reshape(-1)[int(chance.integers(array.size))] = values[
            int(chance.integers(len(values)))
        ]
    members[name] = npy_of(array)
    return zipped(members)


def other_members(data: bytes, chance: Chance) -> bytes:
    members = list(contents(data).items())
    place = int(chance.integers(len(members)))
    name, content = members[place]
    choice = int(chance.integers(6))
    if choice == 0:
        del members[place]
    elif choice == 1:
        members[place] = (name[::-1] + ".npy", content)
    elif choice == 2:
        members.append((name, content))
    elif choice == 3:
        members[place] = (name.removesuffix(".npy"), content)
    elif choice == 4:
        members[place] = (name, members[int(chance.integers(len(members)))][1])
    else:
        members = []
    return zipped(members)


HEADERS = [
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 99999999999999999999), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, -8), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (True, 4), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 90 + "), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 800 + ",), }",
    "{'descr': '<U0', 'fortran_order': False, 'shape': (999999999999,), }",
    "{'descr': '<U2000000000', 'fortran_order': False, 'shape': (), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
    "{'descr': '|V0', 'fortran_order': False, 'shape': (9999999999,), }",
    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': ('<f4', (3,)), 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4,<i8', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (1L,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }",
    "{'descr': '\\d', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': __import__('os').getpid(), 'fortran_order': False, 'shape': (1,), }",
    "{[]: 1}",
    "(" * 900,
    "-" * 900 + "1",
    "not " * 220 + "1",
    "a." * 450,
    "'''",
    "",
    "{",
    "\x00",
    "9" * 950,
]


def other_header(data: bytes, chance: Chance) -> bytes:
    """An array whose header says something else of it."""
    members = contents(data)
    name = _chosen(members, chance)
    header = HEADERS[int(chance.integers(len(HEADERS)))].encode() + b"\n"
    version, length = (1, "<H") if chance.random() < 0.7 else (int(chance.integers(2, 5)), "<I")
    said = len(header) + int(chance.choice([0, 0, 0, 7, -1]))
    start = b"\x93NUMPY" + bytes([version, 0]) + struct.pack(length, max(said, 0))
    members[name] = start + header + members[name][int(chance.integers(10, 129)) :]
    return zipped(members)


def other_flags(data: bytes, chance: Chance) -> bytes:
    """Encryption, an unknown compression or lying sizes, in the directory and perhaps before data.

    The fields of a zip's directory are at fixed places after its mark, two before those of the
    header that stands before the data.
    """
    changed = bytearray(data)
    entry = _nth(data, CENTRAL, chance)
    if entry < 0:
        return data
    field, size = [(8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (30, 2), (42, 4)][
        int(chance.integers(8))
    ]
    values = [0, 1, 0x41, 8, 12, 14, 99, 0xFFFF, 0xFFFFFFFE, 0xFFFFFFFF, int(chance.integers(4096))]
    value = values[int(chance.integers(len(values)))] % (1 << 8 * size)
    changed[entry + field : entry + field + size] = value.to_bytes(size, "little")
    if chance.random() < 0.5 and field < 28:
        offset = int.from_bytes(data[entry + 42 : entry + 46], "little")
        place = offset + field - 2
        changed[place : place + size] = value.to_bytes(size, "little")
    return bytes(changed)


def _nth(data: bytes, mark: bytes, chance: Chance) -> int:
    places = [place for place in range(len(data) - 3) if data[place : place + 4] == mark]
    return places[int(chance.integers(len(places)))] if places else -1


def bomb(data: bytes, chance: Chance) -> bytes:
    """An array that says it has 8 GB, in its header, in the directory or in both."""
    members = contents(data)
    bad = _chosen(members, chance)
    dtype = array_of(members[bad]).dtype
    count = (1 << 33) // max(dtype.itemsize, 1)
    header = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': ({count},), }}\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    in_directory = chance.random() < 0.7
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, start + bytes(1 << 16) if name == bad else content)
            if name == bad and in_directory:
                archive.filelist[-1].file_size = len(start) + (1 << 33)
    return stream.getvalue()


OTHER_VALUES: list[Any] = [
    None, True, 0, -1, 1, 10**30, 10**400, 1.5, float("nan"), 1e308, "", "x", "max", [], [1], [[]],
    {}, {"a": 1}, ["x", 1], "\ud800", "\0",
]  # fmt: skip


def other_table(data: bytes, chance: Chance) -> bytes:
    """A value of the table in JSON replaced, lost or wrapped up."""
    members = contents(data)
    name = "about.npy"
    if name not in members:
        return other_array(data, chance)
    table = json.loads(str(array_of(members[name])))
    if chance.random() < 0.05:
        text = "[" * 100_000 if chance.random() < 0.5 else '{"a":' * 500 + "1" + "}" * 500
    else:
        _change(table, chance)
        text = json.dumps(table)
    members[name] = npy_of(np.array(text))
    return zipped(members)


def _change(value: Any, chance: Chance) -> None:
    """Something within a table or a list, at any depth, becomes something else."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = keys[int(chance.integers(len(keys)))]
    if isinstance(value[key], dict | list) and value[key] and chance.random() < 0.7:
        _change(value[key], chance)
    elif chance.random() < 0.15:
        del value[key]
    else:
        value[key] = OTHER_VALUES[int(chance.integers(len(OTHER_VALUES)))]


def other_packing(data: bytes, chance: Chance) -> bytes:
    kinds = (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    return zipped(contents(data), kinds[int(chance.integers(len(kinds)))])


def bad_stream(data: bytes, chance: Chance) -> bytes:
    """Packed data that do not unpack, or go on, with sizes and checksum that look right."""
    members = contents(data)
    name = _chosen(members, chance)
    plain = members.pop(name)
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(plain + bytes(int(chance.integers(2000)))) + packer.flush()
    if chance.random() < 0.7:
        packed = changed_bytes(packed, chance)
    whole = zipped({name: packed, **members}, zipfile.ZIP_STORED)  # the first of all
    changed = bytearray(whole)
    crc, sizes = zlib.crc32(plain), (len(packed), len(plain))
    for mark, field in ((LOCAL, 8), (CENTRAL, 10)):
        place = whole.find(mark) + field
        changed[place : place + 2] = (8).to_bytes(2, "little")
        changed[place + 6 : place + 18] = struct.pack("<III", crc, *sizes)
    return bytes(changed)


MUTATIONS: list[Callable[[bytes, Chance], bytes]] = [
    flipped_bit, changed_bytes, cut_off, swapped, repeated, other_array, object_array, one_number,
    other_members, other_header, other_flags, bomb, other_table, other_packing, bad_stream,
]  # fmt: skip
