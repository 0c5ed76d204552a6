"""Who a caption shows and where: its first person and its last scene, as phrases."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from captious.resources import RESOURCES
from captious.text.parser.parsed_sentence import Sentence

SHIPPED = RESOURCES / "scenes"

# What people are many of: "a group of people" is one person phrase, "a group" another.
GROUPS = frozenset(
    "audience band bunch class couple crew crowd family gang group line number pair row team "
    "trio".split()
)
# Words for a person or a place of any kind: put for another one they make nothing wrong.
UNSPECIFIC = frozenset(
    "adult area background ground human individual landscape member people person somebody "
    "someone terrain youngster youth".split()
)
# Words that captions of one image use for one thing: such a word is no wrong one for the other.
ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "boy child kid baby toddler infant youngster",
        "girl child kid baby toddler infant youngster",
        "man guy gentleman male dude father dad husband",
        "woman lady female girl mother mom wife bride",
        "boy son brother male",
        "girl daughter sister female",
        "biker bicyclist bicycler cyclist rider motorcyclist",
        "player athlete footballer goalie quarterback catcher batter pitcher competitor",
        "water ocean sea lake river pool pond stream creek surf bay fountain waterfall puddle",
        "beach shore sand coast coastline seashore shoreline ocean sea",
        "grass field lawn yard park meadow pasture backyard garden",
        "street road sidewalk pavement city town downtown lane highway crosswalk boulevard",
        "path trail road track walkway dirt",
        "mountain hill cliff rock mountainside hillside slope ridge peak",
        "snow ice slope mountain hill",
        "forest wood woods jungle woodland",
        "room kitchen bedroom house home office building",
        "store shop restaurant market cafe mall building",
        "building house wall city",
        "stage theater theatre auditorium",
        "stadium arena court rink gym field track",
    )
)
# A scene is what a caption places things at.
PLACING = frozenset(
    "above across against along alongside among around at atop before behind beneath beside "
    "between by down from in inside into near off on onto outside over past through throughout "
    "to toward towards under underneath up upon within".split()
)
# "In the middle of the street": the street is the scene.
PARTS = frozenset(
    "back base bottom center centre corner edge end front inside middle out outside side top "
    "view".split()
)


class Phrase(NamedTuple):
    """A noun phrase of a sentence: where it begins and ends, its noun, and whether it is many."""

    start: int
    end: int  # the place behind the noun, which comes last
    lemma: str
    plural: bool


@lru_cache(maxsize=2)
def words_naming(kind: str) -> frozenset[str]:
    """The nouns that name a `person` or a `scene`, from WordNet."""
    return frozenset((SHIPPED / f"{kind}_words.txt").read_text(encoding="utf-8").split())


def alike(lemmas: set[str]) -> frozenset[str]:
    """The words themselves, and those that captions use for the same things."""
    groups = (group for group in ALIKE if not group.isdisjoint(lemmas))
    return frozenset(lemmas).union(*groups)


def person_phrase(sentence: Sentence) -> Phrase | None:
    """The first person or people that a caption speaks of, with articles and adjectives."""
    persons = words_naming("person") | GROUPS
    for place, lemma in enumerate(sentence.lemmas):
        if lemma not in persons or not _is_noun_alone(sentence, place):
            continue
        if lemma in GROUPS and sentence.words[place + 1 : place + 2] == ("of",):
            continue  # of whom, the next words say
        start = _start(sentence, place)
        governor = sentence.heads[place] - 1
        many = lemma in GROUPS or lemma in ("people", "police") or sentence.tags[place] == "NNS"
        if (
            0 <= governor < start
            and sentence.lemmas[governor] in GROUPS
            and sentence.words[governor + 1] == "of"
        ):
            start, many = _start(sentence, governor), True
        return Phrase(start, place + 1, lemma, many)
    return None


def scene_phrase(sentence: Sentence) -> Phrase | None:
    """The last place that a caption puts something at, without its preposition."""
    scenes = words_naming("scene")
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
        return before[0] in PARTS
    return bool(before) and before[-1] in PLACING


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
