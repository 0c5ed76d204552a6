"""Which metrics score any language: what they declare is what they do, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.base import Metric
from captious.metrics.declarations import METRICS
from captious.registry import select
from captious.text.vectors.word_vectors import WordVectors

CANDIDATES = [
    "a small dog runs with a frisbee on the beach",
    "two men ride horses in a field",
    "a cat sleeps on a",
]
REFERENCES = [
    ["a brown dog running along a beach", "the dog is on the sand"],
    ["two people riding a horse", "men on horses in the field"],
    ["a cat lies on a bed", "the cat is asleep"],
]
ENGLISH = {metric.name for metric in METRICS.values() if metric.english}
# Metrics that compare characters: words that are renamed share other characters than before.
READS_CHARACTERS: set[str] = set()
INSTALLED = [
    each.name for each in METRICS.declarations if each.is_installed and not each.needs_images
]


def renamed(caption: str) -> str:
    """The same in a language in which every word is spelled backwards, between two letters."""
    return " ".join(f"q{word[::-1]}x" for word in caption.split())


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_renaming_words_changes_what_is_english_and_nothing_else(name: str) -> None:
    english = captious.score(CANDIDATES, REFERENCES, name)
    other = captious.score(
        list(map(renamed, CANDIDATES)),
        [list(map(renamed, references)) for references in REFERENCES],
        name,
    )
    alike = all(np.array_equal(english.samples[c], other.samples[c]) for c in english.columns)
    if name in ENGLISH:
        assert not alike, (
            f"{name} declares an English part (`english` of its class), but gives any words the "
            "scores of English ones: remove `english`"
        )
    elif name not in READS_CHARACTERS:
        assert alike, (
            f"{name} gives renamed words other scores: if a part of it knows English, name that "
            "part in `english` of its class; if it compares characters, add it to "
            "READS_CHARACTERS above"
        )


@pytest.mark.parametrize("name", sorted(ENGLISH - {"captious_image", "captious_image_full"}))
def test_english_only_metric_is_refused_by_name(name: str) -> None:
    if name not in INSTALLED:
        pytest.skip("not installed")
    with pytest.raises(InputError, match=f"{name}: English only .*bleu.*vectors=") as error:
        select(name, language="de")
    assert "\n" not in str(error.value)


def test_group_leaves_out_english_only_metrics() -> None:
    coco = select("coco", language="de")
    assert [metric.name for metric in coco.metrics] == ["bleu", "rouge_l", "cider_d"]
    assert coco.english_only == ("meteor", "spice")
    usual = select(None, language="zh")
    assert usual.english_only == ("meteor", "spice", "captious")
    assert select(None, language="en-GB").english_only == ()
    with pytest.raises(InputError, match=r"no metric is left: hwcm_2.*English only"):
        select("syntactic", language="de")
    with pytest.raises(InputError, match="meteor: English only"):
        select("coco,meteor", language="de")


def test_a_selection_made_for_english_is_checked_again() -> None:
    with pytest.raises(InputError, match="meteor: English only"):
        captious.Scorer([["ein Hund"]], select("meteor"), language="de")


def test_own_word_vectors_allow_other_languages(tmp_path: Path) -> None:
    words = ["hund", "katze", "wiese"]
    WordVectors.of("mine", words, np.eye(3, 4, dtype=np.float32)).save(tmp_path / "mine.npz")
    result = captious.score(
        ["Hund auf der Wiese"],
        [["Katze auf der Wiese"]],
        "wmd,mowe",
        language="de",
        vectors=tmp_path / "mine.npz",
    )
    # Of two words each one is shared; the other lies at a right angle, at a distance of sqrt 2.
    assert result.corpus["mowe"] == pytest.approx(0.5)
    assert result.corpus["wmd"] == pytest.approx(np.exp(-np.sqrt(2) / 2))
    select("unigram_multiref(remove_stop_words=no)", language="fr")
    with pytest.raises(
        InputError, match=r"cider_d: English only .the document freq.* coco-val2014"
    ):
        select("cider_d(df=coco-val2014)", language="fr")


def test_only_given_parameters_are_named() -> None:
    for metric in METRICS.values():
        assert set(metric.language_free_with) <= set(metric.parameters()), metric.name
        assert metric.english or not metric.language_free_with
    assert Metric.english == ""


def test_results_and_signatures_say_the_language() -> None:
    german = captious.score(["ein Hund"], [["ein Hund bellt"]], "bleu", language="de-AT")
    assert "|tokenizer:intl|language:de|bleu(" in german.signature
    english = captious.score(["ein Hund"], [["ein Hund bellt"]], "bleu", tokenizer="intl")
    assert "language" not in english.signature
    with pytest.warns(captious.CaptiousWarning, match="language:de against language:en"):
        captious.compare(german, english, resamples=10)
    left_out = captious.score(["ein"], [["ein"]], "semantic,bleu", language="de").left_out
    assert left_out == ("wmd", "spice", "mowe")
