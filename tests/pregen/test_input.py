"""Word probabilities from arrays, lists and files, and what is wrong with some of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.pregen import (
    WordProbabilities,
    pregen_scores,
    read_probabilities,
    write_probabilities,
)

NAN = float("nan")
RAGGED = [[[0.5, 0.25], [0.125]], [[1.0, 0.5, 0.25]]]
FIRST = [[[True, False], [True]], [[True, True, False]]]
FLAT = [0.5, 0.25, 0.125, 1.0, 0.5, 0.25]


@pytest.fixture
def words() -> WordProbabilities:
    return WordProbabilities.of(RAGGED, FIRST)


def same(one: WordProbabilities, other: WordProbabilities) -> None:
    assert one.probabilities.tolist() == other.probabilities.tolist()
    assert one.is_first.tolist() == other.is_first.tolist()
    assert one.caption_offsets.tolist() == other.caption_offsets.tolist()
    assert one.image_offsets.tolist() == other.image_offsets.tolist()


def padded(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The captions above in an array with NaN for padding, which must never be read."""
    values, first = np.full(shape, NAN), np.zeros(shape, bool)
    return values, first


def test_lists_of_images(words: WordProbabilities) -> None:
    assert words.probabilities.tolist() == FLAT
    assert words.caption_offsets.tolist() == [0, 2, 3, 6]
    assert words.image_offsets.tolist() == [0, 2, 3]
    assert (words.n_images, words.n_captions, words.lengths.tolist()) == (2, 3, [2, 1, 3])


def test_lists_of_captions_in_any_order(words: WordProbabilities) -> None:
    found = WordProbabilities.of(
        [RAGGED[0][0], RAGGED[1][0], RAGGED[0][1]],
        [FIRST[0][0], FIRST[1][0], FIRST[0][1]],
        images=["cat", "dog", "cat"],
    )
    same(found, words)
    assert found.images == ("cat", "dog")


def test_padded_captions(words: WordProbabilities) -> None:
    values, first = padded((3, 4))
    lengths = np.array([3, 2, 1])
    for row, (image, caption) in enumerate([(1, 0), (0, 0), (0, 1)]):
        values[row, : lengths[row]] = RAGGED[image][caption]
        first[row, : lengths[row]] = FIRST[image][caption]
    found = WordProbabilities.of(values, first, lengths=lengths, images=np.array([7, 5, 5]))
    same(found.take_images([1, 0]), words)
    assert found.images == (7, 5)
    mask = np.arange(4) < lengths[:, None]
    same(WordProbabilities.of(values, first, mask=mask, images=[7, 5, 5]), found)


def test_padded_images_with_fewer_references_than_others(words: WordProbabilities) -> None:
    values, first = padded((2, 2, 3))
    lengths = np.array([[2, 1], [3, 0]])
    for image, caption in ((0, 0), (0, 1), (1, 0)):
        values[image, caption, : lengths[image, caption]] = RAGGED[image][caption]
        first[image, caption, : lengths[image, caption]] = FIRST[image][caption]
    same(WordProbabilities.of(values, first, lengths=lengths), words)


def test_no_padding_at_all() -> None:
    values = np.full((2, 3, 4), 0.5)
    words = WordProbabilities.of(values, values > 0)
    assert words.lengths.tolist() == [4] * 6


def test_images_are_taken_with_their_captions(words: WordProbabilities) -> None:
    taken = words.take_images([1, 0, 1])
    assert taken.probabilities.tolist() == [*FLAT[3:], *FLAT[:3], *FLAT[3:]]
    assert taken.image_offsets.tolist() == [0, 1, 3, 4]
    with pytest.raises(InputError, match="numbered from 0 to 1"):
        words.take_images([2])


def test_probabilities_rounded_above_one_are_clipped() -> None:
    words = WordProbabilities.of([[[1.0000001]]], [[[True]]])
    assert words.probabilities.tolist() == [1.0]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[[0.5, -0.1]]], [[[True, True]]]), {}, "caption 0, word 1: -0.1 is no probability"),
        (([[[0.5], [NAN]]], [[[True], [True]]]), {}, "caption 1, word 0: nan is no probability"),
        (([[[1.5]]], [[[True]]]), {}, "1.5 is no probability"),
        (([[[]]], [[[]]]), {}, "caption 0 has no words; count the end token"),
        (([[], [[0.5]]], [[], [[True]]]), {"images": None}, None),
        (([], []), {}, "no captions"),
        (([[[0.5]]], [[[True, False]]]), {}, "caption 0: .* differ in their words"),
        (([[[0.5]]], [[[True], [True]]]), {}, "image 0: .* differ in their captions"),
        (([[[0.5]]], [[[2]]]), {}, "is_first: expected true or false"),
        (([[["a"]]], [[[True]]]), {}, "probabilities: expected numbers"),
        (([[0.5]], [[True]]), {}, "image 0|expected"),
        (([[0.5]], [[True]]), {"images": ["a", "b"]}, "1 captions but 2 ids"),
        (([[[0.5]]], [[[True]]]), {"lengths": [1]}, "drop lengths and mask"),
        ((np.ones((2, 3)), np.ones((2, 3), bool)), {}, "which captions belong to one image"),
        ((np.ones((2, 3)), np.ones((2, 2), bool)), {"images": [1, 2]}, r"not \(2, 3\) and \(2, 2"),
        ((np.ones(3), np.ones(3, bool)), {"images": [1]}, "captions x words or images"),
        ((np.ones((2, 3)), np.ones((2, 3), bool)), {"images": [1]}, "1 ids of images for 2 rows"),
        (
            (np.ones((2, 3)), np.ones((2, 3), bool)),
            {"images": [1, 2], "lengths": [1, 4]},
            "from 0 to 3",
        ),
        (
            (np.ones((2, 3)), np.ones((2, 3), bool)),
            {"images": [1, 2], "lengths": [1, 0]},
            "caption 1 has no words",
        ),
        (
            (np.ones((2, 3)), np.ones((2, 3), bool)),
            {"images": [1, 2], "mask": np.ones((2, 2), bool)},
            "a mask of shape",
        ),
        (
            (np.ones((2, 1, 3)), np.ones((2, 1, 3), bool)),
            {"images": ["a", "a"]},
            "have the same id",
        ),
    ],
)
def test_invalid_probabilities_are_an_error(
    arguments: tuple[Any, Any],
    options: dict[str, Any],
    message: str | None,
) -> None:
    if message is None:  # an image without captions in a list is not there
        assert WordProbabilities.of(*arguments, **options).n_images == 1
        return
    with pytest.raises(InputError, match=message):
        WordProbabilities.of(*arguments, **options)


