"""Scorers to which captions are added one by one, and what they share with the classes."""

from __future__ import annotations

import copy
import pickle
from collections import defaultdict

import numpy as np
import pytest

from captious.errors import InputError
from captious.pycocoevalcap.bleu.bleu import Bleu
from captious.pycocoevalcap.bleu.bleu_scorer import BleuScorer, cook_refs, cook_test, precook
from captious.pycocoevalcap.cider import cider_scorer
from captious.pycocoevalcap.cider.cider import Cider
from captious.pycocoevalcap.cider.cider_scorer import CiderScorer
from captious.pycocoevalcap.meteor.meteor import Meteor
from captious.pycocoevalcap.rouge.rouge import Rouge, my_lcs
from captious.pycocoevalcap.wmd.wmd import WMD

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

GTS = {
    2: ["a dog runs on the beach", "the brown dog is running"],
    1: ["two men ski down a hill", "men skiing"],
    3: ["a red bus", "a bus on a street in the city"],
}
RES = {2: ["a dog on the beach"], 1: ["two men ski"], 3: ["a red bus on the street"]}


def bleu_scorer() -> BleuScorer:
    scorer = BleuScorer()
    for image, references in GTS.items():
        scorer += (RES[image][0], references)
    return scorer


def test_counts_are_those_of_words_and_their_neighbours() -> None:
    assert precook("a dog a dog", 2) == (
        4, {("a",): 2, ("dog",): 2, ("a", "dog"): 2, ("dog", "a"): 1},
    )  # fmt: skip
    lengths, highest = cook_refs(["a a", "a dog runs"])
    assert lengths == [2, 3]
    assert highest["a",] == 2
    assert cook_refs(["a a", "a dog runs"], "shortest")[0] == 2
    assert cook_refs(["a a", "a dog runs"], "average")[0] == 2.5
    cooked = cook_test("a a a dog", (lengths, highest))
    assert cooked == {
        "reflen": [2, 3], "testlen": 4, "guess": [4, 3, 2, 1], "correct": [3, 2, 0, 0],
    }  # fmt: skip
    assert cook_test("a a a dog", (lengths, highest), "closest", 2)["reflen"] == 3


def test_bleu_of_added_captions_is_that_of_dicts() -> None:
    score, scores = bleu_scorer().compute_score(option="closest")
    expected, each = Bleu(4).compute_score(GTS, RES, verbose=0)
    assert score == pytest.approx(expected, abs=1e-15)
    assert np.array(scores) == pytest.approx(np.array(each), abs=1e-15)
    assert isinstance(score, list) and isinstance(scores[0], list)


def test_bleu_knows_three_reference_lengths() -> None:
    scorer = bleu_scorer()
    assert scorer.reflen("shortest") == 5 + 2 + 3
    assert bleu_scorer().reflen("average") == 5.5 + 4 + 5.5
    assert bleu_scorer().reflen() == 5 + 2 + 8  # closest, the shorter of two that are as close
    assert scorer.testlen() == 5 + 3 + 6
    assert bleu_scorer().ratio("shortest") == pytest.approx(1.4)
    assert bleu_scorer().single_reflen() == 5.5
    assert BleuScorer("a dog", ["a dog", "a"], special_reflen=4).compute_score()[0][
        0
    ] == pytest.approx(np.exp(-1))
    with pytest.raises(InputError, match="shortest, average, closest"):
        bleu_scorer().compute_score(option="longest")


def test_bleu_is_added_copied_and_tried_again() -> None:
    first, second = BleuScorer(RES[2][0], GTS[2]), BleuScorer()
    second += (RES[1][0], GTS[1])
    first += second
    assert first.size() == 2
    assert first.copy().compute_score() == first.compute_score()
    assert first.compute_score() == first.recompute_score()[0]  # the second time, alone
    perfect = first.rescore([GTS[2][0], GTS[1][0]])
    assert perfect[0] == pytest.approx([1, 1, 1, 1], abs=1e-6)
    assert first.score_ratio_str() == "1.0000 (1.00)"
    with pytest.raises(InputError, match="same n"):
        first += BleuScorer(n=2)
    with pytest.raises(InputError, match="retest"):
        BleuScorer(refs=["a"]).compute_score()
    with pytest.raises(InputError, match="from 1 up to 4"):
        BleuScorer(n=5)


