"""Vocabulary, image vectors, caption files and batches: what a captioner is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.captioners.examples import PADDING, Examples, batches
from captious.captioners.recipe import CaptionerRecipe, default_recipe
from captious.errors import InputError
from captious.images.vectors import ImageScaling, ImageVectors, read_image_vectors
from captious.io.training_captions import read_image_captions, read_image_names
from captious.text.vocabulary import EDGE, UNKNOWN, Vocabulary

SAID = [["a", "dog"], ["a", "cat", "sleeps"], ["the", "dog"]]


def test_words_are_numbered_by_frequency_then_alphabet() -> None:
    assert Vocabulary.of(SAID).words == ("a", "dog", "cat", "sleeps", "the")
    assert Vocabulary.of(SAID, 2).words == ("a", "dog")


def test_words_become_numbers_and_text_again() -> None:
    words = Vocabulary.of(SAID, 2)
    numbers = words.encode([["the", "dog"], [], ["a"]])
    assert numbers.values.tolist() == [UNKNOWN, 3, 2]
    assert numbers.lengths.tolist() == [2, 0, 1]
    assert words.decode(np.array([2, 3, EDGE, 3])) == "a dog"
    assert words.decode(np.array([3])) == "dog"


def test_a_vocabulary_without_words_is_an_error() -> None:
    with pytest.raises(InputError, match="no word occurs 9 times"):
        Vocabulary.of(SAID, 9)


def test_a_batch_reads_from_the_edge_and_writes_to_it() -> None:
    numbers = Vocabulary.of(SAID).encode([["a", "dog"], ["a"], []])
    (batch,) = batches(numbers, 8)
    assert batch.rows.tolist() == [2, 1, 0]
    assert batch.read.tolist() == [[0, 0, 0], [0, 2, 0], [0, 2, 3]]
    assert batch.targets.tolist() == [[0, PADDING, PADDING], [2, 0, PADDING], [2, 3, 0]]


def test_batches_hold_every_caption_once_and_like_lengths_together() -> None:
    lengths = np.random.default_rng(0).integers(1, 9, 50)
    numbers = Vocabulary.of(SAID).encode([["a"] * length for length in lengths])
    found = list(batches(numbers, 8, np.random.default_rng(1)))
    assert sorted(np.concatenate([batch.rows for batch in found]).tolist()) == list(range(50))
    spans = [np.ptp(lengths[batch.rows]) for batch in found]
    assert max(spans) <= 2
    other = list(batches(numbers, 8, np.random.default_rng(2)))
    assert [b.rows.tolist() for b in found] != [b.rows.tolist() for b in other]


def test_vectors_get_unit_length_and_are_found_by_name() -> None:
    images = ImageVectors.of(["x", "y"], np.array([[3.0, 4.0], [0.0, 2.0]]))
    assert np.allclose(images.vectors, [[0.6, 0.8], [0.0, 1.0]])
    assert np.allclose(images.take(["y", "x", "y"]).vectors, [[0.0, 1.0], [0.6, 0.8], [0.0, 1.0]])
    with pytest.raises(InputError, match=r"no vector for image 'z' \(and 1 more images\)"):
        images.take(["z", "x", "w"])


def test_scaled_vectors_lose_the_mean_of_the_training_images() -> None:
    training = ImageVectors.of(["x", "y"], np.array([[3.0, 4.0, 0.0], [4.0, 3.0, 0.0]]))
    scaling = ImageScaling.of(training)
    half = 0.5**0.5
    assert np.allclose(scaling.apply(training).vectors, [[-half, half, 0], [half, -half, 0]])
    mean = ImageVectors(("m",), scaling.mean[None])
    assert scaling.apply(mean).vectors.tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("names", "vectors", "message"),
    [
        (["x"], np.array([[0.0, 0.0]]), "'x' is nothing but zeros"),
        (["x"], np.array([[np.nan, 0.0]]), "'x' is nothing but zeros, or not all numbers"),
        (["x", "x"], np.ones((2, 2)), "occurs twice"),
        (["x"], np.ones((2, 2)), "1 names but 2 vectors"),
        (["x"], np.ones(2), "rows of decimal numbers"),
    ],
)
def test_unusable_vectors_are_errors(names: list[str], vectors: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ImageVectors.of(names, vectors)


def test_vectors_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    np.savez(path, files=np.array(["x", "y"]), features=np.array([[3, 4], [0, 2]], np.float16))
    images = read_image_vectors(path)
    assert images.names == ("x", "y")
    assert np.allclose(images.vectors, [[0.6, 0.8], [0.0, 1.0]], atol=1e-6)
    np.savez(path, names=np.array(["x"]))
    with pytest.raises(InputError, match="'files' and 'features'"):
        read_image_vectors(path)
    np.savez(path, files=np.array([{}], object), features=np.ones((1, 2)))
    with pytest.raises(InputError, match="'files' and 'features'"):
        read_image_vectors(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_image_vectors(tmp_path / "none.npz")


def test_captions_of_flickr8k_and_of_other_files(tmp_path: Path) -> None:
    lines = tmp_path / "captions.txt"
    lines.write_text("x.jpg#0\tA dog .\nx.jpg#1\tA cat .\ny.jpg#0\tBirds .\n")
    rows = tmp_path / "captions.jsonl"
    rows.write_text('{"id": "x.jpg", "references": ["A dog .", "A cat ."]}\n')
    assert read_image_captions(lines) == {"x.jpg": ["A dog .", "A cat ."], "y.jpg": ["Birds ."]}
    assert read_image_captions(rows) == {"x.jpg": ["A dog .", "A cat ."]}
    names = tmp_path / "names.txt"
    names.write_text("y.jpg\n\nx.jpg\n")
    assert list(read_image_captions(lines, names)) == ["y.jpg", "x.jpg"]
    with pytest.raises(InputError, match=r"no captions of 'y.jpg', which .*names.txt names"):
        read_image_captions(rows, names)
    names.write_text("y.jpg\ny.jpg\n")
    with pytest.raises(InputError, match="occurs twice"):
        read_image_names(names)
    names.write_text("\n")
    with pytest.raises(InputError, match="no names"):
        read_image_names(names)


def test_examples_know_the_image_of_each_caption() -> None:
    images = ImageVectors.of(["x", "y"], np.eye(2))
    found = Examples.of({"y": ["A dog."], "x": ["A cat!", "Cats"]}, images)
    assert found.tokens == [["a", "dog"], ["a", "cat"], ["cats"]]
    assert found.images.vectors[found.image_of].tolist() == [[0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"architecture": "after"}, "unknown architecture 'after'"),
        ({"size": 0}, "size: a whole number from 1 up"),
        ({"dropout": 1.0}, "dropout: a number from 0 to below 1"),
        ({"image_dropout": -0.1}, "image_dropout: a number from 0 to below 1"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"seed": -1}, "seed"),
    ],
)
def test_impossible_recipes_are_errors(value: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CaptionerRecipe(**value)


def test_given_values_override_the_default_recipe() -> None:
    assert default_recipe("init", seed=2) == CaptionerRecipe("init", seed=2)
    merge = default_recipe("merge", dropout=None)
    assert not merge.standardise and merge.dropout > CaptionerRecipe().dropout
    assert default_recipe("merge", dropout=0.1, standardise=True).dropout == 0.1
