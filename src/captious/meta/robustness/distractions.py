"""Distractions: a human caption beside one that names the wrong person or place, or only those.

The six forced choices of Hodosh and Hockenmaier (2016), which NNEval and LCEval report, generated
from captions alone. A caption's person is its first, its scene its last; both are whole phrases,
`a little girl`, found with the parser and lists of words from WordNet.

- `replace_person`, `replace_scene`: the phrase gives way to that of another image's caption, of the
  same number for persons. Its noun is in no caption of the image, nor is a word that may mean the
  same: METEOR's synonyms, words for anyone and anywhere, and pairs such as `boy` and `child`.
- `share_person`, `share_scene`: the caption of another image that has the very same phrase, while
  its scene, or its person, is another or none.
- `just_person`, `just_scene`: the phrase alone.

A caption without what a kind needs is left out of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from captious.errors import InputError
from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.text.english import ENGLISH
from captious.text.parser.parser import Sentence

_WORDS = ENGLISH.picture_words


class Phrase(NamedTuple):
    """A noun phrase of a sentence: where it begins and ends, its noun, and whether it is many."""

    start: int
    end: int  # the place behind the noun, which comes last
    lemma: str
    plural: bool


def add_interchangeable_words(lemmas: set[str]) -> frozenset[str]:
    """The words themselves, and those that captions use for the same things."""
    groups = (group for group in _WORDS.INTERCHANGEABLE if not group.isdisjoint(lemmas))
    return frozenset(lemmas).union(*groups)


def person_phrase(sentence: Sentence) -> Phrase | None:
    """The first person or people that a caption speaks of, with articles and adjectives."""
    groups = _WORDS.GROUPS
    persons = _WORDS.nouns_for("person") | groups
    for place, lemma in enumerate(sentence.lemmas):
        if lemma not in persons or not _is_noun_alone(sentence, place):
            continue
        if lemma in groups and sentence.words[place + 1 : place + 2] == ("of",):
            continue  # of whom, the next words say
        start = _phrase_start(sentence, place)
        governor = sentence.heads[place] - 1
        many = lemma in groups | _WORDS.PLURALS or sentence.tags[place] == "NNS"
        if (
            0 <= governor < start
            and sentence.lemmas[governor] in groups
            and sentence.words[governor + 1] == "of"
        ):
            start, many = _phrase_start(sentence, governor), True
        return Phrase(start, place + 1, lemma, many)
    return None


def scene_phrase(sentence: Sentence) -> Phrase | None:
    """The last place that a caption puts something at, without its preposition."""
    scenes = _WORDS.nouns_for("scene")
    for place in reversed(range(len(sentence.words))):
        lemma = sentence.lemmas[place]
        if lemma in scenes and _is_noun_alone(sentence, place):
            start = _phrase_start(sentence, place)
            if _follows_preposition(sentence, start):
                return Phrase(start, place + 1, lemma, sentence.tags[place] == "NNS")
    return None


def _is_noun_alone(sentence: Sentence, place: int) -> bool:
    """Whether a word is a noun and no part of a compound: of `street sign`, only `sign` is."""
    if not sentence.tags[place].startswith("NN") or sentence.labels[place] == "amod":
        return False
    # The parser takes some verbs for nouns: in `a man surfing`, the man is no kind of surfing.
    following = sentence.words[place + 1] if place + 1 < len(sentence.words) else ""
    return sentence.labels[place] != "compound" or following.endswith("ing")


def _follows_preposition(sentence: Sentence, start: int) -> bool:
    """Whether a preposition of place stands before a phrase, whatever the parser takes it for."""
    before = sentence.words[max(start - 2, 0) : start]
    if before[-1:] == ("of",):
        return before[0] in _WORDS.PLACE_PARTS
    return bool(before) and before[-1] in _WORDS.PLACE_PREPOSITIONS


def _phrase_start(sentence: Sentence, noun: int) -> int:
    """Where the noun's phrase begins: everything right before it that hangs from it."""
    start = noun
    while start > 0 and _modifies(sentence, start - 1, noun):
        start -= 1
    return start


def _modifies(sentence: Sentence, place: int, noun: int) -> bool:
    """Whether a word in front of a noun describes it: not a preposition, not a conjunction."""
    for _ in sentence.words:
        if sentence.labels[place] in ("case", "mark", "nsubj", "cop", "punct"):
            return False
        if sentence.labels[place] in ("cc", "conj") and sentence.heads[place] - 1 == noun:
            return False  # "and" between nouns; between adjectives it belongs to the phrase
        place = sentence.heads[place] - 1
        if place == noun:
            return True
        if place < 0 or place > noun:
            return False
    return False


