"""Diversity as users ask for it: what may be given, what comes back, what is an error."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.corpus import Corpus
from captious.diagnostics.diversity import systems as system_captions
from captious.errors import CaptiousError

CAPTIONS = {"1": "a dog runs", "2": "A dog runs.", "3": "two men on a bench"}
HOSTILE = [
    "",
    " ",
    "\x00",
    "\ud83d\udc15",
    "<script>alert(1)</script>",
    "‮abc",
    "a" * 5000,
    "|&*_\\",
]


def test_lists_dicts_tables_and_corpora_are_the_same_captions() -> None:
    pandas = pytest.importorskip("pandas")
    first = captious.diversity(CAPTIONS)
    captions = list(CAPTIONS.values())
    frame = pandas.DataFrame({"id": list(CAPTIONS), "candidate": captions})
    for same in (
        captions,
        [[caption] for caption in captions],
        {image: [caption] for image, caption in CAPTIONS.items()},
        frame,
        Corpus.of_candidates(captions),
    ):
        assert captious.diversity(same).to_dict() == first.to_dict()
    repeated = pandas.DataFrame({"id": ["1", "1", "2"], "candidate": captions})
    by_id = {"1": captions[:2], "2": captions[2:]}
    assert captious.diversity(repeated).to_dict() == captious.diversity(by_id).to_dict()


def test_measures_of_one_system() -> None:
    measured = captious.diversity(CAPTIONS)
    assert (measured.captions, measured.images, measured.words) == (3, 3, 11 / 3)
    assert measured.distinct.vocabulary == 7
    assert measured.distinct.distinct_captions == 2 / 3
    assert measured.novel is None
    assert measured.reference_vocabulary is None
    assert measured.self_cider is None
    assert measured.notes == (
        "self_cider and mbleu_4: left out, since no image has several captions",
    )
    assert "|diversity(df=coco-val2014@" in measured.signature
    assert "<Diversity: captions 3; images 3; " in repr(measured)


def test_a_caption_of_the_training_set_is_not_novel_whatever_its_case_and_marks() -> None:
    assert captious.diversity(CAPTIONS, training=["a DOG, runs"]).novel == 1 / 3
    assert captious.diversity(CAPTIONS, training={"7": ["two men", "a dog"]}).novel == 1.0
    every = captious.diversity(CAPTIONS, training=list(CAPTIONS.values()))
    assert every.novel == 0.0
    assert every.signature.endswith("|training:3")
    assert captious.diversity(["", "a dog"], training=["", "b"]).novel == 0.5


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("coco.json", {"annotations": [{"image_id": 1, "id": 2, "caption": "A dog runs"}]}),
        ("results.json", [{"image_id": 1, "caption": "A dog runs"}]),
        ("by_id.json", {"1": ["A dog runs"], "2": "two"}),
        ("rows.jsonl", {"id": 1, "candidate": "A dog runs"}),
        ("references.jsonl", {"id": 1, "references": ["A dog runs", "two"]}),
        ("lines.txt", "A dog runs"),
    ],
)
def test_training_captions_are_read_from_any_file(tmp_path: Path, name: str, content: Any) -> None:
    path = tmp_path / name
    path.write_text(content if name.endswith("txt") else json.dumps(content), encoding="utf-8")
    assert captious.diversity(CAPTIONS, training=path).novel == 1 / 3


@pytest.mark.filterwarnings("ignore:.*Karpathy")
def test_only_training_rows_of_a_file_with_splits_count(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    images = [
        {"cocoid": n, "split": split, "sentences": [{"raw": caption}]}
        for n, (split, caption) in enumerate(
            [("train", "a dog runs"), ("restval", "b"), ("test", "two men on a bench")]
        )
    ]
    path.write_text(json.dumps({"images": images}), encoding="utf-8")
    with pytest.warns(captious.CaptiousWarning, match="only rows of the splits train and restval"):
        assert captious.diversity(CAPTIONS, training=path).novel == 1 / 3
    path.write_text(json.dumps({"images": images[2:]}), encoding="utf-8")
    with pytest.raises(CaptiousError, match="no rows of the splits train and restval"):
        captious.diversity(CAPTIONS, training=path)


def test_share_of_the_references_vocabulary() -> None:
    references = [["a dog walks", "the dog"], ["a dog"], ["men sit"]]
    measured = captious.diversity(CAPTIONS, references=references)
    assert measured.reference_vocabulary == 3 / 6
    assert math.isnan(captious.diversity(["a"], references=[[""]]).reference_vocabulary or 0)


def test_systems_are_compared_by_equally_many_captions() -> None:
    systems = {"ours": ["a dog runs"] * 5, "theirs": ["a cat", "two men", "a cat"]}
    measured = captious.diversities(systems)
    assert [each.expected.captions for each in measured.systems.values()] == [3, 3]
    assert measured["ours"].expected.distinct_1 == pytest.approx(1 / 3)
    assert measured["ours"].distinct.distinct_1 == 1 / 5
    alone = captious.diversity(systems["theirs"])
    assert measured["theirs"].distinct == alone.distinct
    rows = measured.to_dict()["rows"]
    assert [row["system"] for row in rows] == ["ours", "theirs"]
    assert "expected of 3 captions" in measured.to_text()
    assert measured.to_latex().count(r"\toprule") == 2
    assert "ours" in measured.to_markdown()


def test_intervals_are_of_the_method_that_was_named() -> None:
    several = {
        n: [
            f"a dog runs on the beach {n}",
            f"a dog runs on the {'beach sand rock'[: n % 16]}",
            "cat",
        ]
        for n in range(40)
    }
    usual, corrected = captious.diversity(several), captious.diversity(several, method="bca")
    assert usual.mbleu_4 is not None
    assert corrected.mbleu_4 is not None
    assert usual.mbleu_4.score == corrected.mbleu_4.score
    assert "interval=bca" in corrected.signature
    assert "interval" not in usual.signature
    turned = dict(reversed(several.items()))
    assert captious.diversity(turned).to_dict() == usual.to_dict()


@pytest.mark.filterwarnings("ignore:.*image.s. are unreliable")
def test_another_language_has_no_self_cider_unless_frequencies_are_given() -> None:
    several = {1: ["ein Hund", "eine Katze"], 2: ["ein Mann", "zwei"]}
    measured = captious.diversity(several, language="de")
    assert measured.self_cider is None
    assert measured.mbleu_4 is not None
    assert any("English" in note for note in measured.notes)
    assert "tokenizer:intl|language:de|" in measured.signature
    (note,) = captious.diversity(["ein Hund"], language="de").notes
    assert "no image has several captions" in note
    df = captious.DocumentFrequencies.collect(several, tokenizer="intl")
    assert captious.diversity(several, language="de", df=df).self_cider is not None


@pytest.mark.parametrize("tokenizer", ["ptb", "whitespace", "intl", "char", "zh"])
def test_hostile_captions_are_described_like_any_other(tokenizer: str) -> None:
    measured = captious.diversity(
        {n: [caption, "a dog", caption] for n, caption in enumerate(HOSTILE)}, tokenizer=tokenizer
    )
    for format in ("text", "json", "markdown", "latex"):
        assert measured.to_text(format)
    assert measured.self_cider is not None
    assert 0 <= measured.self_cider.score <= 1
    named = captious.diversities({caption or "none": ["a"] for caption in HOSTILE})
    assert "\x00" not in named.to_text()


def test_one_caption_is_described() -> None:
    measured = captious.diversity(["a dog"])
    assert (measured.captions, measured.distinct.distinct_1) == (1, 1.0)
    assert json.loads(captious.diversity([""]).to_json())["distinct_1"] is None


def test_an_image_with_too_many_captions_is_left_out_of_likeness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system_captions, "MAX_CAPTIONS_PER_IMAGE", 3)
    measured = captious.diversity({1: ["a"] * 4, 2: ["a dog", "b c"]})
    assert (measured.captions, measured.images_with_several) == (6, 1)


@pytest.mark.parametrize(
    ("captions", "options", "said"),
    [
        ([], {}, "no captions"),
        ({}, {}, "no captions"),
        ("a dog", {}, "candidates"),
        ([1], {}, "candidates must be a list of strings, not int"),
        ([["a", None]], {}, "a candidate must be a string, not NoneType"),
        ({1: []}, {}, "no candidates; give at least one"),
        ({1: "a", "1": "b"}, {}, "look alike"),
        ({"a", "b"}, {}, "no order"),
        (["a"], {"training": []}, "no training captions"),
        (["a"], {"training": "no/such.json"}, "no/such.json"),
        (["a"], {"training": 3}, "training"),
        (["a"], {"tokenizer": "no"}, "unknown tokenizer"),
        (["a"], {"language": "x"}, "unknown language"),
        (["a"], {"method": "x"}, "unknown method"),
        (["a"], {"references": [3]}, "references"),
    ],
)
def test_wrong_captions_are_an_error(captions: Any, options: Any, said: str) -> None:
    with pytest.raises(CaptiousError, match=said):
        captious.diversity(captions, **options)


def test_no_systems_and_systems_without_captions_are_errors() -> None:
    with pytest.raises(CaptiousError, match="no systems"):
        captious.diversities({})
    with pytest.raises(CaptiousError, match="'theirs': no captions"):
        captious.diversities({"ours": ["a"], "theirs": []})
    with pytest.raises(CaptiousError, match="look alike"):
        captious.diversities({1: ["a"], "1": ["b"]})  # type: ignore[dict-item]
    with pytest.raises(CaptiousError, match="systems"):
        captious.diversities(["a"])  # type: ignore[arg-type]


def test_a_training_file_without_captions_is_an_error(tmp_path: Path) -> None:
    for name, content in {
        "a.json": "[]",
        "b.json": '{"1": []}',
        "c.txt": "",
        "d.json": "{",
    }.items():
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with pytest.raises(CaptiousError, match=name):
            captious.diversity(["a"], training=path)
