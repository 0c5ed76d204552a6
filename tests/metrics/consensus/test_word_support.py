"""Words that the other side supports: of all samples at once as `explain` finds them in one."""

from __future__ import annotations

import random

import numpy as np
import pytest

import captious
from captious.corpus import Corpus
from captious.metrics.consensus.word_support import WordsInOrder
from captious.metrics.hallucination.doubts import Doubts
from captious.samples import References, Samples
from captious.text.vectors.caption_vectors import CaptionSpace

# Real-looking words, words that no vector is known for, and some that only weigh little.
WORDS = "a the on dog dogs cat bench red zyzzxq qqxjz giraffe sitting sits man two 3 ½ 日本".split()


def find_unsupported(
    candidates: list[str], sets: list[list[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    corpus = Corpus.of(candidates, sets)
    samples = Samples(corpus.candidates, corpus.images, References.of(corpus.references))
    theirs = WordsInOrder.of(samples, CaptionSpace.load())[1]
    return Doubts.of(samples).unsupported(), theirs.unsupported_by_weight()


def made_up(seed: int, count: int) -> tuple[list[str], list[list[str]]]:
    rng = random.Random(seed)

    def caption() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 9)))

    candidates = [caption() for _ in range(count)]
    return candidates, [[caption() for _ in range(rng.randint(1, 4))] for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_word_support_of_a_batch_equals_single_explanations(seed: int) -> None:
    candidates, sets = made_up(seed, 40)
    unsupported, missing = find_unsupported(candidates, sets)
    for row, (candidate, references) in enumerate(zip(candidates, sets, strict=True)):
        explained = captious.explain(candidate, references)
        assert unsupported[row] == explained.unsupported, (candidate, references)
        assert missing[row] == explained.missing, (candidate, references)


@pytest.mark.slow
def test_the_order_of_samples_changes_nothing() -> None:
    candidates, sets = made_up(7, 60)
    order = np.random.default_rng(0).permutation(60).tolist()
    unsupported, missing = find_unsupported(candidates, sets)
    shuffled = find_unsupported([candidates[row] for row in order], [sets[row] for row in order])
    assert shuffled == ([unsupported[row] for row in order], [missing[row] for row in order])


def test_words_are_in_the_order_in_which_they_occur_and_missing_ones_by_weight() -> None:
    unsupported, missing = find_unsupported(
        ["a giraffe licks a zebra", "a zebra licks a giraffe"], [["a plane in the sky"]] * 2
    )
    assert unsupported[0].index("giraffe") < unsupported[0].index("zebra")
    assert unsupported[1].index("zebra") < unsupported[1].index("giraffe")
    assert missing[0] == missing[1] and "plane" in missing[0]


@pytest.mark.parametrize(("candidates", "sets"), [([""], [[""]]), (["", "a"], [["a"], [""]])])
def test_empty_captions_equal_single_explanations(
    candidates: list[str], sets: list[list[str]]
) -> None:
    expected = [captious.explain(*pair) for pair in zip(candidates, sets, strict=True)]
    assert find_unsupported(candidates, sets) == (
        [each.unsupported for each in expected],
        [each.missing for each in expected],
    )
