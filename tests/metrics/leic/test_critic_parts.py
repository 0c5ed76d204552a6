"""The critic's parts that need no PyTorch: sketches, sentences, other captions, recipes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from captious._internal.arrays.ragged import Ragged, offsets_of
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.metrics.leic.fusion import CountSketch, fold_sketches
from captious.metrics.leic.lstm import has_end_token, pad_captions, truncate
from captious.metrics.leic.recipe import NEGATIVES, CriticRecipe, released_recipe
from captious.text.vocabulary import EDGE, SPECIAL, UNKNOWN, Vocabulary
from captious.training.critics.captions import (
    CriticCaptions,
    EncodedCaptions,
    Negatives,
    draw_other_captions,
)
from captious.training.critics.two_fold import judging_recipe
from tests.made_up.critic_world import images, machine, people


def ragged(*rows: list[int]) -> Ragged:
    return Ragged(
        np.array([value for row in rows for value in row], np.int64),
        offsets_of(np.array([len(row) for row in rows])),
    )


def rows_of(actual: Ragged) -> list[list[int]]:
    return [
        actual.values[start:end].tolist()
        for start, end in zip(actual.offsets[:-1], actual.offsets[1:], strict=True)
    ]


def test_a_folded_layer_is_the_layer_over_the_sketch_of_the_outer_product() -> None:
    chance = np.random.default_rng(0)
    left, right = (CountSketch.random(width, 7, chance) for width in (5, 4))
    layer, x, y = chance.normal(size=7), chance.normal(size=5), chance.normal(size=4)
    sketch = np.zeros(7)
    for i in range(5):
        for j in range(4):
            place = (left.places[i] + right.places[j]) % 7
            sketch[place] += left.signs[i] * right.signs[j] * x[i] * y[j]
    assert x @ fold_sketches(layer, left, right) @ y == pytest.approx(layer @ sketch)


def test_a_sketch_uses_all_places_and_both_signs() -> None:
    sketch = CountSketch.random(2000, 10, np.random.default_rng(1))
    assert set(sketch.places.tolist()) == set(range(10))
    assert 0.4 < (sketch.signs == 1).mean() < 0.6


def test_long_captions_are_truncated_and_short_ones_padded() -> None:
    captions = ragged([5, 6, 7, 8], [], [9])
    assert rows_of(truncate(captions, 3)) == [[5, 6, 7], [], [9]]
    assert pad_captions(truncate(captions, 3)).tolist() == [
        [5, 6, 7, EDGE],
        [EDGE, EDGE, EDGE, EDGE],
        [9, EDGE, EDGE, EDGE],
    ]


def test_released_recipe_has_its_defaults_unless_overridden() -> None:
    released = released_recipe(dropout=0.1)
    assert (released.size, released.epochs, released.dropout) == (512, 30, 0.1)
    assert released.variant == "released" and released.contrast == 0
    assert CriticRecipe(**released.to_dict()) == released
    assert "as_released" not in CriticRecipe().to_dict()  # hashes of before stay as they were


def test_only_the_released_critic_loses_long_captions() -> None:
    lengths = np.array([0, 14, 15, 40])
    assert has_end_token(lengths, 15, "paper").all()
    assert has_end_token(lengths, 15, "released").tolist() == [True, True, False, False]


@pytest.fixture
def material() -> tuple[CriticCaptions, Vocabulary, EncodedCaptions]:
    captions = CriticCaptions.of(people(), {"machine": machine()}, images())
    vocabulary = Vocabulary.of(captions.people.words)
    return captions, vocabulary, captions.people.to_ids(vocabulary)


def draw_negatives(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions], kind: str, **choices: Any
) -> tuple[np.ndarray, list[str]]:
    captions, vocabulary, encoded = material
    recipe = CriticRecipe(others={kind: 1.0}, **choices)
    machines = {name: tokens.to_ids(vocabulary) for name, tokens in captions.machines.items()}
    assert captions.images is not None
    features = captions.images.vectors.astype(np.float64)
    known = len(vocabulary.words)
    others = Negatives(encoded, machines, recipe, known, known, features)
    rows = np.arange(len(encoded.images))[::-1].copy()
    actual = rows_of(others.draw(rows, np.random.default_rng(7)))
    texts = [" ".join((*SPECIAL, *vocabulary.words)[word] for word in row) for row in actual]
    return rows, texts


def test_machines_captions_are_of_the_same_image(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, _, encoded = material
    rows, texts = draw_negatives(material, "machine")
    assert texts == [machine()[captions.names[image]][0] for image in encoded.images[rows]]


def test_negatives_of_other_images_are_never_of_the_same_image(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, _, encoded = material
    alike = {name: tuple(captions) for name, captions in people().items()}
    for similar in (False, True):
        rows, texts = draw_negatives(material, "random_caption", similar=similar)
        every = {caption for captions in alike.values() for caption in captions}
        assert set(texts) <= every
        # Images 12 apart have equal captions here: an image's own captions still come up.
        different = sum(
            text not in alike[captions.names[image]]
            for text, image in zip(texts, encoded.images[rows], strict=True)
        )
        assert different > len(rows) / 2


def test_similar_images_come_up_more_often() -> None:
    near = {f"{row}.jpg": [f"word{row}", f"word{row} again"] for row in range(40)}
    line = np.column_stack([np.cos(np.arange(40) / 40), np.sin(np.arange(40) / 40)])
    captions = CriticCaptions.of(near, images=ImageVectors.of(list(near), line))
    vocabulary = Vocabulary.of(captions.people.words)
    far = {}
    for similar in (False, True):
        rows, texts = draw_negatives(
            (captions, vocabulary, captions.people.to_ids(vocabulary)),
            "random_caption",
            similar=similar,
        )
        others = np.array([int(text.split()[0][4:]) for text in texts])
        assert (others != rows // 2).all()
        far[similar] = np.abs(others - rows // 2).mean()
    assert far[True] < 0.8 * far[False]


def test_permuted_captions_have_the_same_words_in_another_order(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, *_ = material
    rows, texts = draw_negatives(material, "word_permutation")
    for row, text in zip(rows, texts, strict=True):
        words = captions.people.words[row]
        assert sorted(text.split()) == sorted(words) and text.split() != words


def test_two_words_or_more_are_replaced(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, vocabulary, _ = material
    rows, texts = draw_negatives(material, "random_word")
    changed = []
    for row, text in zip(rows, texts, strict=True):
        words, before = text.split(), captions.people.words[row]
        assert len(words) == len(before) and set(words) <= set(vocabulary.words)
        changed.append(sum(one != other for one, other in zip(words, before, strict=True)))
    assert min(changed) == 2 and max(changed) == 4


def test_words_beyond_the_vocabulary_replace_others_as_the_unknown_word(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    _, vocabulary, encoded = material
    recipe = CriticRecipe(others={"random_word": 1.0})
    known = len(vocabulary.words)
    actual = Negatives(encoded, {}, recipe, known, 3 * known).draw(
        np.arange(len(encoded.images)), np.random.default_rng(0)
    )
    changed = actual.values != encoded.word_ids.values
    assert 0.55 < (actual.values[changed] == UNKNOWN).mean() < 0.8


def test_shares_decide_how_many_of_each_kind(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, vocabulary, encoded = material
    recipe = CriticRecipe(others={"machine": 3.0, "word_permutation": 1.0})
    machines = {name: tokens.to_ids(vocabulary) for name, tokens in captions.machines.items()}
    others = Negatives(encoded, machines, recipe, 9, 9)
    rows = np.tile(np.arange(len(encoded.images)), 20)
    lengths = others.draw(rows, np.random.default_rng(0)).lengths
    assert 0.7 < (lengths == 2).mean() < 0.8  # the machine says two words, people four


def test_system_captions_have_their_share_of_the_negatives_in_two_fold_judging(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, vocabulary, encoded = material
    machines = {name: tokens.to_ids(vocabulary) for name, tokens in captions.machines.items()}
    rows = np.tile(np.arange(len(encoded.images)), 20)
    for sampled, share in (({}, 1 / 2), ({"sampled": encoded}, 1 / 3)):
        others = Negatives(encoded, machines | sampled, judging_recipe(), 9, 9)
        lengths = others.draw(rows, np.random.default_rng(0)).lengths
        assert (lengths == 2).mean() == pytest.approx(share, abs=0.03)


def test_transformations_of_the_released_code_are_as_often_strong_as_weak(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    _, _, encoded = material
    whole = []
    for as_released in (False, True):
        recipe = CriticRecipe(as_released=as_released, others={"random_word": 1.0})
        rows = np.tile(np.arange(len(encoded.images)), 20)
        made = Negatives(encoded, {}, recipe, 9, 9).draw(rows, np.random.default_rng(0))
        kept = made.values == encoded.word_ids.take(rows).values
        whole.append(np.mean(np.bincount(made.owners, kept) == 0))  # all four words are others
    assert whole[1] > 1.5 * whole[0] > 0


def test_kinds_without_captions_are_left_out(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    captions, vocabulary, encoded = material
    recipe = CriticRecipe(others={"machine": 1.0, "sampled": 1.0})
    machines = {name: tokens.to_ids(vocabulary) for name, tokens in captions.machines.items()}
    rows = np.arange(50)
    actual = Negatives(encoded, machines, recipe, 9, 9).draw(rows, np.random.default_rng(0))
    assert (actual.lengths == 2).all()
    with pytest.raises(InputError, match="no negatives"):
        Negatives(encoded, {}, recipe, 9, 9)


def test_a_reference_is_another_caption_of_the_image(
    material: tuple[CriticCaptions, Vocabulary, EncodedCaptions],
) -> None:
    _, _, encoded = material
    rows = np.tile(np.arange(len(encoded.images)), 5)
    actual = draw_other_captions(encoded, rows, np.random.default_rng(3))
    assert (actual != rows).all()
    assert (encoded.images[actual] == encoded.images[rows]).all()
    assert len(set(actual[rows == 0].tolist())) == 2


@pytest.mark.parametrize(
    ("choices", "complaint"),
    [
        ({"context": "sound"}, "unknown context"),
        ({"fusion": "sum"}, "unknown fusion"),
        ({"variant": "mine"}, "unknown variant"),
        ({"batch": 3}, "an even number"),
        ({"size": 0}, "size: a whole number"),
        ({"dropout": 1.0}, "dropout"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"decay": 0.0}, "decay"),
        ({"seed": -1}, "seed"),
        ({"largest_gradient": 0.0}, "largest_gradient"),
        ({"others": {"rumour": 1.0}}, "unknown captions 'rumour'"),
        ({"others": {"machine": -1.0}}, "machine: a number from 0 up"),
    ],
)
def test_impossible_recipes_are_errors(choices: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        CriticRecipe(**choices)


def test_captions_that_do_not_fit_are_errors() -> None:
    with pytest.raises(InputError, match="no captions to learn from"):
        CriticCaptions.of({})
    with pytest.raises(InputError, match=r"'0.jpg': needs two human captions"):
        CriticCaptions.of({"0.jpg": ["a dog"]})
    with pytest.raises(InputError, match=r"'1.jpg': no captions of kind 'machine'"):
        CriticCaptions.of(people(2), {"machine": machine(1)})
    with pytest.raises(InputError, match="of kind machine or sampled"):
        CriticCaptions.of(people(2), {"random_word": machine(2)})


def test_default_recipe_has_every_kind_of_negative() -> None:
    assert set(CriticRecipe().others) == set(NEGATIVES)
