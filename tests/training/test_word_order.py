"""Classes of words and the surprise of their order, learned and adapted."""

from __future__ import annotations

import numpy as np
import pytest

from captious.text.analysis import Analysis
from captious.text.word_order import FIRST_KNOWN, WordOrder, disorder, surprisal_features
from captious.training.caption_space import Images
from captious.training.word_order import (
    CORRUPTIONS,
    PEOPLE,
    adapt_order,
    classify_new_words,
    fit_limits,
    learn_order,
    measure_disorder,
    trigram_probabilities,
)

NOUNS = ["dog", "cat", "horse", "boy", "girl", "bird"]
VERBS = ["runs", "sleeps", "stands", "waits", "jumps"]
PLACES = ["beach", "street", "field", "kitchen", "tower"]


def sentences(seed: int, images: int = 150) -> Images:
    """Captions of one pattern; the first word of each kind is as frequent as the others."""
    rng = np.random.default_rng(seed)

    def caption() -> list[str]:
        noun, verb, place = (
            str(words[max(int(rng.integers(2 - len(words), len(words))), 0)])
            for words in (NOUNS, VERBS, PLACES)
        )
        return ["a", noun, verb, "near", "the", place]

    return [[caption(), caption()] for _ in range(images)]


def flat(images: Images) -> list[list[str]]:
    return [caption for captions in images for caption in captions]


def test_words_in_the_same_contexts_share_a_class() -> None:
    order = learn_order(sentences(0), single_word_classes=3, classes=3)
    for words in (NOUNS, VERBS, PLACES):
        assert len({order.class_of[word] for word in words}) == 1
    assert len(set(order.class_of.values())) == 6


def test_fewer_words_than_classes() -> None:
    order = learn_order(sentences(0))
    assert len(order.surprise) == FIRST_KNOWN + len(order.class_of)
    assert learn_order([[["a"]]]).class_of == {}


def test_shares_after_two_classes_are_shares() -> None:
    table = np.zeros((4, 4, 4))
    table[0, 1, 2] = 3
    shares = trigram_probabilities(table)
    assert shares.sum(axis=-1) == pytest.approx(np.ones((4, 4)))
    assert shares[0, 1].argmax() == 2
    assert shares[3, 3] == pytest.approx(shares[2, 2])  # nothing seen: the overall ones


def test_corrupted_captions_exceed_the_limit_and_human_ones_do_not() -> None:
    held_out = flat(sentences(1))
    order = fit_limits(learn_order(sentences(0), single_word_classes=3, classes=3), held_out)
    found = measure_disorder(order, held_out)
    assert set(found) == {PEOPLE, *CORRUPTIONS}
    assert found[PEOPLE].share <= 0.005
    assert all(found[kind].share > 0.8 for kind in CORRUPTIONS)


def test_captions_too_short_to_have_an_order_have_no_limits() -> None:
    short = [[["a", "dog"], ["the", "cat"]]] * 200
    order = fit_limits(learn_order(short), flat(short))
    assert not order.limits.any()
    captions = Analysis(["dog a", "cat cat cat the the"], "whitespace")
    assert disorder(captions, order).tolist() == [0.0, 0.0]


def test_new_word_joins_the_class_of_its_contexts() -> None:
    order = learn_order(sentences(0), single_word_classes=3, classes=3)
    new: Images = [[["a", "zebra", "runs", "near", "the", "beach"]]] * 5
    new += [[["a", "dog", "trots", "near", "the", "quay"]]] * 5
    found = classify_new_words(order, new)
    assert found == {
        "zebra": order.class_of["dog"],
        "trots": order.class_of["runs"],
        "quay": order.class_of["beach"],
    }
    assert found.items() <= adapt_order(order, new).class_of.items()
    assert not classify_new_words(order, new[:4])  # seen too rarely to say


def test_adaptation_lowers_the_surprisal_of_the_captions() -> None:
    order = learn_order(sentences(0), single_word_classes=3, classes=3)
    other: Images = [[["near", "the", "beach", "a", "dog", "runs"]]] * 50
    adapted = adapt_order(order, other)
    before, after = (_mean_surprise(each, other) for each in (order, adapted))
    assert after < before / 2
    # What was known before stands where the new captions are silent.
    dog, runs = order.class_of["dog"], order.class_of["runs"]
    silent = [adapted.surprise[dog, dog], adapted.surprise[runs, dog]]
    known = [order.surprise[dog, dog], order.surprise[runs, dog]]
    assert np.abs(np.subtract(silent, known, dtype=int)).max() <= 1
    assert list(adapted.class_of) == sorted(adapted.class_of)


def _mean_surprise(order: WordOrder, images: Images) -> float:
    captions = [" ".join(words) for words in flat(images)]
    return float(surprisal_features(Analysis(captions, "whitespace"), order)[:, 0].mean())
