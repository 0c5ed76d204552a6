"""Captions of several sentences, held against each other sentence by sentence."""

from __future__ import annotations

import random

import numpy as np
import pytest

import captious
from captious.metrics.consensus.sentence_matching import LongSamples
from captious.samples import References, Samples
from captious.text.vectors.caption_vectors import CaptionSpace
from tests.same_scores import are_same

RIGHT = ["A dog runs on the beach.", "A man throws a red ball.", "The sky is blue."]
WRONG = "A cat sleeps on a sofa."
LONG = "A dog chases a ball on the beach that a man threw. The sky is clear and blue."
SHORT = ["A man and his dog play on the sand.", "A dog with a ball at the sea"]
METRICS = ["captious", "consensus", "support", "form"]


def score_sentences(
    candidate: str, references: list[str], metrics: list[str] | None = None
) -> dict[str, float]:
    samples = captious.score([candidate], [references], metrics or METRICS).samples
    return {name: float(scores[0]) for name, scores in samples.items()}


def long_samples(candidates: list[str], references: list[list[str]]) -> LongSamples | None:
    flat = [caption for several in references for caption in several]
    offsets = np.cumsum([0, *map(len, references)])
    samples = Samples(candidates, np.arange(len(candidates)), References(flat, offsets))
    return LongSamples.find(samples, CaptionSpace.load())


def test_each_sentence_is_matched_with_the_nearest_of_every_reference() -> None:
    actual = long_samples([" ".join(RIGHT)], [[LONG, *SHORT]])
    assert actual is not None
    assert actual.precision_side.samples.candidates.captions == RIGHT
    beside = actual.precision_side.samples.references
    rows = np.split(beside.rows.values, beside.rows.offsets[1:-1])
    texts = [[beside.analysis.captions[row] for row in some] for some in rows]
    ball, sky = LONG.split(". ")[0] + ".", LONG.split(". ")[1]
    assert texts == [[ball, *SHORT], [ball, *SHORT], [sky, *SHORT]]
    # And the other way round, every sentence of the references is somewhere, once.
    asked = actual.recall_side.samples.references
    gathered = sorted(asked.analysis.captions[row] for row in asked.rows.values)
    assert gathered == sorted([ball, sky, *SHORT])
    assert actual.recall_side.words.sum() == sum(len(each.split()) for each in (LONG, *SHORT))


def test_short_samples_are_not_split() -> None:
    assert long_samples([RIGHT[0]], [SHORT]) is None
    actual = long_samples([RIGHT[0], " ".join(RIGHT)], [SHORT, SHORT])
    assert actual is not None
    assert actual.indices.tolist() == [1]


def test_a_short_sample_has_the_same_score_beside_long_ones() -> None:
    alone = captious.score([RIGHT[0]], [SHORT], METRICS).samples
    beside = captious.score([RIGHT[0], " ".join(RIGHT)], [SHORT, [LONG]], METRICS).samples
    for name, scores in alone.items():
        assert beside[name][0] == scores[0]


def test_scores_are_independent_of_other_samples() -> None:
    candidates = [" ".join(RIGHT), f"{WRONG} {RIGHT[0]}", RIGHT[1], LONG, ""] * 3
    references = [[LONG], SHORT, [LONG, *SHORT], [" ".join(RIGHT)], [LONG]] * 3
    whole = captious.score(candidates, references, METRICS).samples
    order = random.Random(0).sample(range(len(candidates)), len(candidates))
    shuffled = captious.score(
        [candidates[row] for row in order], [references[row] for row in order], METRICS
    ).samples
    for name, scores in whole.items():
        assert are_same(name, shuffled[name], scores[order]), name
        assert are_same(name, scores[:5], scores[5:10]), name


@pytest.mark.parametrize("references", [[LONG], SHORT, [LONG, *SHORT]])
def test_a_wrong_sentence_lowers_the_score_wherever_it_stands(references: list[str]) -> None:
    right = score_sentences(" ".join(RIGHT), references)["captious"]
    wrong = [
        score_sentences(" ".join([*RIGHT[:place], WRONG, *RIGHT[place:]]), references)
        for place in range(4)
    ]
    for each in wrong:
        assert each["captious"] < right
        assert each["support_precision"] == pytest.approx(wrong[0]["support_precision"])
        assert each["consensus"] == pytest.approx(wrong[0]["consensus"])


def test_padding_gains_nothing() -> None:
    plain = score_sentences(RIGHT[0], SHORT)
    padded = f"{RIGHT[0]} This is a photo. There are many things to see in the picture."
    assert score_sentences(padded, SHORT)["captious"] < plain["captious"]
    twice = score_sentences(f"{RIGHT[0]} {RIGHT[0]}", SHORT)
    assert twice["form"] == pytest.approx(0.5)
    assert twice["captious"] < plain["captious"]


def test_truncated_caption_has_low_form() -> None:
    whole, cut = (
        score_sentences(" ".join(RIGHT), [LONG]),
        score_sentences(" ".join(RIGHT)[:-6], [LONG]),
    )
    assert whole["form"] == 1
    assert cut["form"] < 0.2


def test_correct_caption_scores_high_with_short_references() -> None:
    assert score_sentences(" ".join(RIGHT[:2]), SHORT)["captious"] > 0.5
    assert score_sentences(f"{WRONG} A woman reads a book.", SHORT)["captious"] < 0.1


@pytest.mark.parametrize("candidate", ["", "...", ". . .", "1. 2.", "\n\n", "A.\nB.", "!? !?"])
def test_unusual_captions_with_long_references_get_scores(candidate: str) -> None:
    for score in score_sentences(candidate, [LONG, "\n", "..."]).values():
        assert np.isfinite(score)


def test_lines_and_sentences_are_the_same() -> None:
    listed = "\n".join(f"{place}. {each}" for place, each in enumerate(RIGHT, 1))
    assert score_sentences(listed, [LONG]) == score_sentences(" ".join(RIGHT), [LONG])


@pytest.mark.slow
def test_an_encoder_reads_sentences() -> None:
    pytest.importorskip("onnxruntime")
    metrics = ["encoder_consensus"]
    right = score_sentences(" ".join(RIGHT), [LONG], metrics)["encoder_consensus"]
    wrong = score_sentences(f"{WRONG} {' '.join(RIGHT[1:])}", [LONG], metrics)["encoder_consensus"]
    assert wrong < right < 1
    assert score_sentences(LONG, [LONG], metrics)["encoder_consensus"] == pytest.approx(1, abs=1e-5)
