"""Values worked out by hand from the definitions, and values that the COCO toolkit gave."""

from __future__ import annotations

import math

import pytest

import captious

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


def score_one(candidate: str, references: list[str], metric: str) -> dict[str, float]:
    result = captious.score([candidate], [references], metrics=[metric])
    return {name: float(scores[0]) for name, scores in result.samples.items()}


def test_bleu_equals_hand_computed_values() -> None:
    scores = score_one("the dog the dog", ["the dog runs far"], "bleu")
    # the, dog once each of 4 words; "the dog" once of 3 bigrams; no trigram; equal lengths
    assert scores["bleu_1"] == pytest.approx(2 / 4, abs=1e-8)
    assert scores["bleu_2"] == pytest.approx(math.sqrt(2 / 4 * 1 / 3), abs=1e-8)
    assert scores["bleu_3"] == pytest.approx(0, abs=1e-4)


def test_bleu_takes_the_closest_length_and_of_two_the_shorter() -> None:
    brief = score_one("a dog", ["a dog runs", "a"], "bleu")["bleu_1"]
    assert brief == pytest.approx(1.0)  # lengths 3 and 1 are equally close: 1 counts, no penalty
    longer = score_one("a dog", ["a dog runs fast"], "bleu")["bleu_1"]
    assert longer == pytest.approx(math.exp(1 - 4 / 2))


def test_ngram_precision_equals_hand_computed_values() -> None:
    scores = score_one("the dog the dog", ["the dog runs far"], "ngram_precision")
    assert list(scores.values()) == pytest.approx([1 / 2, 1 / 3, 0, 0])


def test_unigram_recall_takes_the_best_reference() -> None:
    scores = score_one("the dog runs", ["the dog", "the dog sleeps all day"], "unigram_recall")
    assert scores["unigram_recall"] == 1.0
    scores = score_one("dog dog", ["dog dog dog cat"], "unigram_recall")
    assert scores["unigram_recall"] == 2 / 4


def test_rouge_l_equals_hand_computed_values() -> None:
    # LCS 2 (a runs); precision 2/3, recall 2/4
    precision, recall, beta = 2 / 3, 2 / 4, 1.2
    expected = (1 + beta**2) * precision * recall / (recall + beta**2 * precision)
    assert score_one("a dog runs", ["a cat runs away"], "rouge_l")["rouge_l"] == pytest.approx(
        expected
    )


def test_rouge_l_finds_two_empty_captions_equal_as_the_toolkit_does() -> None:
    assert score_one("", [""], "rouge_l")["rouge_l"] == 1.0
    assert score_one("", ["a"], "rouge_l")["rouge_l"] == 0.0


# pycocoevalcap 1.2, Cider().compute_score on these four images
TOOLKIT_IMAGES = [
    ("a man riding a horse", ["a man rides a horse on a beach", "man on horse"]),
    ("two dogs play in the snow", ["two dogs play in snow", "dogs playing in the snow"]),
    ("a red bus on the street", ["a bus parked on a city street", "a red double decker bus"]),
    ("a a a a", ["a plate of food on a table", "a table with a plate of pasta"]),
]
TOOLKIT_CIDER = [2.042192575846731, 4.974768143815364, 1.5277501358440086, 0.21215373461424553]


def test_cider_d_against_the_toolkit() -> None:
    candidates, references = zip(*TOOLKIT_IMAGES, strict=True)
    result = captious.score(candidates, references, metrics=["cider_d"])
    assert result.samples["cider_d"].tolist() == pytest.approx(TOOLKIT_CIDER, abs=1e-12)


def test_plain_cider_does_not_clip_or_punish_length() -> None:
    references = [["a red bus"], ["two dogs play"], ["one man eats"]]
    result = captious.score(["bus bus bus bus", "two dogs play", "x"], references, ["cider"])
    result_d = captious.score(["bus bus bus bus", "two dogs play", "x"], references, ["cider_d"])
    idf_a, idf = math.log(3), math.log(3)
    cosine = 4 * idf * idf / (4 * idf * math.sqrt(2 * idf**2 + idf_a**2))
    assert result.samples["cider"][0] == pytest.approx(10 * cosine / 4)
    assert result_d.samples["cider_d"][0] < result.samples["cider"][0]
    assert result.samples["cider"][1] == pytest.approx(10 * 3 / 4)  # it has no 4-grams
