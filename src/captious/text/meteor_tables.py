"""METEOR's tables: words with stems and synsets, function words, and paraphrases.

The tables that ship hold the paraphrases within the vocabulary of captions. A folder with all of
them is built by `tools/build_meteor_tables.py --full`. Arrays are mapped into memory, so that
opening costs milliseconds and reads what is used.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.ragged import IntArray
from captious.text.synonyms import SHIPPED as SHIPPED
from captious.text.synonyms import Synonyms, open_synonyms

FORMAT = 1
# Bits of a word's flags.
FUNCTION_WORD = 1
PLAIN_TOKEN = 2


class MeteorTables:
    """A folder of METEOR's tables, opened; pickled as the folder's name."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder
        try:
            about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
            version = about["format"]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{folder}: holds no METEOR tables; build them with "
                f"`python tools/build_meteor_tables.py --full --output {folder}`"
            ) from None
        if version != FORMAT:
            raise InputError(f"{folder}: built for another version; build the tables again")
        try:
            self.one_byte_words: int = about["one_byte_words"]
            self.kind: str = about["paraphrases"]
            self.fingerprint: str = about["fingerprint"]
            self.synset_count: int = about["synsets"]
            self.stem_count: int = about["stems"]
            self.word_flags = self._array("word_flags")
            self.word_stems = self._array("word_stems")
            self.word_synsets = self._array("word_synsets")
            self.word_synset_offsets = self._array("word_synset_offsets")
            self.phrase_words = self._array("phrase_words")
            self.phrase_children = self._array("phrase_children")
            self.phrase_paraphrases = self._array("phrase_paraphrases")
            self.paraphrases = self._array("paraphrases")
            sound = self._is_sound()
        except (OSError, ValueError, KeyError, IndexError):
            sound = False
        if not sound:
            raise InputError(f"{folder}: tables are missing or damaged; build them again")

    def _is_sound(self) -> bool:
        """Whether the tables fit each other: compiled loops read them without looking twice."""
        words, nodes = len(self.word_flags), len(self.phrase_words)
        return (
            len(self.word_stems) == words
            and len(self.word_synset_offsets) == words + 1
            and int(self.word_synset_offsets[-1]) == len(self.word_synsets)
            and len(self.phrase_children) == len(self.phrase_paraphrases) == nodes + 1
            and int(self.phrase_children[-1]) == nodes
            and int(self.phrase_paraphrases[-1]) == len(self.paraphrases)
        )

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return (open_tables, (self.folder,))

    @property
    def size(self) -> int:
        """How many words the tables know."""
        return len(self.word_flags)

    @property
    def synonyms(self) -> Synonyms:
        """WordNet, for words that the tables don't know."""
        return open_synonyms(self.folder)

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """The id of each word."""
        words = self._lines("words")
        return dict(zip(words, range(len(words)), strict=True))

    @cached_property
    def token_ids(self) -> dict[str, int]:
        """The id of each word that METEOR leaves as it is where it meets it as a token."""
        ids = self.word_ids.copy()
        words = list(ids)
        for word in np.flatnonzero(self.word_flags & PLAIN_TOKEN == 0).tolist():
            del ids[words[word]]
        return ids

    @cached_property
    def stem_ids(self) -> dict[str, int]:
        """The id of each stem of a word."""
        stems = self._lines("stems")
        return dict(zip(stems, range(len(stems)), strict=True))

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Words that count less than others."""
        return frozenset(self._lines("function_words"))

    def _array(self, name: str) -> IntArray:
        array: IntArray = np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        return array.view(np.ndarray)

    def _lines(self, name: str) -> list[str]:
        return (self.folder / f"{name}.txt").read_bytes().decode("utf-8").split("\n")


def open_tables(folder: Path = SHIPPED) -> MeteorTables:
    """The tables of a folder, opened once in a process."""
    return _open(folder)


_open = lru_cache(maxsize=4)(MeteorTables)
