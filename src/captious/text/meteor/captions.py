"""Captions as METEOR reads them: word ids, and the phrases that have paraphrases.

References are analysed once; candidates are analysed on top of them, any number of times, with the
same numbers for the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, distinct, offsets_of
from captious._internal.loops.meteor_phrases import find_phrases
from captious.text.english import ENGLISH
from captious.text.meteor import normalizer as meteor_normalizer
from captious.text.meteor.tables import (
    FUNCTION_WORD,
    MAX_PHRASE_WORDS,
    MeteorTables,
    open_tables,
)


@dataclass(frozen=True)
class ExtraWords:
    """Words that the tables don't know, numbered from the tables' size on.

    Stems that no word of the tables has are numbered likewise, from the tables' stems on.
    """

    words: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    word_stems: tuple[int, ...] = ()
    word_flags: tuple[int, ...] = ()

    def extend(self, words: Sequence[str], tables: MeteorTables) -> ExtraWords:
        """Return these words and further ones."""
        if not words:
            return self
        known = tables.stem_ids
        new = {text: len(known) + place for place, text in enumerate(self.stems)}
        stem_ids = []
        for text in map(ENGLISH.stem, words):
            number = known.get(text)
            stem_ids.append(
                new.setdefault(text, len(known) + len(new)) if number is None else number
            )
        flags = [FUNCTION_WORD * (word in tables.function_words) for word in words]
        return ExtraWords(
            (*self.words, *words),
            tuple(new),
            (*self.word_stems, *stem_ids),
            (*self.word_flags, *flags),
        )

    def is_prefix_of(self, other: ExtraWords) -> bool:
        """Whether the other's words begin with these, so that ids mean the same."""
        return self is other or self.words == other.words[: len(self.words)]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Stems, flags and synsets of words, as arrays by word number, for the aligner."""

    stems: IntArray
    flags: IntArray
    synset_offsets: IntArray
    synsets: IntArray
    stem_count: int
    synset_count: int


@dataclass(frozen=True, eq=False)
class Phrases:
    """Phrases with paraphrases: those of word t lie from `starts[t]` to `starts[t + 1]`."""

    starts: IntArray
    nodes: IntArray
    lengths: IntArray


@dataclass(frozen=True, eq=False)
class MeteorCaptions:
    """Analysed captions: ids of METEOR's words, and phrases; immutable."""

    tables: MeteorTables
    words: Ragged
    phrases: Phrases
    extra: ExtraWords

    @classmethod
    def analyse(
        cls,
        captions: Sequence[Sequence[str]],
        base: MeteorCaptions | None = None,
        tables: MeteorTables | None = None,
    ) -> MeteorCaptions:
        """Analyse captions given as the toolkit's tokens.

        With a `base`, words have the numbers that they have there, and the base's tables are used.
        """
        numbers: dict[str, int] = {}
        flat = [numbers.setdefault(token, len(numbers)) for row in captions for token in row]
        lengths = np.fromiter(map(len, captions), np.int64, len(captions))
        tokens = Ragged(np.array(flat, np.int32), offsets_of(lengths))
        return cls.from_tokens(tokens, list(numbers), base, tables)

    @classmethod
    def from_tokens(
        cls,
        tokens: Ragged,
        names: Sequence[str],
        base: MeteorCaptions | None = None,
        tables: MeteorTables | None = None,
    ) -> MeteorCaptions:
        """Analyse captions given as numbers of tokens, of which `names` has the text.

        Each different token is looked up once.
        """
        if base is not None:
            if tables is not None and tables is not base.tables:
                raise ValueError("the base was analysed with other tables")
            tables = base.tables
        elif tables is None:
            tables = open_tables()
        word_ids = _WordIds(tables, base.extra if base is not None else ExtraWords())
        words = word_ids.caption_words(tokens, names)
        return cls(tables, words, _find_phrases(words, tables), word_ids.extra_words())

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexicon of the words of these captions and of the base."""
        tables, extra = self.tables, self.extra
        stems, flags = tables.word_stems, tables.word_flags
        synsets, offsets = tables.word_synsets, tables.word_synset_offsets
        if extra.words:
            rows = tables.synonyms.rows(extra.words)
            stems = np.concatenate([stems, np.array(extra.word_stems, np.int32)])
            flags = np.concatenate([flags, np.array(extra.word_flags, np.uint8)])
            more = (rows.offsets[1:] + len(synsets)).astype(np.int32)
            offsets = np.concatenate([offsets, more])
            synsets = np.concatenate([synsets, rows.values.astype(np.int32)])
        stem_count = tables.stem_count + len(extra.stems)
        return Lexicon(stems, flags, offsets, synsets, stem_count, tables.synset_count)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "lexicon"}


class _WordIds:
    """Word ids of the captions being read, without changes to tables or base."""

    def __init__(self, tables: MeteorTables, base: ExtraWords) -> None:
        self.tables = tables
        self.base = base
        self.base_ids = {word: tables.size + place for place, word in enumerate(base.words)}
        self.new_ids: dict[str, int] = {}
        # Tokens that are not one word in any context: their text, by -1 - number.
        self.odd_tokens: list[str] = []

    def extra_words(self) -> ExtraWords:
        """Return all words so far that the tables don't have."""
        return self.base.extend(tuple(self.new_ids), self.tables)

    def word_id(self, word: str) -> int:
        """Return the id of a METEOR word."""
        number = self.tables.word_ids.get(word)
        if number is None:
            number = self.base_ids.get(word)
        if number is None:
            first = self.tables.size + len(self.base_ids)
            number = self.new_ids.setdefault(word, first + len(self.new_ids))
        return number

    def token_id(self, token: str) -> int:
        """Return the id of a token's word, or a negative number for a token of several words."""
        number = self.tables.token_ids.get(token)
        if number is not None:
            return number
        if meteor_normalizer.is_plain(token):
            return self.word_id(token)
        self.odd_tokens.append(_remove_separators(token))
        return -len(self.odd_tokens)

    def caption_words(self, tokens: Ragged, names: Sequence[str]) -> Ragged:
        """Return the word ids of captions that are given as token numbers."""
        used = np.flatnonzero(np.bincount(tokens.values, minlength=len(names)))
        ids = np.zeros(len(names), np.int32)
        ids[used] = [self.token_id(names[token]) for token in used.tolist()]
        words = Ragged(ids[tokens.values], tokens.offsets)
        return self._expand(words, tokens, names) if self.odd_tokens else words

    def _expand(self, words: Ragged, tokens: Ragged, names: Sequence[str]) -> Ragged:
        """Replace tokens of several words by their words."""
        rows = [
            [self.word_id(word) for word in meteor_normalizer.normalize(token)]
            for token in self.odd_tokens
        ]
        odd = np.flatnonzero(words.values < 0)
        number = -1 - words.values[odd]
        owners = np.searchsorted(words.offsets, odd, side="right") - 1
        bound = self._context_dependent_rows(odd, number, owners)
        if len(bound):
            # A whole caption is read at once, and stands for itself in its first token's place.
            values = words.values.copy()
            for row in bound.tolist():
                begin, end = words.offsets[row], words.offsets[row + 1]
                texts = (
                    _remove_separators(names[token]) for token in tokens.values[begin:end].tolist()
                )
                text = " ".join(filter(None, texts))
                values[begin:end] = -len(rows) - 2
                values[begin] = -len(rows) - 1
                rows.append([self.word_id(word) for word in meteor_normalizer.normalize(text)])
                rows.append([])
            words = Ragged(values, words.offsets)
            odd = np.flatnonzero(values < 0)
            number = -1 - values[odd]
        replacement = Ragged(
            np.array([word for row in rows for word in row], np.int32),
            offsets_of(np.array([len(row) for row in rows], np.int64)),
        )
        counts = np.ones(len(words.values), np.int64)
        counts[odd] = replacement.lengths[number]
        starts = offsets_of(counts)
        values = np.repeat(words.values, counts)
        chosen = replacement.take(number)
        places = np.arange(len(chosen.values)) + np.repeat(
            starts[odd] - chosen.offsets[:-1], chosen.lengths
        )
        values[places] = chosen.values
        return Ragged(values, starts[words.offsets])

    def _context_dependent_rows(
        self, odd: IntArray, number: IntArray, owners: IntArray
    ) -> IntArray:
        """Return the captions in which a token's words depend on its neighbour."""
        edges = np.array(
            [meteor_normalizer.edge_context(token) for token in self.odd_tokens], bool
        ).reshape(-1, 5)[number]
        neighbours = (np.diff(odd) == 1) & (np.diff(owners) == 0)
        commas = edges[:-1, 1] & edges[1:, 0]
        quotes = edges[:-1, 3] & edges[1:, 2]
        pairs = np.flatnonzero(neighbours & (commas | quotes))
        return distinct(np.concatenate([owners[pairs], owners[edges[:, 4]]]))


def _remove_separators(token: str) -> str:
    """Drop what separates captions on METEOR's input, as the toolkit does for candidates."""
    return token.replace("|||", "")


def _find_phrases(words: Ragged, tables: MeteorTables) -> Phrases:
    size = len(words.values)
    starts = np.empty(size + 1, np.int32)
    # Allocated for the most that there can be; pages that aren't written cost nothing.
    nodes = np.empty(size * MAX_PHRASE_WORDS, np.int32)
    lengths = np.empty(size * MAX_PHRASE_WORDS, np.uint8)
    count = find_phrases(
        words.values.data,
        words.offsets.data,
        tables.phrase_words.data,
        tables.phrase_children.data,
        tables.phrase_paraphrases.data,
        starts.data,
        nodes.data,
        lengths.data,
    )
    return Phrases(starts, nodes[:count].copy(), lengths[:count].copy())
