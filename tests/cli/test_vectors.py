"""captious vectors: other programs' files become ours."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from captious.text.vectors.word_vectors import WordVectors
from tests.cli.command import captious

GLOVE = "dog 1 0.5\ncat 2 -3\nParis 4 4\n"


@pytest.fixture
def glove(tmp_path: Path) -> Path:
    path = tmp_path / "glove.txt"
    path.write_text(GLOVE)
    return path


def test_vectors_are_converted(glove: Path, tmp_path: Path) -> None:
    output = tmp_path / "own.npz"
    done = captious("vectors", glove, "--output", output, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert (data["words"], data["dimensions"], data["left_out"]) == (3, 2, 0)
    table = WordVectors.load(output)
    assert data["signature"] == table.signature
    assert table.at(np.arange(3)).tolist() == [[1, 0.5], [2, -3], [4, 4]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("captions.txt", "A Dog's life.\nno more\n"),
        ("references.jsonl", '{"id": 1, "references": ["A dog.", "no more"]}\n'),
        ("candidates.json", '[{"image_id": 1, "caption": "a dog"}]'),
    ],
)
def test_only_the_words_of_captions(glove: Path, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    output = tmp_path / "own.npz"
    done = captious("vectors", glove, "--output", output, "--words", tmp_path / name)
    assert done.returncode == 0, done.stderr
    assert list(WordVectors.load(output).words) == ["dog"]


@pytest.mark.parametrize(
    ("text", "output", "message"),
    [
        (GLOVE + "cow 1\n", "own.npz", "line 4"),
        (GLOVE, "own.txt", "name the file .npz"),
        (GLOVE, "no/own.npz", "cannot be written"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(
    glove: Path, tmp_path: Path, text: str, output: str, message: str
) -> None:
    glove.write_text(text)
    done = captious("vectors", glove, "--output", tmp_path / output)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["glove.txt"]


def test_a_word_left_out_is_noted(glove: Path, tmp_path: Path) -> None:
    glove.write_text(GLOVE + "dog 1 1\n")
    done = captious("vectors", glove, "--output", tmp_path / "own.npz")
    assert done.returncode == 0 and "1 words left out" in done.stderr
