"""Files of word probabilities: `.npz` without pickle, or rows of captions, as in Parquet."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, offsets_of
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.array_arguments import as_booleans, as_floats, check_flat
from captious.errors import InputError
from captious.io.array_files import NAMES, NUMBERS, WHOLE_NUMBERS, ArrayFile, Member
from captious.io.formats import read_table, write_columns
from captious.io.input_tables import InputTable, describe
from captious.pregen.inputs import BoolArray
from captious.pregen.probabilities import WordProbabilities

SUFFIX = ".npz"
ARRAYS = ("probabilities", "is_first", "caption_offsets", "image_offsets")
IMAGES = "images"
ROW_IMAGE = ("image", "image_id", "id")
FILE = ArrayFile(
    f"a valid {SUFFIX} file of word probabilities",
    "write it again, as docs/pregen.md says",
    (
        Member("probabilities", NUMBERS, ("words",), finite=False),  # checked word by word
        Member("is_first", NUMBERS, ("words",)),
        Member("caption_offsets", WHOLE_NUMBERS, ("captions and one",)),
        Member("image_offsets", WHOLE_NUMBERS, ("images and one",)),
        Member(IMAGES, NAMES, ("images",), optional=True),
    ),
    max_bytes=1 << 33,
    compressed=True,
)


@check_arguments
def read_probabilities(path: str | Path) -> WordProbabilities:
    """Word probabilities from a file: `.npz`, or rows of image, probabilities and is_first."""
    if str(path).lower().endswith(SUFFIX):
        arrays = FILE.read(path)
        images = tuple(arrays[IMAGES].tolist()) if IMAGES in arrays else None
        try:
            return WordProbabilities(**{name: arrays[name] for name in ARRAYS}, images=images)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    return _read_rows(read_table(path))


@check_arguments
def write_probabilities(path: str | Path, words: WordProbabilities) -> None:
    """Write `.npz`, or one row a caption in a format that holds lists (`.parquet`, `.jsonl`)."""
    if str(path).lower().endswith(SUFFIX):
        arrays: dict[str, Any] = {name: getattr(words, name) for name in ARRAYS}
        if words.images is not None:
            arrays[IMAGES] = np.array([str(image) for image in words.images])
        FILE.write(path, arrays)
        return
    if not {".csv", ".tsv"}.isdisjoint(Path(path).suffixes):
        raise InputError(
            f"{path}: a table of cells holds no lists of probabilities; name it .npz or .parquet"
        )
    names = range(words.n_images) if words.images is None else words.images
    sizes = np.diff(words.image_offsets).tolist()
    columns: dict[str, list[Any]] = {
        "image": [name for name, size in zip(names, sizes, strict=True) for _ in range(size)],
        "probabilities": _split_captions(words.probabilities, words.caption_offsets),
        "is_first": _split_captions(words.is_first, words.caption_offsets),
    }
    write_columns(path, columns)


def _read_rows(table: InputTable) -> WordProbabilities:
    """One row a caption; the captions of an image may stand anywhere."""
    image = table.require(*ROW_IMAGE)
    columns = {name: table.columns[table.require(name)] for name in ARRAYS[:2]}
    if not len(table):
        raise InputError(f"{table.path}: no captions; the file has no rows")
    words, is_first_lists = [], []
    for row in range(len(table)):
        given, first = (column[row] for column in columns.values())
        if not isinstance(given, list) or not isinstance(first, list) or len(given) != len(first):
            raise InputError(
                f"{table.place(row)}: expected lists of one length under probabilities and "
                f"is_first, found {describe(given)} and {describe(first)}"
            )
        if not given:
            raise InputError(f"{table.place(row)}: a caption without words; count the end token")
        try:
            words.append(check_flat(as_floats(given, "probabilities"), "probabilities"))
            is_first_lists.append(check_flat(as_booleans(first, "is_first"), "is_first"))
        except InputError as error:
            raise InputError(f"{table.place(row)}: {error}") from None
    for row, name in enumerate(table.columns[image]):
        if not isinstance(name, str | int):
            raise InputError(
                f"{table.place(row)}: {image!r} must be a name or a number, found {describe(name)}"
            )
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    all_probabilities: FloatArray = np.concatenate(words)
    wrong = np.flatnonzero(~((all_probabilities >= 0) & (all_probabilities <= 1)))
    if len(wrong):
        row = int(np.searchsorted(offsets_of(lengths), wrong[0], side="right")) - 1
        raise InputError(
            f"{table.place(row)}: {all_probabilities[wrong[0]]} is no probability from 0 to 1"
        )
    return WordProbabilities.of_captions(
        all_probabilities, np.concatenate(is_first_lists), lengths, table.columns[image]
    )


def _split_captions(values: FloatArray | BoolArray, offsets: IntArray) -> list[list[Any]]:
    plain, ends = values.tolist(), offsets.tolist()
    return [plain[start:end] for start, end in pairwise(ends)]
