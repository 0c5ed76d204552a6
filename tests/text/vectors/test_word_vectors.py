"""Word vectors: the shipped ones, saved ones, and other programs' files."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.english.word_lists import read_stop_words
from captious.text.vectors.vector_files import convert_vectors
from captious.text.vectors.word_vectors import SHIPPED, UNKNOWN, WordVectors

WORDS = ["dog", "Paris", "naïve", "犬"]
VALUES = np.array([[1, -2.5, 0.125], [0, 0, 0], [3, 4, 5], [1e-3, 7, -8]], np.float32)
GLOVE = "".join(
    f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(WORDS, VALUES, strict=True)
).encode()
WORD2VEC = b"4 3\n" + GLOVE
FASTTEXT = b"4 3\n" + GLOVE.replace(b"\n", b" \n")  # fastText ends each row with a blank


def binary(line_end: bytes = b"\n", scale: float = 1) -> bytes:
    rows = zip(WORDS, VALUES * np.float32(scale), strict=True)
    return b"4 3\n" + b"".join(
        word.encode() + b" " + row.astype("<f4").tobytes() + line_end for word, row in rows
    )


def test_shipped_vectors_cover_words_of_captions() -> None:
    table = WordVectors.load()
    rows = table.rows("dog skateboard frisbee t-shirt Dog xqzzy".split())
    assert (rows[:4] >= 0).all() and rows[4] == rows[0] and rows[5] == UNKNOWN
    dog, puppy, treaty = table.at(table.rows(["dog", "puppy", "treaty"]))
    assert dog @ puppy / np.sqrt(puppy @ puppy) > 2 * (dog @ treaty / np.sqrt(treaty @ treaty))


def test_shipped_vectors_match_glove() -> None:
    """Against the published rows, read off the original file: a byte keeps two or three digits."""
    table = WordVectors.load()
    start = table.at(table.rows(["the"]))[0, :4]
    np.testing.assert_allclose(start, [-0.038194, -0.24487, 0.72812, -0.39961], atol=0.02)


def test_shipped_vectors_take_no_more_than_8_megabytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 8e6


def test_stop_words_are_words() -> None:
    assert len(read_stop_words()) == 326
    assert {"the", "a", "is", "n't"} <= read_stop_words() and "dog" not in read_stop_words()
    assert all(word == word.strip().lower() and word for word in read_stop_words())


def test_quantization_error_is_at_most_half_a_step() -> None:
    values = np.random.default_rng(0).standard_normal((20, 30)).astype(np.float32)
    words = [str(row) for row in range(20)]
    table = WordVectors.quantize("own", words, values)
    step = np.abs(values).max(axis=1, keepdims=True) / 127
    assert (np.abs(table.at(np.arange(20)) - values) <= step * 0.5001).all()


def test_saved_and_loaded_vectors_are_the_same(tmp_path: Path) -> None:
    for make in (WordVectors.of, WordVectors.quantize):
        table = make("own", WORDS, VALUES)
        table.save(tmp_path / "own.npz")
        table.save(tmp_path / "again.npz")
        loaded = WordVectors.load(tmp_path / "own.npz")
        assert loaded.signature == table.signature and loaded.signature.startswith("own@")
        assert loaded.at(np.arange(4)).tolist() == table.at(np.arange(4)).tolist()
        assert (tmp_path / "own.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()


def test_a_word_of_zeros_is_unknown() -> None:
    rows = WordVectors.of("own", WORDS, VALUES).rows(["dog", "Paris", "犬", "cat", "DOG"])
    assert rows.tolist() == [0, UNKNOWN, 3, UNKNOWN, 0]


def test_fingerprint_depends_on_the_numbers() -> None:
    first = WordVectors.of("own", WORDS, VALUES)
    assert first.fingerprint != WordVectors.of("own", WORDS, VALUES + 1).fingerprint
    assert first.fingerprint != WordVectors.of("own", WORDS[::-1], VALUES).fingerprint


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("glove.txt", GLOVE),
        ("glove.txt.gz", gzip.compress(GLOVE, mtime=0)),
        ("windows.txt", GLOVE.replace(b"\n", b"\r\n")),
        ("word2vec.txt", WORD2VEC),
        ("fasttext.vec", FASTTEXT),
        ("fasttext.vec.gz", gzip.compress(FASTTEXT, mtime=0)),
        ("word2vec.bin", binary()),
        ("word2vec.bin.gz", gzip.compress(binary(), mtime=0)),
        ("without_line_ends.bin", binary(b"")),
    ],
)
def test_files_of_other_programs_are_converted(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    vectors = convert_vectors(tmp_path / name, "own").vectors
    assert list(vectors.words) == WORDS
    assert vectors.at(np.arange(4)).tolist() == VALUES.astype(np.float64).tolist()


def test_only_wanted_words_are_converted(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_bytes(GLOVE)
    converted = convert_vectors(tmp_path / "glove.txt", "own", {"犬", "dog", "cat"})
    assert list(converted.vectors.words) == ["dog", "犬"]
    assert (converted.unwanted, converted.unusable) == (2, 0)


def test_unusable_words_are_skipped_and_counted(tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_bytes(GLOVE + b"\xff\xfe 1 2 3\ndog 9 9 9\n. . . 1 2 3\n")
    converted = convert_vectors(tmp_path / "odd.txt", "own")
    assert list(converted.vectors.words) == [*WORDS, ". . ."]
    assert converted.unusable == 2
    assert converted.vectors.at(np.array([0])).tolist() == VALUES[:1].tolist()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "no vectors"),
        ("a.txt", b"hello\n", "line 1: not a file of word vectors"),
        ("a.txt", GLOVE + b"cat 1 2\n", "line 5: 2 numbers where others have 3"),
        ("a.txt", GLOVE + b"cat 1 2 x\n", "line 5: 'x' is not a number"),
        ("a.txt", GLOVE + b"cat 1 nan 2\n", "line 5: a number is infinite"),
        ("a.txt", GLOVE + b"cat 1 1e99 2\n", "line 5: a number is infinite, too large"),
        ("a.vec", b"9 3\n" + GLOVE, "line 5: the file ends after 4 words; its first line says 9"),
        ("a.vec", b"4 0\n" + GLOVE, "line 1: 0 dimensions"),
        ("a.vec", b"4 1000000000\n" + GLOVE, "line 1: 1000000000 dimensions"),
        ("a.vec", b"0 3\n" + GLOVE, "line 1: 0 words"),
        ("a.vec", b"9999999999999999999999 3\n" + GLOVE, "line 1: 99999999999999999999 words"),
        ("a.bin", b"999999999999 3\n" + binary()[4:], "word 5 of 999999999999: the file is cut"),
        ("a.bin", b"4 1000000000\n" + binary()[4:], "line 1: 1000000000 dimensions"),
        ("a.bin", binary(scale=1e30), "word 1 of 4: a number is infinite, too large"),
        ("a.bin", binary(scale=np.nan), "word 1 of 4: a number is infinite, too large or not"),
        ("a.txt", b"dog" + b" 1" * 100_001, "line 1: not a file of word vectors"),
        ("a.txt", GLOVE.decode().encode("utf-16"), "is not a number; not a file of word"),
        ("a.bin", binary()[:-9], "word 4 of 4: the file is cut off"),
        ("a.bin", binary() + b"more", "has more than the 4 words"),
        ("a.bin", b"4 3\n" + b"x" * 20_000, "word 1 of 4: no end of the word"),
        ("a.bin", b"\x00\x01\x02", "not word2vec's binary form"),
        ("a.bin", b"\xba\x16\x4f\x2f\x0c\x00\x00\x00", "a model of fastText; convert the .vec"),
        ("a.txt.gz", gzip.compress(GLOVE, mtime=0)[:-12], "the gzip file is cut off"),
        ("a.txt.gz", GLOVE, "not a valid gzip file"),
    ],
)
def test_errors_in_damaged_files_name_the_place(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        convert_vectors(tmp_path / name, "own")
    assert str(tmp_path / name) in str(caught.value) and "\n" not in str(caught.value)


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        convert_vectors(tmp_path / "none.txt", "own")
    with pytest.raises(InputError, match="not a file name"):
        convert_vectors("null\0", "own")


@pytest.mark.parametrize("name", ["none", "null\0", 7])
def test_missing_vectors_are_an_error(name: Any) -> None:
    with pytest.raises(InputError, match="word vectors"):
        WordVectors.load(name)


def test_damaged_vectors_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    table = WordVectors.of("own", WORDS, VALUES)

    def scaled(name: str, factor: float) -> None:
        table.save(path)
        with np.load(path) as file:
            arrays = dict(file)
        with np.errstate(invalid="ignore"):  # zero times infinity is not a number
            arrays[name] = arrays[name] * arrays[name].dtype.type(factor)
        np.savez(path, **arrays)

    for damage, message in (
        (lambda: path.write_bytes(b"PK not a zip"), "not a file of word vectors"),
        (lambda: np.savez(path, format=1), "not a file of word vectors"),
        (
            lambda: WordVectors.of("own", WORDS[:3], VALUES).save(path),
            "'scales': 3 words where 4 are expected",
        ),
        (lambda: scaled("values", np.nan), "'values': nan lies outside"),
        (lambda: scaled("values", np.inf), "'values': nan lies outside"),
        (lambda: scaled("values", 1e30), "'values': -8e+30 lies outside"),
        (lambda: scaled("scales", np.nan), "'scales': nan lies outside"),
        (lambda: scaled("scales", -1), "'scales': -1 lies outside 0 to"),
        (lambda: scaled("scales", 1e20), "'scales': 1e+20 lies outside 0 to"),
        (lambda: scaled("scales", 0), "the scale of the word 'dog' is 0 and its numbers are not"),
        (lambda: scaled("format", 2), "written by another version"),
        (lambda: WordVectors.of("own", WORDS, VALUES[:, :0]).save(path), "vectors of no numbers"),
        (lambda: WordVectors.of("own", WORDS, VALUES.astype(int)).save(path), "int64, not int8"),
        (lambda: path.write_bytes(_saved(table, tmp_path)[:-40]), "not a file of word vectors"),
    ):
        damage()
        with pytest.raises(InputError, match=re.escape(message)):
            WordVectors.load(path)


def test_zero_scale_is_allowed_for_zero_vectors(tmp_path: Path) -> None:
    table = WordVectors.quantize("own", WORDS, VALUES)
    assert table.scales[1] == 0
    table.save(tmp_path / "own.npz")
    assert WordVectors.load(tmp_path / "own.npz").rows(["Paris"]).tolist() == [UNKNOWN]


def _saved(table: WordVectors, folder: Path) -> bytes:
    table.save(folder / "whole.npz")
    return (folder / "whole.npz").read_bytes()