@pytest.mark.parametrize(
    ("captions", "images", "message"),
    [
        ([0, 2, 3], [0, 2], "caption_offsets must ascend from 0 to 6"),
        ([0, 4, 2, 6], [0, 3], "caption_offsets must ascend"),
        ([0, 3, 3, 6], [0, 3], "caption 1 has no words"),
        ([0, 3, 6], [0, 2, 2], "image 1 has no reference captions"),
        ([0, 3, 6], [0], "no images"),
        ([0.0, 6.0], [0, 1], "caption_offsets: expected whole numbers"),
    ],
)
def test_offsets_are_checked(captions: list[float], images: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        WordProbabilities(np.array(FLAT), np.ones(6, bool), np.array(captions), np.array(images))


@pytest.mark.parametrize("name", ["words.npz", "words.parquet", "words.jsonl.gz", "words.json"])
def test_files_round_trip(name: str, tmp_path: Path, words: WordProbabilities) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    named = WordProbabilities(
        words.probabilities, words.is_first, words.caption_offsets, words.image_offsets,
        ("a.jpg", "b.jpg"),
    )  # fmt: skip
    write_probabilities(tmp_path / name, named)
    found = read_probabilities(tmp_path / name)
    same(found, words)
    assert found.images == ("a.jpg", "b.jpg")
    assert pregen_scores(found, "all") == pregen_scores(words, "all")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_agreed_arrays_of_an_npz_file(tmp_path: Path, words: WordProbabilities) -> None:
    path = tmp_path / "words.npz"
    np.savez(
        path,
        probabilities=words.probabilities.astype(np.float32),
        is_first=words.is_first,
        caption_offsets=words.caption_offsets,
        image_offsets=words.image_offsets.astype(np.int32),
    )
    found = read_probabilities(path)
    same(found, words)
    assert found.images is None
    write_probabilities(path, words)
    with np.load(path, allow_pickle=False) as arrays:
        kinds = {name: arrays[name].dtype for name in arrays.files}
    assert kinds == {
        "probabilities": np.float64,
        "is_first": np.bool_,
        "caption_offsets": np.int64,
        "image_offsets": np.int64,
        "images": kinds["images"],
    }


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    np.savez(path, probabilities=np.array([print], dtype=object))
    with pytest.raises(InputError, match=r"words\.npz: .*no array 'is_first'"):
        read_probabilities(path)
    np.savez(
        path,
        probabilities=np.array([print], dtype=object),
        is_first=np.ones(1, bool),
        caption_offsets=np.array([0, 1]),
        image_offsets=np.array([0, 1]),
    )
    with pytest.raises(InputError, match=r"not a valid \.npz file"):
        read_probabilities(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.npz", "no zip", "not a valid .npz file"),
        ("a.jsonl", '{"image": 1, "probabilities": [0.5]}', "no column 'is_first'"),
        ("a.jsonl", '{"image": 1, "probabilities": [0.5], "is_first": true}', "line 1: expected"),
        ("a.jsonl", '{"image": 1, "probabilities": [], "is_first": []}', "line 1: a caption with"),
        ("a.jsonl", '{"image": 1, "probabilities": [2], "is_first": [true]}', "line 1: 2.0 is no"),
        ("a.jsonl", '{"image": 1, "probabilities": ["a"], "is_first": [1]}', "line 1: probabil"),
        ("a.jsonl", '{"image": [1], "probabilities": [1], "is_first": [1]}', "line 1: 'image' m"),
        ("a.jsonl", "", "no column|no captions"),
        ("a.text", "", "unknown kind of file"),
    ],
)
def test_errors_name_malformed_files(name: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        read_probabilities(path)
    assert name in str(raised.value)


def test_csv_cannot_store_lists(tmp_path: Path, words: WordProbabilities) -> None:
    with pytest.raises(InputError, match="holds no lists"):
        write_probabilities(tmp_path / "words.csv", words)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_pregen_does_not_import_pytorch() -> None:
    code = "import captious.pregen, sys; print([m for m in sys.modules if m.startswith('torch')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