def test_cider_of_added_captions_is_that_of_dicts() -> None:
    scorer = CiderScorer()
    for image, references in GTS.items():
        scorer += (RES[image][0], references)
    score, scores = scorer.compute_score()
    expected, each = Cider().compute_score(GTS, RES)
    assert score == pytest.approx(expected, abs=1e-15)
    assert scores == pytest.approx(each, abs=1e-15)
    assert scorer.document_frequency["a",] == 3  # type: ignore[index]
    assert scorer.ref_len == np.log(3.0)
    assert scorer.compute_score()[0] == score
    copied = pickle.loads(pickle.dumps(scorer.copy()))
    assert copied.compute_score()[0] == copy.copy(scorer).compute_score()[0] == score


def test_cider_accepts_given_document_frequencies() -> None:
    scorer = CiderScorer("a dog", ["a dog runs"])
    scorer.document_frequency = defaultdict(float, {("a",): 9.0, ("dog",): 2.0})
    scorer.ref_len = np.log(10.0)
    rare, frequent = np.log(10 / 2), np.log(10 / 9)
    numerator = rare**2 + frequent**2
    norms = np.sqrt(numerator * (numerator + np.log(10) ** 2))
    bigram = 1 / np.sqrt(2)
    penalty = np.exp(-1 / (2 * 36))
    expected = 10 * penalty * (numerator / norms + bigram) / 4
    assert scorer.scores_of(["a dog"], [["a dog runs"]])[0] == pytest.approx(expected)
    with pytest.raises(InputError, match="precook"):
        scorer.crefs[0] = [{("a",): 1}]  # type: ignore[list-item]
        scorer.compute_cider()


def test_cider_counts_are_dicts() -> None:
    counts = cider_scorer.cook_refs(["a dog a"], 2)[0]
    assert counts == {("a",): 2, ("dog",): 1, ("a", "dog"): 1, ("dog", "a"): 1}
    assert counts["cat",] == 0


def test_longest_common_subsequence() -> None:
    assert my_lcs("a b c d".split(), "b x d a".split()) == 2
    assert my_lcs([], ["a"]) == my_lcs(["a"], []) == 0


def test_rouge_splits_at_single_spaces() -> None:
    # Between two spaces stands an empty word: a, , dog.
    assert Rouge().calc_score(["a  dog"], ["a dog"]) == pytest.approx(
        (1 + 1.44) * (2 / 3) / (1 + 1.44 * 2 / 3)
    )
    assert Rouge().calc_score(["a\tdog"], ["a dog"]) == 0
    assert Rouge().calc_score([""], [""]) == 1


def test_rouges_beta_is_an_attribute() -> None:
    rouge = Rouge()
    rouge.beta = 1.0
    assert rouge.calc_score(["a dog"], ["a dog runs fast"]) == pytest.approx(2 / 3)


def test_closed_meteor_can_be_used_again() -> None:
    with Meteor() as meteor:
        inside = meteor.compute_score(GTS, RES)
    meteor.close()
    meteor.meteor_p.stdin.close()
    meteor.meteor_p.kill()
    assert meteor.meteor_p.wait() == 0
    with meteor.lock:
        assert meteor.compute_score(GTS, RES) == inside
    score, scores = inside
    assert type(score) is float and [type(each) for each in scores] == [float] * 3


def test_wmd_of_the_forks_sorts_ids() -> None:
    wmd = WMD()
    score, scores = wmd.compute_score(GTS, RES)
    assert score == scores.mean()
    assert scores[0] == wmd.calc_score(RES[1], GTS[1])
    wmd.sigma = 2.0
    assert wmd.compute_score(GTS, RES)[1] == pytest.approx(np.sqrt(scores))
    assert "the" in wmd.stop_words
