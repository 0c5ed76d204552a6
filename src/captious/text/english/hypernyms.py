"""Hypernyms: WordNet's senses of nouns and verbs, and the broader senses above them.

A dog is an animal. WordNet has a word's senses with the most frequent first, and above each sense
broader ones; the table has the first senses of every word, and all senses above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.io.array_files import LINES, WHOLE_NUMBERS, ArrayFile, Member, fingerprint
from captious.resources import RESOURCES
from captious.text.language import NOUN, VERB

SHIPPED = RESOURCES / "wordnet" / "broader_words.npz"
SENSES = 2  # of a word that count: rarer ones are hardly ever what a caption means
NO_SENSE = -1
MAX_SENSES = 1 << 20

FILE = ArrayFile(
    "a file of broader words",
    "make it again with tools/build_broader_words.py",
    (
        Member("words", LINES, ("words",)),
        Member("nouns", WHOLE_NUMBERS, ("words", SENSES), NO_SENSE, MAX_SENSES),
        Member("verbs", WHOLE_NUMBERS, ("words", SENSES), NO_SENSE, MAX_SENSES),
        Member(
            "above", WHOLE_NUMBERS, ("links", 2), 0, MAX_SENSES
        ),  # a sense, and one right above it
    ),
    compressed=True,
)

Senses = frozenset[int]
_NO_SENSES: Senses = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
class Hypernyms:
    """The senses of words, and the hypernyms of each sense."""

    rows: dict[str, int]
    senses: dict[str, IntArray]  # by part of speech: one row a word
    starts: IntArray  # where the senses right above each sense begin in `parents`, ascending
    parents: IntArray
    fingerprint: str

    @classmethod
    def load(cls, path: str | Path | None = None) -> Hypernyms:
        """Load the table that ships, or a file."""
        return _load(SHIPPED if path is None else Path(path))

    @classmethod
    def of(
        cls, words: Sequence[str], nouns: IntArray, verbs: IntArray, above: IntArray
    ) -> Hypernyms:
        """Create a table from words, their senses, and pairs of a sense and one right above it."""
        above = above[np.argsort(above[:, 0], kind="stable")]
        size = 1 + max(int(each.max(initial=-1)) for each in (nouns, verbs, above))
        starts = np.searchsorted(above[:, 0], np.arange(size + 1))
        arrays = {"nouns": nouns, "verbs": verbs, "above": above}
        digest = fingerprint(arrays, "\n".join(words))[:8]
        rows = {word: row for row, word in enumerate(words)}
        return cls(rows, {NOUN: nouns, VERB: verbs}, starts, above[:, 1], digest)

    def senses_of(self, word: str, part_of_speech: str) -> Senses:
        """Return the first senses of a base form; none of an unknown word."""
        row = self.rows.get(word)
        if row is None:
            return _NO_SENSES
        return frozenset(self.senses[part_of_speech][row].tolist()) - {NO_SENSE}

    def with_hypernyms(self, word: str, part_of_speech: str) -> Senses:
        """The usual senses of a base form, and all senses above them."""
        senses: set[int] = set()
        waiting = list(self.senses_of(word, part_of_speech))
        while waiting:
            sense = waiting.pop()
            if sense not in senses:
                senses.add(sense)
                waiting += self.parents[self.starts[sense] : self.starts[sense + 1]].tolist()
        return frozenset(senses)


@lru_cache(maxsize=2)
def _load(path: Path) -> Hypernyms:
    arrays = FILE.read(path)
    numbers = (arrays[name].astype(np.int32) for name in ("nouns", "verbs", "above"))
    return Hypernyms.of(arrays["words"], *numbers)
