"""Who a caption shows and where: its first person and its last scene, as phrases."""

from __future__ import annotations

from typing import NamedTuple

from captious.text.english import ENGLISH
from captious.text.parser.parsed_sentence import Sentence

_WORDS = ENGLISH.picture_words


class Phrase(NamedTuple):
    """A noun phrase of a sentence: where it begins and ends, its noun, and whether it is many."""

    start: int
    end: int  # the place behind the noun, which comes last
    lemma: str
    plural: bool


def alike(lemmas: set[str]) -> frozenset[str]:
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
        start = _start(sentence, place)
        governor = sentence.heads[place] - 1
        many = lemma in groups | _WORDS.PLURALS or sentence.tags[place] == "NNS"
        if (
            0 <= governor < start
            and sentence.lemmas[governor] in groups
            and sentence.words[governor + 1] == "of"
        ):
            start, many = _start(sentence, governor), True
        return Phrase(start, place + 1, lemma, many)
    return None


def scene_phrase(sentence: Sentence) -> Phrase | None:
    """The last place that a caption puts something at, without its preposition."""
    scenes = _WORDS.nouns_for("scene")
    for place in reversed(range(len(sentence.words))):
        lemma = sentence.lemmas[place]
        if lemma in scenes and _is_noun_alone(sentence, place):
            start = _start(sentence, place)
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


def _start(sentence: Sentence, noun: int) -> int:
    """Where the noun's phrase begins: everything right before it that hangs from it."""
    start = noun
    while start > 0 and _hangs_from(sentence, start - 1, noun):
        start -= 1
    return start


def _hangs_from(sentence: Sentence, place: int, noun: int) -> bool:
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
