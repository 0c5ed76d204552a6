"""Readers of word vectors: GloVe and word2vec text, word2vec binary, fastText `.vec`.

Each may be gzipped. Rows are read one by one, so that a file may be larger than memory where only
some of its words are wanted. Errors name the line or word; words that no caption
can have (not UTF-8, empty, or seen before) are left out and counted.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.array_files import MAX_MAGNITUDE
from captious.io.inputs import open_unpacked
from captious.text.vectors.word_vectors import WordVectors

FASTTEXT_MODEL = (793712314).to_bytes(4, "little")  # how a model of fastText begins
MAX_WORD_BYTES = 10_000  # bytes; what is longer is not a word but a file of another kind
MAX_LINE_BYTES = 10_000_000
MAX_DIMENSIONS = 100_000
MAX_STATED_WORDS = 10**12  # that a first line may speak of
NOT_VECTORS = "not a file of word vectors (GloVe, word2vec or fastText .vec)"

Row = tuple[bytes, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Conversion:
    """Vectors as read, and how many words were left out."""

    vectors: WordVectors
    unwanted: int
    unusable: int


def convert_vectors(
    path: str | Path, name: str, wanted: Container[str] | None = None
) -> Conversion:
    """Convert a file of another program, all of it or only the wanted words."""
    words: dict[str, None] = {}
    rows: list[npt.NDArray[np.float32]] = []
    unwanted = unusable = 0
    for raw, numbers in _rows(path):
        try:
            word = raw.decode("utf-8")
        except UnicodeDecodeError:
            word = ""
        if not word or "\n" in word or word in words:
            unusable += 1
        elif wanted is not None and word not in wanted:
            unwanted += 1
        else:
            words[word] = None
            rows.append(numbers)
    if not rows:
        raise InputError(
            f"{path}: {'none of the words wanted' if unwanted else 'no vectors'}; "
            "is it the right file?"
        )
    return Conversion(WordVectors.of(name, list(words), np.array(rows)), unwanted, unusable)


def _rows(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a file of any of these formats."""
    with open_unpacked(path) as stream:
        start = stream.readline(MAX_LINE_BYTES)
        if start.startswith(FASTTEXT_MODEL):
            raise InputError(f"{path}: a model of fastText; convert the .vec file beside it")
        header = _parse_header(path, start)
        name = str(path).lower().removesuffix(".gz")
        if header is None:
            if name.endswith(".bin"):
                raise InputError(
                    f"{path}: not word2vec's binary form (no numbers of words and dimensions "
                    "in its first line)"
                )
            yield from _text_rows(path, stream, start, None, None)
        elif name.endswith(".bin"):
            yield from _binary_rows(path, stream, *header)
        else:
            yield from _text_rows(path, stream, b"", header[1], header[0])


def _parse_header(path: str | Path, line: bytes) -> tuple[int, int] | None:
    """Return the numbers of words and of dimensions if the first line has them."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    # Of digits without end no number is made.
    words, dimensions = (int(field[:20]) for field in fields)
    if not 0 < words <= MAX_STATED_WORDS:
        raise InputError(f"{path}: line 1: {words} words; {NOT_VECTORS}")
    if not 0 < dimensions <= MAX_DIMENSIONS:
        raise InputError(f"{path}: line 1: {dimensions} dimensions; {NOT_VECTORS}")
    return words, dimensions


def _text_rows(
    path: str | Path, stream: IO[bytes], start: bytes, dimensions: int | None, stated: int | None
) -> Iterator[Row]:
    """Yield the rows of a text file; a word may contain blanks."""
    number = 0 if start else 1
    count = 0
    line = start or stream.readline(MAX_LINE_BYTES)
    while line:
        number += 1
        place = f"{path}: line {number}"
        line = line.rstrip(b" \r\n")
        if dimensions is None:
            dimensions = line.count(b" ")
            if not 0 < dimensions <= MAX_DIMENSIONS:
                raise InputError(f"{place}: {NOT_VECTORS}: {dimensions} numbers after the word")
        word, *fields = line.rsplit(b" ", dimensions)
        if len(fields) != dimensions:
            raise InputError(
                f"{place}: {len(fields)} numbers where others have {dimensions}; "
                "the file is damaged or cut off"
            )
        yield word, _parse_numbers(fields, place)
        count += 1
        line = stream.readline(MAX_LINE_BYTES)
    if stated is not None and count != stated:
        raise InputError(
            f"{path}: line {number}: the file ends after {count} words; its first line says "
            f"{stated}; copy or download it again"
        )


def _parse_numbers(fields: list[bytes], place: str) -> npt.NDArray[np.float32]:
    try:
        values = list(map(float, fields))
    except ValueError:
        wrong = next(field for field in fields if not _is_number(field))
        raise InputError(f"{place}: {_excerpt(wrong)} is not a number; {NOT_VECTORS}") from None
    return _to_float32(np.array(values), place)


def _to_float32(numbers: npt.NDArray[Any], place: str) -> npt.NDArray[np.float32]:
    """Convert to single precision; raise for NaN and numbers too large to compute with."""
    if not np.abs(numbers).max() <= MAX_MAGNITUDE:  # nor is NaN
        raise InputError(f"{place}: a number is infinite, too large or not a number")
    return numbers.astype(np.float32)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _excerpt(field: bytes) -> str:
    return repr(field[:40].decode("utf-8", "replace"))


def _binary_rows(
    path: str | Path, stream: IO[bytes], stated: int, dimensions: int
) -> Iterator[Row]:
    """Yield the rows of a binary file: word, blank, little-endian single precision."""
    size = 4 * dimensions
    for number in range(1, stated + 1):
        place = f"{path}: word {number} of {stated}"
        word = bytearray()
        while (letter := stream.read(1)) not in (b" ", b""):
            word += letter
            if len(word) > MAX_WORD_BYTES:
                raise InputError(f"{place}: no end of the word; the file is damaged")
        data = stream.read(size)
        if len(data) < size:
            raise InputError(f"{place}: the file is cut off; copy or download it again")
        # Some programs end a row with a line end, some do not.
        yield bytes(word.lstrip(b"\n")), _to_float32(np.frombuffer(data, "<f4"), place)
    if stream.read(2) not in (b"", b"\n"):
        raise InputError(f"{path}: has more than the {stated} words that its first line says")
