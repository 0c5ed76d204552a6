"""Domains: three things that captions taught, in one file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.domain import FILE, Domain, load_order, load_space
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import WordVectors
from captious.text.word_order import WordOrder, disorder
from tests.made_up.tiny_domain import tiny_domain, write_domain


def test_domain_file_has_space_order_and_metric(tmp_path: Path) -> None:
    made, read = tiny_domain("de"), Domain.load(write_domain(tmp_path / "mine.npz", "de"))
    assert read.language == "de"
    assert read.fingerprint == made.fingerprint
    words = ["dog", "cat", "zz"]
    assert read.space.of_words(words).tolist() == made.space.of_words(words).tolist()
    captions = Analysis(["dog runs dog", "runs runs dog"])
    assert disorder(captions, read.order).tolist() == disorder(captions, made.order).tolist()


def test_fingerprint_covers_everything_scores_depend_on() -> None:
    made = tiny_domain()
    order = WordOrder.of(made.order.class_of, made.order.surprise, made.order.limits + 1)
    others = [
        tiny_domain("de"),
        Domain("en", CaptionSpace(WordVectors.of("other", ["cat"], np.eye(1, 2))), made.order),
        Domain("en", made.space, order),
    ]
    assert len({made.fingerprint, *(each.fingerprint for each in others)}) == 4


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = write_domain(tmp_path / "mine.npz")
    assert Domain.load(path) is Domain.load(str(path))
    before = Domain.load(path)
    write_domain(path, "fr")
    assert Domain.load(path).fingerprint != before.fingerprint


def test_shipped_space_and_order_are_the_default() -> None:
    assert load_space(None).signature == CaptionSpace.load().signature
    assert load_order(None) is WordOrder.load()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"language": "nowhere"}, "unknown language"),
        ({"space_values": np.zeros((4, 0), np.float32)}, "vectors of no numbers"),
        ({"space_scales": np.zeros(4, np.float32)}, "the scale of the word 'dog' is 0"),
        ({"order_classes": np.array([9, 60], np.uint8)}, "a class beyond the"),
        ({"order_limits": np.zeros(4)}, "4 where 5"),
    ],
)
def test_damaged_domain_file_is_an_error(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.npz"
    FILE.write(path, {**tiny_domain().contents(), **change})
    with pytest.raises(InputError, match=said) as error:
        Domain.load(path)
    assert str(path) in str(error.value)
    assert "captious train captious" in str(error.value)
