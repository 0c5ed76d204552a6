"""Things that captions mention: objects, attributes and relations, by parts of speech."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.parser.parser import Parses
from captious.text.tokens import Tokens

KINDS = ("object", "attribute", "relation")
OBJECT, ATTRIBUTE, RELATION = range(len(KINDS))
NUMBER = "CD"
# What the tokenizer makes of brackets.
_BRACKETS = frozenset({"-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"})
# The beginnings of the Penn Treebank's tags.
_KIND_OF = {"NN": OBJECT, "JJ": ATTRIBUTE, NUMBER: ATTRIBUTE, "VB": RELATION}


@dataclass(frozen=True, eq=False)
class Things:
    """Each caption's different things, ascending by the tokens' ids.

    A thing is a word: a noun is an object, an adjective or a number an attribute, and a verb a
    relation, of what does to what is done to or of an object to its place. Stop words, but for
    numbers, say nothing of a picture.
    """

    words: Ragged
    kinds: IntArray
    firsts: IntArray  # at which word of its caption a thing stands first
    lemmas: list[str]

    @classmethod
    def build(cls, analysis: Analysis) -> Things:
        """Read the things from the captions' parses."""
        known = analysis.base.layer(Tokens).vocabulary if analysis.base else {}
        new = analysis.layer(Tokens).vocabulary
        lengths: list[int] = []
        rows: list[tuple[int, int, int]] = []
        lemmas: list[str] = []
        for sentences in analysis.layer(Parses).sentences:
            things: dict[int, tuple[int, int, str]] = {}
            place = 0
            for sentence in sentences:
                for word, tag, lemma in zip(*sentence[:3], strict=True):
                    place += 1
                    kind = _KIND_OF.get(tag[:2])
                    number = new.get(word, known.get(word))
                    if kind is not None and number is not None and _is_content_word(word, tag):
                        things.setdefault(number, (kind, place, lemma.lower()))
            lengths.append(len(things))
            for number in sorted(things):
                kind, first, lemma = things[number]
                rows.append((number, kind, first))
                lemmas.append(lemma)
        columns = np.array(rows, np.int64).reshape(-1, 3).T
        words = Ragged(np.ascontiguousarray(columns[0]), offsets_of(np.array(lengths, np.int64)))
        return cls(words, columns[1], columns[2], lemmas)


def _is_content_word(word: str, tag: str) -> bool:
    """Whether a word says something of a picture."""
    if word in _BRACKETS or not any(map(str.isalnum, word)):
        return False
    return tag == NUMBER or word not in ENGLISH.stop_words
