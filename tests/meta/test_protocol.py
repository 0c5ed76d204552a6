"""Protocols: what they refuse, which judgements they leave, which references they draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.judgements import Preferences, Ratings
from captious.meta.presets import PRESETS, preset
from captious.meta.protocol import Protocol
from captious.signature import Address

DOG = ["A dog runs.", "The dog is running!", "A brown dog", "Dog on grass", "It runs"]
CAT = ["A cat's nap", "The cat sleeps", "A cat", "Cats sleep", "A red-haired cat"]


def ratings() -> Ratings:
    return Ratings(
        ["a dog runs", "the cat sleeps .", "a bird"],
        [DOG, CAT, DOG],
        ["dog", "cat", "dog"],
        np.array([[4.0], [3.0], [1.0]]),
        ["human", "machine/neural", "machine/graph"],
    )


def preferences() -> Preferences:
    return Preferences(
        [("a dog runs", "a bird"), ("a bird", "a cat"), ("a bird", "a tree")],
        [DOG, CAT, CAT],
        ["dog", "cat", "cat"],
        np.array([0, 1, 0]),
        ["HC", "HM", "HM"],
    )


@pytest.mark.parametrize(
    "choices",
    [
        {"raters": "median"},
        {"own": "drop"},
        {"documents": "corpus"},
        {"statistic": "kendall"},
        {"ties": "both"},
        {"equality": "letters"},
        {"references": 0},
        {"references": True},
        {"references": "first"},
        {"references": "first:0"},
        {"references": "last:5"},
        {"seed": -1},
        {"seed": None},
        {"votes": 0},
        {"parts": "human"},
    ],
)
def test_a_wrong_choice_is_named(choices: dict[str, Any]) -> None:
    (field,) = choices
    with pytest.raises(InputError, match=f"'standard': {field}\\b"):
        Protocol(**choices)


def test_own_captions_are_found_by_their_tokens() -> None:
    kept = Protocol(own="drop_pair").apply(ratings())
    assert kept.candidates == ["a bird"]
    assert kept.ratings.tolist() == [[1.0]]
    dropped = Protocol(own="drop_reference").apply(ratings())
    assert dropped.references == [DOG[1:], [CAT[0], *CAT[2:]], DOG]
    assert Protocol(own="keep").apply(ratings()).references == [DOG, CAT, DOG]


def test_candidates_of_other_rows_may_be_dropped_too() -> None:
    dropped = Protocol(own="drop_candidates").apply(ratings())
    # The third row's candidate is no reference, but the first row's is.
    assert dropped.references == [DOG[1:], [CAT[0], *CAT[2:]], DOG[1:]]
    assert len(dropped) == 3


def test_a_persons_caption_is_no_reference_of_its_image() -> None:
    rows = Ratings(
        ["a dog runs", "it runs", "a brown dog", "the cat sleeps ."],
        [DOG, DOG, CAT, CAT],
        ["dog", "dog", "cat", "cat"],
        np.ones((4, 1)),
        ["human", "machine/neural", "human", "machine/neural"],
    )
    dropped = Protocol(own="drop_human").apply(rows)
    # The machine's caption stays where it is a reference, too; another image's people count not.
    assert dropped.references == [DOG[1:], DOG[1:], CAT, CAT]
    machine = Protocol(own="drop_human", parts=("machine",)).apply(rows)
    assert machine.references == [DOG[1:], CAT]
    nobody = replace(rows, groups=["humanoid", "machine", "machine", "machine"])
    with pytest.raises(InputError, match=r"no candidates of the part 'human'.*humanoid, machine"):
        Protocol(own="drop_human").apply(nobody)


def test_words_are_equal_where_punctuation_was_lost() -> None:
    lost = Ratings(
        ["a cat s nap", "a red haired cat"], [CAT, CAT], ["x", "x"], np.ones((2, 1)), ["all"] * 2
    )
    by_tokens = Protocol(own="drop_reference").apply(lost)
    assert [len(captions) for captions in by_tokens.references] == [5, 5]
    by_words = Protocol(own="drop_reference", equality="words").apply(lost)
    assert by_words.references == [CAT[1:], CAT[:4]]


def test_either_caption_of_a_pair_may_be_a_reference() -> None:
    dropped = Protocol(own="drop_reference").apply(preferences())
    assert dropped.references == [DOG[1:], [*CAT[:2], *CAT[3:]], CAT]
    assert Protocol(own="drop_pair").apply(preferences()).pairs == [("a bird", "a tree")]


def test_the_same_number_of_references_everywhere() -> None:
    drawn = Protocol(own="drop_reference", references=4).apply(ratings())
    assert [len(captions) for captions in drawn.references] == [4, 4, 4]
    assert "A dog runs." not in drawn.references[0]


def test_of_two_equal_references_one_stays_only_where_it_is_needed() -> None:
    twice = ["A dog", "a dog.", "It runs", "Brown"]
    rows = Ratings(["a dog"], [twice], ["dog"], np.ones((1, 1)), ["all"])

    def left(number: int | None) -> list[str]:
        return Protocol(own="drop_reference", references=number).apply(rows).references[0]

    assert left(None) == twice[2:]
    assert left(2) == twice[2:]
    assert left(3) == twice[1:]
    assert left(4) == twice[1:]  # the caption itself never comes back


def test_draws_depend_on_seed_and_row_but_not_on_other_rows() -> None:
    rows = ratings()
    one = Protocol(references=2).apply(rows).references
    order = np.array([2, 0, 1])
    assert Protocol(references=2).apply(rows.take(order)).references == [one[row] for row in order]
    others = [Protocol(references=2, seed=seed).apply(rows).references for seed in range(1, 9)]
    assert any(other != one for other in others)
    # Two candidates of one image do not share their draw.
    assert any(other[0] != other[2] for other in others)


def test_more_references_are_the_fewer_and_others() -> None:
    fewer, more = (Protocol(references=number).apply(ratings()).references[0] for number in (2, 4))
    assert set(fewer) < set(more)
    assert more == [caption for caption in DOG if caption in more]  # in the file's order


def test_the_first_references_are_those_of_the_file_whatever_the_seed() -> None:
    for seed in (0, 1):
        first = Protocol(references="first:2", seed=seed).apply(ratings())
        assert first.references == [DOG[:2], CAT[:2], DOG[:2]]
    assert Protocol(references="first:9").apply(ratings()).references == [DOG, CAT, DOG]


def test_the_first_references_are_counted_without_an_own_caption() -> None:
    first = Protocol(own="drop_reference", references="first:2").apply(ratings())
    assert first.references == [DOG[1:3], [CAT[0], CAT[2]], DOG[:2]]


def test_pairs_are_dropped_by_all_references_though_the_first_alone_is_used() -> None:
    second = Ratings(["a cat"], [["a dog", "A cat."]], ["cat"], np.ones((1, 1)), ["all"])
    with pytest.raises(InputError, match="every candidate is one of its references"):
        Protocol(own="drop_pair", references="first:1").apply(second)


@pytest.mark.parametrize("references", [5, "first:5", "first:1"])
def test_a_choice_of_references_in_a_signature_makes_the_same_choice(references: int | str) -> None:
    protocol = Protocol("mine", references=references)
    (argument,) = Address.parse(str(protocol.address())).arguments
    assert argument == ("references", str(references))
    assert Protocol("mine", references=str(argument[1])) == protocol
    assert protocol.to_dict()["references"] == references


def test_every_reference_is_drawn_equally_often() -> None:
    n = 2000
    rows = Ratings(
        [f"caption {i}" for i in range(n)], [DOG] * n, ["dog"] * n, np.ones((n, 1)), ["all"] * n
    )
    drawn = Protocol(references=2).apply(rows).references
    counts = [sum(caption in captions for captions in drawn) for caption in DOG]
    # 800 expected each, with a standard deviation of 22.
    assert max(abs(count - 800) for count in counts) < 110


def test_references_joined_into_one() -> None:
    joined = Protocol(joined=True, own="drop_reference").apply(ratings())
    assert joined.references[0] == ["The dog is running! A brown dog Dog on grass It runs"]


def test_parts_are_groups_and_what_is_below_them() -> None:
    machine = Protocol(parts=("machine",)).apply(ratings())
    assert machine.groups == ["machine/neural", "machine/graph"]
    assert Protocol(parts=("human",)).apply(ratings()).candidates == ["a dog runs"]
    with pytest.raises(InputError, match="no part 'mach'; the parts are: human, machine/graph"):
        Protocol(parts=("mach",)).apply(ratings())


def test_nothing_left_is_an_error() -> None:
    own = Ratings(["a dog"], [["A dog."]], ["dog"], np.ones((1, 1)), ["all"])
    with pytest.raises(InputError, match="no judgements are left"):
        Protocol(own="drop_pair").apply(own)
    with pytest.raises(InputError, match="row 1 \\(image 'dog'\\): no reference is left"):
        Protocol(own="drop_reference").apply(own)


def test_a_protocol_in_one_line() -> None:
    assert preset("standard", "composite").describe() == (
        "standard: Kendall's tau_c, mean rating, own caption dropped from the references, "
        "equal words, 4 references at random (seed 0), documents counted once an image"
    )
    assert "the first 5 references, " in Protocol(references="first:5").describe()
    assert "the first reference, " in Protocol(references="first:1").describe()
    assert Protocol("mine", statistic="accuracy", references=1, remark="why").describe() == (
        "mine: accuracy, ties one half, own captions kept, 1 reference at random (seed 0), "
        "documents counted once an image (why)"
    )


def test_captions_that_a_paper_validated_on_take_part_only_as_candidates() -> None:
    rows = replace(ratings(), groups=["human/seen", "human", "machine/graph"])
    assert len(Protocol().apply(rows)) == 3
    unseen = Protocol(own="drop_human", unseen=True)
    left = unseen.apply(rows)
    assert left.candidates == ["the cat sleeps .", "a bird"]
    assert left.references[1] == DOG[1:]  # the person's caption is no reference of the machine's
    assert unseen.reading == {"mark_seen": True} and Protocol().reading == {}
    assert Protocol(unseen=True, votes=11).reading == {"votes": 11, "mark_seen": True}
    assert "without captions that the paper validated on" in unseen.describe()


def test_a_protocol_as_a_dict_makes_the_same_protocol() -> None:
    original = replace(preset("lceval", "composite"), parts=("human", "machine/neural"))
    choices = original.to_dict()
    assert choices["parts"] == ["human", "machine/neural"]
    assert Protocol(**{**choices, "parts": tuple(choices["parts"])}) == original


def test_presets_carry_their_names_and_fit_their_benchmarks() -> None:
    papers = {"nneval", "lceval", "leic", "yi2020", "clipscore", "fense"}
    assert set(PRESETS) == {"standard", *papers}
    assert set(PRESETS["standard"]) == set(BENCHMARKS)
    for name, protocols in PRESETS.items():
        for benchmark, protocol in protocols.items():
            assert protocol.name == name
            pairs = BENCHMARKS[benchmark].kind == "preferences"
            assert (protocol.statistic == "accuracy") == pairs


@pytest.mark.parametrize(
    ("paper", "benchmark", "references", "ties"),
    [
        ("nneval", "pascal-50s", "first:5", "first"),
        ("lceval", "pascal-50s", "first:5", "first"),
        ("lceval", "abstract-50s", "first:5", "first"),
        ("yi2020", "pascal-50s", "first:5", "second"),
        ("leic", "flickr8k-expert", "first:1", "half"),
        ("clipscore", "composite", 4, "half"),
        ("standard", "abstract-50s", 5, "half"),
    ],
)
def test_references_and_ties_of_papers(
    paper: str, benchmark: str, references: int | str, ties: str
) -> None:
    protocol = preset(paper, benchmark)
    assert (protocol.references, protocol.ties) == (references, ties)


def test_a_paper_without_a_benchmark_says_which_it_has() -> None:
    with pytest.raises(InputError, match="it has: flickr8k-expert, flickr8k-cf, coco-2015"):
        preset("leic", "pascal-50s")
    with pytest.raises(InputError, match="there are: standard, nneval"):
        preset("bleu", "composite")
