"""Head-word chains."""

from __future__ import annotations

import pytest

import captious
from captious.metrics.hwcm import Hwcm, chains_of
from captious.text.parser.parsed_sentence import Sentence

# a bird by some leaves: bird is the root, leaves depends on it (Universal Dependencies)
SENTENCE = Sentence(
    ("a", "bird", "by", "some", "leaves"),
    ("DT", "NN", "IN", "DT", "NNS"),
    ("a", "bird", "by", "some", "leaf"),
    (2, 0, 5, 5, 2),
    ("det", "root", "case", "det", "nmod"),
)


def test_chains_go_from_a_word_to_its_heads() -> None:
    one, two, three, four = chains_of([SENTENCE], by_label=False)
    assert one == {" a", " bird", " by", " some", " leaf"}
    assert two == {" a bird", " by leaf", " some leaf", " leaf bird"}
    assert three == {" by leaf bird", " some leaf bird"}
    assert not four


def test_chains_of_labels_are_counted() -> None:
    _, two, _, _ = chains_of([SENTENCE, SENTENCE], by_label=True)
    once = {" det root", " case nmod", " det nmod", " nmod root"}
    assert two == once | {f"{chain}\n2" for chain in once}


@pytest.mark.parametrize(
    ("variant", "shares"), [("paper", (1.0, 1.0)), ("released", (2 / 5, 1 / 4))]
)
def test_matches_over_the_candidates_chains_or_the_references(
    variant: str, shares: tuple[float, float]
) -> None:
    result = captious.score(
        ["a dog"], [["a dog and a cat", "birds"]], [Hwcm(variant=variant)], cache=False
    )
    # a/dog, dog, and/dog, a/cat, cat/dog: the reference has 5 words and 4 chains of two.
    assert (result.corpus["hwcm_1"], result.corpus["hwcm_2"]) == pytest.approx(shares)


def test_a_chain_matches_as_often_as_the_reference_has_it() -> None:
    result = captious.score(["a cat a cat"], [["a cat"]], ["hwcm_1"], cache=False)
    assert result.corpus["hwcm_1"] == 0.5


def test_an_unknown_variant_is_an_error() -> None:
    with pytest.raises(captious.CaptiousError, match="paper, released"):
        Hwcm(variant="other")
