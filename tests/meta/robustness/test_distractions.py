"""Distracted captions: the right phrase is found, and what takes its place is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from captious.errors import InputError
from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.meta.robustness.distractions import (
    DISTRACTIONS,
    Phrase,
    add_interchangeable_words,
    distractions,
    person_phrase,
    scene_phrase,
)
from captious.text.english.word_lists import nouns_for
from captious.text.parser.parser import Sentence
from tests.made_up.captioned_images import made_up


def sentence_of(text: str) -> Sentence:
    """A sentence from word/tag/lemma/head/relation."""
    rows = [word.split("/") for word in text.split()]
    words, tags, lemmas, heads, labels = zip(*rows, strict=True)
    return Sentence(words, tags, lemmas, tuple(map(int, heads)), labels)


GROUP = sentence_of(
    "a/DT/a/2/det group/NN/group/7/nsubj of/IN/of/6/case tall/JJ/tall/6/amod "
    "soccer/NN/soccer/6/compound players/NNS/player/2/nmod run/VBP/run/0/root "
    "in/IN/in/9/case front/NN/front/7/nmod of/IN/of/15/case a/DT/a/15/det wide/JJ/wide/15/amod "
    "and/CC/and/12/cc green/JJ/green/12/conj field/NN/field/9/nmod"
)
SIGN = sentence_of(
    "a/DT/a/3/det street/NN/street/3/compound sign/NN/sign/0/root with/IN/with/6/case "
    "a/DT/a/6/det wall/NN/wall/3/nmod"
)
PAIR = sentence_of(
    "a/DT/a/2/det couple/NN/couple/3/nsubj walk/VBP/walk/0/root and/CC/and/3/cc "
    "a/DT/a/6/det man/NN/man/7/nsubj sits/VBZ/sit/3/conj by/IN/by/10/case "
    "the/DT/the/10/det lake/NN/lake/7/nmod"
)


def phrase_text(sentence: Sentence, phrase: Phrase) -> str:
    return " ".join(sentence.words[phrase.start : phrase.end])


def test_a_group_of_people_is_one_phrase() -> None:
    phrase = person_phrase(GROUP)
    assert phrase is not None
    assert phrase_text(GROUP, phrase) == "a group of tall soccer players"
    assert phrase.plural
    assert phrase.lemma == "player"


def text_at(sentence: Sentence, find: Callable[[Sentence], Phrase | None]) -> str:
    phrase = find(sentence)
    assert phrase is not None
    return phrase_text(sentence, phrase)


def test_a_couple_alone_are_people_and_come_first() -> None:
    assert text_at(PAIR, person_phrase) == "a couple"


def test_a_scene_has_all_its_adjectives_and_may_stand_behind_in_front_of() -> None:
    assert text_at(GROUP, scene_phrase) == "a wide and green field"
    assert text_at(PAIR, scene_phrase) == "the lake"


def test_words_that_are_not_places_are_no_scene() -> None:
    # `street` is part of a compound, and nothing is placed at the wall.
    assert scene_phrase(SIGN) is None
    assert person_phrase(SIGN) is None


def test_words_for_the_same_thing() -> None:
    assert {"boy", "child", "kid"} <= add_interchangeable_words({"boy"})
    assert "woman" not in add_interchangeable_words({"boy"})
    assert add_interchangeable_words({"xylophone"}) == {"xylophone"}


@pytest.mark.parametrize(
    ("kind", "words", "no_words"),
    [
        ("person", "man woman child firefighter someone", "dog tiger stroller hood beach"),
        ("scene", "beach street kitchen mountain snow", "front top man jersey seat"),
    ],
)
def test_lists_of_words(kind: str, words: str, no_words: str) -> None:
    assert set(words.split()) <= nouns_for(kind)
    assert nouns_for(kind).isdisjoint(no_words.split())


@pytest.fixture(scope="module")
def data() -> CaptionedImages:
    return made_up()


@pytest.fixture(scope="module")
def made(data: CaptionedImages) -> dict[str, Worsened]:
    return distractions(data)


def test_every_kind_has_captions_of_rows_in_order(
    data: CaptionedImages, made: dict[str, Worsened]
) -> None:
    assert tuple(made) == DISTRACTIONS
    for worsened in made.values():
        assert len(worsened.rows) == len(worsened.texts) > 0
        assert sorted(set(worsened.rows.tolist())) == worsened.rows.tolist()
        assert all(data.texts[row] != text for row, text in zip(*worsened, strict=True))


def test_replacing_person_is_in_no_caption_of_the_image(
    data: CaptionedImages, made: dict[str, Worsened]
) -> None:
    rows, texts = made["replace_person"]
    first = texts[rows.tolist().index(0)]
    # Beside women there are boys and players, of whom there are several, and one singer.
    assert first.endswith(" is running on the beach")
    assert any(word in first for word in ("woman", "lady", "singer", "owner"))


def test_replacements_exclude_synonyms_of_the_image() -> None:
    data = CaptionedImages.of(
        {
            "boy": ["A boy sits on the street.", "A boy is sitting on the street."],
            "child": ["A child sits on the road.", "A person sits on the road."],
            "woman": ["A woman sits on the beach.", "A woman is sitting on the beach."],
            "alley": ["A woman walks in the alley.", "A woman is walking in the alley."],
            "alleyway": ["A woman walks in the alleyway.", "A woman is in the alleyway."],
        }
    )
    for seed in range(10):
        made = distractions(data, seed)
        assert made["replace_person"].texts[0] == "a woman sits on the street"
        rows, texts = made["replace_scene"]
        assert "road" not in texts[0]
        # METEOR's table has the two as synonyms.
        assert "alleyway" not in texts[rows.tolist().index(6)]


def test_a_replaced_scene_keeps_the_rest(data: CaptionedImages, made: dict[str, Worsened]) -> None:
    for row, text in zip(*made["replace_scene"], strict=True):
        phrase = scene_phrase(data.sentences[row])
        assert phrase is not None
        before = " ".join(data.tokens[row][: phrase.start])
        after = " ".join(data.tokens[row][phrase.end :])
        assert text.startswith(before)
        assert text.endswith(after)
        own = {
            word for other in data.rows_of_image[data.images[row]] for word in data.tokens[other]
        }
        assert text[len(before) :].split()[-1 - len(after.split())] not in own


def test_shared_captions_are_of_other_images_and_have_the_phrase(
    data: CaptionedImages, made: dict[str, Worsened]
) -> None:
    for kind, find, other in (
        ("share_person", person_phrase, scene_phrase),
        ("share_scene", scene_phrase, person_phrase),
    ):
        for row, text in zip(*made[kind], strict=True):
            there = data.texts.index(text)
            assert data.images[there] != data.images[row]
            here, shared = data.sentences[row], data.sentences[there]
            assert here is not None and shared is not None
            assert text_at(here, find) == text_at(shared, find)
            ours, theirs = other(here), other(shared)
            assert ours is None or theirs is None or ours.lemma != theirs.lemma


def test_just_the_phrase(made: dict[str, Worsened]) -> None:
    assert made["just_person"].texts[0] == "a young man"
    assert made["just_scene"].texts[0] == "the beach"


def test_the_seed_decides(data: CaptionedImages, made: dict[str, Worsened]) -> None:
    assert [w.texts for w in distractions(data).values()] == [w.texts for w in made.values()]
    others = {tuple(distractions(data, seed)["replace_scene"].texts) for seed in range(5)}
    assert len(others) > 1


def test_captions_without_person_or_scene_are_an_error() -> None:
    dogs = CaptionedImages.of({"a": ["a dog", "a brown dog"], "b": ["a cat", "two cats"]})
    with pytest.raises(InputError, match="no caption names a person or a place"):
        distractions(dogs)