DISTRACTIONS = tuple(
    f"{how}_{what}" for how in ("replace", "share", "just") for what in ("person", "scene")
)
MAX_TRIES = 100  # draws of a replacement, before a caption is left out

Phrases = list[Phrase | None]


def distractions(data: CaptionedImages, seed: int = 0) -> dict[str, Worsened]:
    """The distracted captions of each kind, beside the rows of the captions they came from."""
    phrases = {"person": _phrases(data, person_phrase), "scene": _phrases(data, scene_phrase)}
    if not any(map(any, phrases.values())):
        raise InputError("no caption names a person or a place: no distraction can be made")
    makers: dict[str, Callable[[str, np.random.Generator], list[str | None]]] = {
        "replace": lambda what, rng: _replace_phrases(data, phrases[what], what == "person", rng),
        "share": lambda what, rng: _share_phrases(data, phrases[what], phrases[_OTHER[what]], rng),
        "just": lambda what, rng: _keep_phrase_only(data, phrases[what]),
    }
    made: dict[str, Worsened] = {}
    for number, kind in enumerate(DISTRACTIONS):
        how, what = kind.split("_")
        # A stream of its own, so that one kind does not change the captions of another.
        made[kind] = Worsened.of(makers[how](what, np.random.default_rng([seed, number])))
    return made


_OTHER = {"person": "scene", "scene": "person"}


def _phrases(data: CaptionedImages, find: Callable[..., Phrase | None]) -> Phrases:
    return [sentence and find(sentence) for sentence in data.sentences]


def _text(data: CaptionedImages, row: int, phrase: Phrase) -> str:
    return " ".join(data.tokens[row][phrase.start : phrase.end])


def _replace_phrases(
    data: CaptionedImages, phrases: Phrases, same_number: bool, rng: np.random.Generator
) -> list[str | None]:
    """Each caption with its phrase replaced by another image's."""
    synonyms, unspecific = ENGLISH.synonyms, ENGLISH.picture_words.GENERIC_NOUNS
    known = [add_interchangeable_words(_lemmas(data, rows)) for rows in data.rows_of_image]
    meanings = [
        frozenset().union(*(synonyms.synsets(p.lemma) for row in rows if (p := phrases[row])))
        for rows in data.rows_of_image
    ]
    pool = [(row, phrase) for row, phrase in enumerate(phrases) if phrase]
    pool = [(row, phrase) for row, phrase in pool if phrase.lemma not in unspecific]

    def replace_phrase(row: int, phrase: Phrase) -> str | None:
        image = data.images[row]
        for place in rng.integers(len(pool), size=MAX_TRIES).tolist():
            other, candidate = pool[place]
            if (
                candidate.lemma not in known[image]
                and meanings[image].isdisjoint(synonyms.synsets(candidate.lemma))
                and (candidate.plural == phrase.plural or not same_number)
            ):
                words = data.tokens[row]
                before, after = words[: phrase.start], words[phrase.end :]
                return " ".join([*before, _text(data, other, candidate), *after])
        return None

    return [
        replace_phrase(row, phrase) if phrase and pool else None
        for row, phrase in enumerate(phrases)
    ]


def _lemmas(data: CaptionedImages, rows: list[int]) -> set[str]:
    """All that the captions of an image name, as base forms and as they stand."""
    lemmas: set[str] = set()
    for row in rows:
        lemmas.update(data.tokens[row])
        if (sentence := data.sentences[row]) is not None:
            lemmas.update(sentence.lemmas)
    return lemmas


def _share_phrases(
    data: CaptionedImages, phrases: Phrases, others: Phrases, rng: np.random.Generator
) -> list[str | None]:
    """For each caption, one of another image with the same phrase."""
    rows_with: dict[str, list[int]] = {}
    for row, phrase in enumerate(phrases):
        if phrase:
            rows_with.setdefault(_text(data, row, phrase), []).append(row)

    def differs(row: int, other: int) -> bool:
        here, there = others[row], others[other]
        if data.images[row] == data.images[other]:
            return False
        return here is None or there is None or here.lemma != there.lemma

    def find_caption_with(row: int, phrase: Phrase) -> str | None:
        rows = rows_with[_text(data, row, phrase)]
        drawn: list[int] = rng.integers(len(rows), size=MAX_TRIES).tolist()
        for place in drawn:
            if differs(row, rows[place]):
                return data.texts[rows[place]]
        return None

    return [
        find_caption_with(row, phrase) if phrase else None for row, phrase in enumerate(phrases)
    ]


def _keep_phrase_only(data: CaptionedImages, phrases: Phrases) -> list[str | None]:
    """Each caption's phrase, unless that is all there is."""
    return [
        _text(data, row, phrase) if phrase and phrase.end - phrase.start < len(words) else None
        for row, (phrase, words) in enumerate(zip(phrases, data.tokens, strict=True))
    ]
