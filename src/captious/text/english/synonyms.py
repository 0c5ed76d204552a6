"""WordNet synsets of a word and of its base forms, as METEOR finds them.

METEOR ships its own extract of WordNet: a word's synsets by number, and the irregular forms. A
regular form is brought to its base by the first ending that yields a word of the extract.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import overload

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, distinct, offsets_of
from captious.io.inputs import read_input
from captious.io.mapped_arrays import (
    Declarations,
    IntegerArray,
    Offsets,
    damaged_file_error,
    read_arrays,
    read_text,
)
from captious.resources import RESOURCES

SHIPPED = RESOURCES / "meteor"

# Of a word, and of a form; WordNet has a word of 75 synsets, and a form of three words.
MAX_SYNSETS, MAX_BASE_FORMS = 1000, 20
ARRAYS: Declarations = {
    "synset_numbers": IntegerArray("<i4"),
    "wordnet_synsets": IntegerArray("<i4", below="synset_numbers"),
    "wordnet_synset_offsets": Offsets("words", into="wordnet_synsets", longest=MAX_SYNSETS),
}
MAX_UNLISTED_LOOKUPS = 1000  # lookups
LISTS = ("wordnet_words", "wordnet_exceptions")
TABLES = (*(f"{name}.npy" for name in ARRAYS), *(f"{name}.txt" for name in LISTS))

# Ending, and what replaces it; METEOR tries them in this order and takes the first word it knows.
_ENDINGS = [
    rule.split(">")
    for rule in """s> ses>s xes>x zes>z ches>ch shes>sh men>man ies>y es>e es> ed>e ed> ing>e ing>
    er> est> er>e est>e""".split()
]

_NO_SYNSETS: IntArray = np.empty(0, np.int32)


class Synonyms:
    """The synsets of words, read from a folder of tables without loading them whole."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder
        self._lookups = 0
        # Bounded, so that a stream of odd words can't fill the memory.
        self._indices = lru_cache(maxsize=100_000)(self._look_up)

    def __reduce__(self) -> tuple[type[Synonyms], tuple[Path]]:
        return (Synonyms, (self.folder,))

    def synsets(self, word: str) -> frozenset[int]:
        """Return METEOR's numbers of the synsets of a word and of its base forms.

        A word of several parts is written with underscores: `hot_dog`.
        """
        return frozenset(self.numbers[self.indices(word)].tolist())

    def indices(self, word: str) -> IntArray:
        """Return the synsets as ascending positions in `numbers`, which are small."""
        return self._indices(word)

    def _look_up(self, word: str) -> IntArray:
        rows = {self._row(word), *map(self._row, self.base_forms(word))} - {-1}
        parts = [self._synsets[self._starts[row] : self._starts[row + 1]] for row in rows]
        return distinct(np.concatenate(parts)) if parts else _NO_SYNSETS

    def rows(self, words: Iterable[str]) -> Ragged:
        """Return the `indices` of many words as one ragged array."""
        rows = [self.indices(word) for word in words]
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        return Ragged(np.concatenate([_NO_SYNSETS, *rows]), offsets_of(lengths))

    def base_forms(self, word: str) -> list[str]:
        """Return the bases of an irregular form, or the first word that a regular ending yields."""
        irregular = self._irregular.get(word)
        if irregular is not None:
            return irregular.split()
        if len(word) <= 2 or word.endswith("ss"):
            return [word]
        for ending, replacement in _ENDINGS:
            if word.endswith(ending):
                base = word[: -len(ending)] + replacement
                if self._row(base) >= 0:
                    return [base]
        return []

    def check(self) -> None:
        """Read all tables, so that an error in them is reported now and not at first use."""
        read_arrays(self.folder, ARRAYS, {"words": len(self._words)})
        _ = self._irregular
        if any(word >= following for word, following in pairwise(self._words[:])):
            raise damaged_file_error(self.folder / "wordnet_words.txt", "is not in order")

    @property
    def numbers(self) -> IntArray:
        """METEOR's number of every synset."""
        return self._arrays["synset_numbers"]

    @property
    def _synsets(self) -> IntArray:
        return self._arrays["wordnet_synsets"]

    @property
    def _starts(self) -> IntArray:
        return self._arrays["wordnet_synset_offsets"]

    @cached_property
    def _arrays(self) -> dict[str, IntArray]:
        # Tables that do not ship are checked, METEOR's and these together.
        return read_arrays(self.folder, ARRAYS, {"words": len(self._words)}, trusted=True)

    @cached_property
    def _words(self) -> _LazyLines:
        return _LazyLines(read_input(self.folder / "wordnet_words.txt"))

    @cached_property
    def _listed_words(self) -> list[bytes]:
        return self._words[:]

    @cached_property
    def _irregular(self) -> dict[str, str]:
        path = self.folder / "wordnet_exceptions.txt"
        lines = [line.partition(" ") for line in read_text(path).split("\n")]
        if not all(base and base.count(" ") < MAX_BASE_FORMS for _, _, base in lines):
            raise damaged_file_error(
                path, "has a line that is not a form and the words that it is a form of"
            )
        return {form: base for form, _, base in lines}

    def _row(self, word: str) -> int:
        key = word.encode("utf-8", "surrogatepass")
        self._lookups += 1
        # A list of all lines is quicker to search, and takes as long as some thousand searches.
        words = self._words if self._lookups < MAX_UNLISTED_LOOKUPS else self._listed_words
        row = bisect_left(words, key)
        return row if row < len(words) and words[row] == key else -1


class _LazyLines(Sequence[bytes]):
    """The lines of a text, split on access, as few are ever read."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))

    def __len__(self) -> int:
        return len(self._ends) + 1

    @overload
    def __getitem__(self, row: int) -> bytes: ...
    @overload
    def __getitem__(self, row: slice) -> list[bytes]: ...
    def __getitem__(self, row: int | slice) -> bytes | list[bytes]:
        """A line, of those counted from 0, or several."""
        if isinstance(row, slice):
            return self._text.split(b"\n")[row]
        if not 0 <= row < len(self):
            raise IndexError(row)
        begin = self._ends[row - 1] + 1 if row else 0
        return self._text[begin : self._ends[row] if row < len(self._ends) else None]


def open_synonyms(folder: Path = SHIPPED) -> Synonyms:
    """Open the synonyms of a folder, once."""
    return _open(folder)


_open = lru_cache(maxsize=4)(Synonyms)
