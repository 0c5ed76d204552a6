"""The data of a page: what is packed comes out again."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.report.browser.container import pack_contents
from captious.report.browser.contents import (
    SYSTEMS,
    Attribute,
    Cell,
    Contents,
    IntervalEstimate,
    Measure,
    PageTable,
    Series,
)
from tests.report.browser.hostile import HOSTILE
from tests.report.browser.made_up import MADE, made_up
from tests.report.browser.unpacking import Unpacked


def of_texts(texts: list[str]) -> Contents:
    """Contents of captions that are ids and references, too."""
    return Contents(
        SYSTEMS,
        "texts",
        texts,
        [Series("one", texts, {"m": np.arange(len(texts), dtype=np.float64)})],
        [Measure("m", "M")],
        MADE,
        references=[[text, "a dog", text] for text in texts],
        attributes=[Attribute("group", texts)],
    )


def decode_text(text: str) -> str:
    """Half a surrogate pair is shown as the character for what cannot be shown."""
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def test_hostile_texts_come_back() -> None:
    block = pack_contents(of_texts(list(HOSTILE)))
    unpacked = Unpacked(block)
    texts = unpacked.texts(unpacked.header["texts"])
    expected = [decode_text(text) for text in HOSTILE]
    series = unpacked.header["series"][0]
    assert [texts[place] for place in unpacked.numbers(unpacked.header["ids"])] == expected
    assert [texts[place] for place in unpacked.numbers(series["captions"])] == expected
    references = unpacked.ragged(unpacked.header["references"])
    assert [[texts[at] for at in row] for row in references] == [
        [text, "a dog", text] for text in expected
    ]
    assert not set(block) & set("<>&\"'")


@pytest.mark.slow
@given(st.lists(st.text(st.characters(), max_size=30), max_size=20))
def test_any_texts_come_back(texts: list[str]) -> None:
    unpacked = Unpacked(pack_contents(of_texts(texts)))
    pool = unpacked.texts(unpacked.header["texts"])
    places = unpacked.numbers(unpacked.header["series"][0]["captions"])
    assert [pool[place] for place in places] == [decode_text(text) for text in texts]
    assert len(pool) == len(set(pool))


def test_scores_come_back_to_seven_digits_and_nothing_else_is_a_number() -> None:
    scores = np.array([0.1234567, -3.5, np.nan, np.inf, 1e300, 0.0])
    contents = Contents(
        SYSTEMS, "scores", list("abcdef"), [Series("one", None, {"m": scores})], [], MADE
    )
    unpacked = Unpacked(pack_contents(contents))
    packed = unpacked.numbers(unpacked.header["series"][0]["scores"]["m"])
    np.testing.assert_allclose(packed, [0.1234567, -3.5, np.nan, np.nan, np.nan, 0], rtol=1e-7)


def test_scene_tuples_survive_packing() -> None:
    contents = made_up(12)
    unpacked = Unpacked(pack_contents(contents))
    words = unpacked.texts(unpacked.header["words"])
    parts = [
        tuple(words[place] for place in part) for part in unpacked.ragged(unpacked.header["scenes"])
    ]
    for series, packed in zip(contents.series, unpacked.header["series"], strict=True):
        scenes = [[parts[at] for at in row] for row in unpacked.ragged(packed["scenes"])]
        assert scenes == series.scenes
        missing = [[words[at] for at in row] for row in unpacked.ragged(packed["missing"])]
        assert missing == series.missing


def test_non_finite_numbers_in_a_table_are_null() -> None:
    board = PageTable(
        "b", ["x"], [[Cell("0.1", estimated=IntervalEstimate(0.1, float("nan"), np.inf))]]
    )
    contents = dataclasses.replace(made_up(2), tables=[board])
    cell = Unpacked(pack_contents(contents)).header["boards"][0]["rows"][0][0]
    assert cell == {"text": "0.1", "estimated": [0.1, None, None]}


def test_equal_captions_are_stored_once() -> None:
    contents = of_texts([f"{row}" for row in range(2000)])
    alike = dataclasses.replace(
        contents, series=[Series("one", ["a dog on a sofa"] * 2000, {})], references=None
    )
    unpacked = Unpacked(pack_contents(alike))
    assert unpacked.texts(unpacked.header["texts"]).count("a dog on a sofa") == 1


def test_no_rows_and_no_series() -> None:
    unpacked = Unpacked(pack_contents(Contents(SYSTEMS, "nothing", [], [], [], MADE)))
    assert unpacked.header["count"] == 0


def test_columns_of_wrong_length_are_an_error() -> None:
    contents = made_up(3)
    with pytest.raises(ValueError, match="references: 2 rows for 3 ids"):
        dataclasses.replace(contents, references=[["a"], ["b"]])
    with pytest.raises(ValueError, match="careful: bleu_1: 1 rows for 3 ids"):
        Contents(
            SYSTEMS,
            "t",
            list("abc"),
            [Series("careful", None, {"bleu_1": np.zeros(1)})],
            [],
            MADE,
        )
    with pytest.raises(ValueError, match="up to 7: a score for each series"):
        dataclasses.replace(contents, series=contents.series[:1])
    with pytest.raises(ValueError, match="kind"):
        dataclasses.replace(contents, kind="others")
