"""Head-word chains."""

from __future__ import annotations

from collections import Counter

import pytest

import captious
from captious.metrics.hwcm import LENGTHS, Hwcm, HwcmDep, extract_chains
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, Sentence

# a bird by some leaves: bird is the root, leaves depends on it (Universal Dependencies)
SENTENCE = Sentence(
    ("a", "bird", "by", "some", "leaves"),
    ("DT", "NN", "IN", "DT", "NNS"),
    ("a", "bird", "by", "some", "leaf"),
    (2, 0, 5, 5, 2),
    ("det", "root", "case", "det", "nmod"),
)


def test_chains_go_from_a_word_to_its_heads() -> None:
    one, two, three, four = extract_chains([SENTENCE], by_label=False)
    assert one == {" a", " bird", " by", " some", " leaf"}
    assert two == {" a bird", " by leaf", " some leaf", " leaf bird"}
    assert three == {" by leaf bird", " some leaf bird"}
    assert not four


def test_chains_of_labels_are_counted() -> None:
    _, two, _, _ = extract_chains([SENTENCE, SENTENCE], by_label=True)
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


def recounted(candidate: Sentence, reference: Sentence, by_label: bool) -> list[float]:
    """Clipped matches over the reference's chains, length by length."""

    def chains(sentence: Sentence, length: int) -> Counter[tuple[str, ...]]:
        links = sentence.labels if by_label else sentence.lemmas
        counts: Counter[tuple[str, ...]] = Counter()
        for place in range(1, len(links) + 1):
            way = [place]
            while len(way) < length and sentence.heads[way[-1] - 1]:
                way.append(sentence.heads[way[-1] - 1])
            if len(way) == length:
                counts[tuple(links[step - 1] for step in way)] += 1
        return counts

    shares = []
    for length in LENGTHS:
        mine, theirs = chains(candidate, length), chains(reference, length)
        shares.append((mine & theirs).total() / theirs.total() if theirs else 0.0)
    return shares


@pytest.mark.slow
@pytest.mark.parametrize("metric", [Hwcm, HwcmDep])
def test_as_published_it_is_the_mean_up_to_a_length(metric: type[Hwcm]) -> None:
    candidates = ["a man in a red hat rides a big horse", "two dogs", "a bird by a bird"]
    references = [
        ["a man rides a horse on a wide beach", "a person in a hat sits on a brown horse"],
        ["dogs", "two big dogs run after a red ball in the snow"],
        ["a bird sits by some leaves of a tree", "birds"],
    ]
    actual = captious.score(candidates, references, [metric(variant="published")], cache=False)

    def parse(caption: str) -> Sentence:
        (sentence,) = Analysis([caption]).layer(Parses).sentences[0]
        return sentence

    for row, (candidate, several) in enumerate(zip(candidates, references, strict=True)):
        each = [recounted(parse(candidate), parse(other), metric.by_label) for other in several]
        best = [max(of_length) for of_length in zip(*each, strict=True)]
        for length, column in zip(LENGTHS, metric.columns, strict=True):
            expected_chains = sum(best[:length]) / length
            assert actual.samples[column][row] == pytest.approx(expected_chains, abs=1e-12), column


def test_a_chain_matches_as_often_as_the_reference_has_it() -> None:
    result = captious.score(["a cat a cat"], [["a cat"]], ["hwcm_1"], cache=False)
    assert result.corpus["hwcm_1"] == 0.5


def test_an_unknown_variant_is_an_error() -> None:
    with pytest.raises(captious.CaptiousError, match="paper, released, published"):
        Hwcm(variant="other")
