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

import numpy as np

from captious.errors import InputError
from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.meta.robustness.phrases import Phrase, alike, person_phrase, scene_phrase
from captious.text.english import ENGLISH

DISTRACTIONS = tuple(
    f"{how}_{what}" for how in ("replace", "share", "just") for what in ("person", "scene")
)
TRIES = 100  # draws of a replacement, before a caption is left out

Phrases = list[Phrase | None]


def distractions(data: CaptionedImages, seed: int = 0) -> dict[str, Worsened]:
    """The distracted captions of each kind, beside the rows of the captions they came from."""
    phrases = {"person": _phrases(data, person_phrase), "scene": _phrases(data, scene_phrase)}
    if not any(map(any, phrases.values())):
        raise InputError("no caption names a person or a place: no distraction can be made")
    makers: dict[str, Callable[[str, np.random.Generator], list[str | None]]] = {
        "replace": lambda what, rng: _replaced(data, phrases[what], what == "person", rng),
        "share": lambda what, rng: _shared(data, phrases[what], phrases[_OTHER[what]], rng),
        "just": lambda what, rng: _alone(data, phrases[what]),
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


def _replaced(
    data: CaptionedImages, phrases: Phrases, same_number: bool, rng: np.random.Generator
) -> list[str | None]:
    """Each caption with its phrase replaced by another image's."""
    synonyms, unspecific = ENGLISH.synonyms, ENGLISH.picture_words.GENERIC_NOUNS
    known = [alike(_lemmas(data, rows)) for rows in data.rows_of_image]
    meanings = [
        frozenset().union(*(synonyms.synsets(p.lemma) for row in rows if (p := phrases[row])))
        for rows in data.rows_of_image
    ]
    pool = [(row, phrase) for row, phrase in enumerate(phrases) if phrase]
    pool = [(row, phrase) for row, phrase in pool if phrase.lemma not in unspecific]

    def replaced(row: int, phrase: Phrase) -> str | None:
        image = data.images[row]
        for place in rng.integers(len(pool), size=TRIES).tolist():
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
        replaced(row, phrase) if phrase and pool else None for row, phrase in enumerate(phrases)
    ]


def _lemmas(data: CaptionedImages, rows: list[int]) -> set[str]:
    """All that the captions of an image name, as base forms and as they stand."""
    lemmas: set[str] = set()
    for row in rows:
        lemmas.update(data.tokens[row])
        if (sentence := data.sentences[row]) is not None:
            lemmas.update(sentence.lemmas)
    return lemmas


def _shared(
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

    def shared(row: int, phrase: Phrase) -> str | None:
        rows = rows_with[_text(data, row, phrase)]
        drawn: list[int] = rng.integers(len(rows), size=TRIES).tolist()
        for place in drawn:
            if differs(row, rows[place]):
                return data.texts[rows[place]]
        return None

    return [shared(row, phrase) if phrase else None for row, phrase in enumerate(phrases)]


def _alone(data: CaptionedImages, phrases: Phrases) -> list[str | None]:
    """Each caption's phrase, unless that is all there is."""
    return [
        _text(data, row, phrase) if phrase and phrase.end - phrase.start < len(words) else None
        for row, (phrase, words) in enumerate(zip(phrases, data.tokens, strict=True))
    ]
