"""Damage to files of arrays: other numbers, types, shapes and members, and to their zip."""

from __future__ import annotations

import io
import json
import zipfile
from random import Random
from typing import Any

import numpy as np

from tests.fuzz import documents, odd_values
from tests.fuzz.damage import damage_bytes

TYPES = (
    "bool", "int8", "uint8", "int32", "int64", "uint64", ">i4", "float16", "float32", "float64",
    ">f8", "complex128", "U5", "S3", "datetime64[s]", "timedelta64[s]",
)  # fmt: skip


def change_array(array: Any, random: Random) -> Any:
    """The same array with a number, its type or its shape changed."""
    what = random.randrange(8)
    if array.dtype.kind == "U" and what < 5:
        return _change_text(array, random)
    if what < 3 and array.size:
        return _change_number(array, random)
    if what == 3:
        return _change_type(array, random.choice(TYPES))
    if what == 4:
        shapes = ((), (-1,), (1, -1), (-1, 1), (0,), (1, 0), (0, 3))
        return _change_shape(array, random.choice(shapes))
    if what == 5:
        flat = array.reshape(-1)
        kept = random.randint(0, max(0, flat.size))
        return flat[:kept] if array.ndim < 2 else array[: random.randint(0, len(array))]
    if what == 6:
        return np.concatenate([array, array]) if array.ndim else array[None]
    return array[::-1].copy() if array.ndim else np.array(odd_values.number(random), object)


def _change_text(array: Any, random: Random) -> Any:
    """Another text in an array of texts; where it is JSON, another document."""
    texts = array.reshape(-1).tolist()
    if not texts:
        return array
    place = random.randrange(len(texts))
    try:
        document = json.loads(texts[place])
    except ValueError:
        texts[place] = odd_values.text(random)
    else:
        texts[place] = documents.write_json(
            documents.change_document(document, random), random
        ).decode("utf-8", "surrogatepass")
    changed = np.array(texts)
    return changed.reshape(array.shape)


def _change_number(array: Any, random: Random) -> Any:
    changed = array.copy()
    for _ in range(random.choice((1, 1, 3))):
        place = random.randrange(changed.size)
        with np.errstate(all="ignore"):
            number = odd_values.number(random)
            try:
                changed.flat[place] = number
            except (OverflowError, ValueError, TypeError):
                changed.flat[place] = -1 if changed.dtype.kind in "if" else 1
    return changed


def _change_type(array: Any, name: str) -> Any:
    try:
        with np.errstate(all="ignore"):
            return array.astype(name)
    except (TypeError, ValueError, OverflowError):
        return np.zeros(array.shape, name)


def _change_shape(array: Any, shape: tuple[int, ...]) -> Any:
    try:
        return array.reshape(shape)
    except ValueError:
        return np.zeros([max(0, length) for length in shape], array.dtype)


def change_npz(content: bytes, random: Random) -> bytes:
    """An .npz with one to a few of its arrays changed, missing, renamed or joined by others."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not arrays:
            break
        name = random.choice(sorted(arrays))
        what = random.randrange(10)
        if what == 0:
            del arrays[name]
        elif what == 1:
            arrays[random.choice((f"{name}_", name.upper(), "x", "weights_7"))] = arrays.pop(name)
        elif what == 2:
            arrays[f"{name}2"] = arrays[name]
        elif what == 3:
            arrays[name] = arrays[random.choice(sorted(arrays))]
        else:
            arrays[name] = change_array(arrays[name], random)
    return _zip_arrays(arrays, random)


def change_npy(content: bytes, random: Random) -> bytes:
    """An .npy with its array changed."""
    return npy_bytes(change_array(np.load(io.BytesIO(content), allow_pickle=False), random))


def npy_bytes(array: Any) -> bytes:
    """The bytes of an .npy; an array of objects is pickled, as a reader must refuse it."""
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def _zip_arrays(arrays: dict[str, Any], random: Random) -> bytes:
    """A zip of the arrays, whose members may be no arrays, damaged, or packed in other ways."""
    stream = io.BytesIO()
    ways = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    way = random.choices(ways, (6, 6, 1, 1))[0]
    spoilt = random.choice(sorted(arrays)) if arrays and random.random() < 0.15 else None
    with zipfile.ZipFile(stream, "w", way) as archive:
        for name, array in arrays.items():
            content = npy_bytes(array)
            if name == spoilt:
                content = damage_bytes(content, random)
            # One time for all, so that equal arrays are equal bytes.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content, way)
    return stream.getvalue()
