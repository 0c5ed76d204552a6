"""Vocabulary of a network: words and their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.errors import InputError

# One token stands at both edges of a caption: read, it begins one; written, it ends one.
EDGE, UNKNOWN = 0, 1
SPECIAL = ("<edge>", "<unknown>")


@dataclass(frozen=True)
class Vocabulary:
    """Words from the most frequent on, numbered after the edge and the unknown word."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(word, str) for word in self.words):
            raise InputError("a vocabulary has a word that is not a text")

    @classmethod
    def of(cls, captions: Iterable[Sequence[str]], least: int = 1) -> Vocabulary:
        """Create a vocabulary of the words that occur `least` times or more, by frequency."""
        counts = Counter(chain.from_iterable(captions))
        often = [word for word, count in counts.items() if count >= least]
        if not often:
            raise InputError(f"no word occurs {least} times in the training captions")
        return cls(tuple(sorted(often, key=lambda word: (-counts[word], word))))

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.words)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, len(SPECIAL))}

    @cached_property
    def words_by_id(self) -> tuple[str, ...]:
        """Every word at the index of its id, the special tokens first."""
        return (*SPECIAL, *self.words)

    def encode(self, captions: Sequence[Sequence[str]]) -> Ragged:
        """Convert captions to ids; a word that is not in the vocabulary is the unknown one."""
        lengths = np.fromiter(map(len, captions), np.int64, len(captions))
        known = self._ids
        flat = (known.get(word, UNKNOWN) for word in chain.from_iterable(captions))
        return Ragged(np.fromiter(flat, np.int64, int(lengths.sum())), offsets_of(lengths))

    def decode(self, numbers: IntArray) -> str:
        """Convert ids to text, up to the first edge."""
        numbers = np.asarray(numbers)
        ends = np.flatnonzero(numbers == EDGE)
        written = numbers[: ends[0]] if len(ends) else numbers
        return " ".join(self.words_by_id[number] for number in written.tolist())
