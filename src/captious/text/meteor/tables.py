"""METEOR's tables: words with stems and synsets, function words, and paraphrases.

The tables that ship hold the paraphrases within the vocabulary of captions. A folder with all of
them is built by `tools/build_meteor_tables.py --full`. Arrays are mapped into memory, so that
opening costs milliseconds and reads what is used.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.inputs import read_input
from captious.io.mapped_arrays import (
    Declarations,
    IntegerArray,
    Offsets,
    damaged_file_error,
    read_arrays,
    read_numbered_lines,
)
from captious.text.english import ENGLISH
from captious.text.english.synonyms import MAX_SYNSETS, Synonyms, open_synonyms
from captious.text.english.synonyms import TABLES as WORDNET_TABLES

SHIPPED = ENGLISH.meteor_tables
FORMAT = 1
# Bits of a word's flags.
FUNCTION_WORD = 1
PLAIN_TOKEN = 2
MAX_PHRASE_WORDS = 7  # words, in METEOR's table

# What each array holds; words, stems and synsets are counted in about.json.
ARRAYS: Declarations = {
    "word_flags": IntegerArray("u1", size="words"),
    "word_stems": IntegerArray("<i4", size="words", below="stems"),
    "word_synsets": IntegerArray("<i4", below="synsets"),
    "word_synset_offsets": Offsets("words", into="word_synsets", longest=MAX_SYNSETS),
    "phrase_words": IntegerArray("<u2", below="words"),
    "phrase_children": Offsets("phrase_words", into="phrase_words", tree=True),
    "phrase_paraphrases": Offsets("phrase_words", into="paraphrases"),
    "paraphrases": IntegerArray("u1"),
}
LISTS = ("words", "stems", "function_words")
# All files but about.json, in the order in which their fingerprint is taken.
FILES = sorted(
    [
        "COPYING.WORDNET",
        *(f"{name}.npy" for name in ARRAYS),
        *(f"{name}.txt" for name in LISTS),
        *WORDNET_TABLES,
    ]
)
COUNTS = ("words", "stems", "synsets")


class MeteorTables:
    """A folder of METEOR's tables, opened; pickled as the folder's name.

    The tables that ship are checked by a test; any others are read whole and compared with their
    fingerprint, which the metric's signature vouches for.
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder
        about = _read_about(folder)
        self.kind: str = about["paraphrases"]
        self.fingerprint: str = about["fingerprint"]
        self.one_byte_words: int = about["one_byte_words"]
        self.synset_count: int = about["synsets"]
        self.stem_count: int = about["stems"]
        self._counts = {name: about[name] for name in COUNTS}
        arrays = read_arrays(folder, ARRAYS, self._counts, trusted=True)
        self.word_flags = arrays["word_flags"]
        self.word_stems = arrays["word_stems"]
        self.word_synsets = arrays["word_synsets"]
        self.word_synset_offsets = arrays["word_synset_offsets"]
        self.phrase_words = arrays["phrase_words"]
        self.phrase_children = arrays["phrase_children"]
        self.phrase_paraphrases = arrays["phrase_paraphrases"]
        self.paraphrases = arrays["paraphrases"]
        if folder != SHIPPED:
            self.check()

    def check(self) -> None:
        """Read everything, and compare it with the fingerprint."""
        read_arrays(self.folder, ARRAYS, self._counts)
        self._check_phrase_lengths()
        if len(self.synonyms.numbers) != self.synset_count:
            raise damaged_file_error(
                self.folder / "about.json", "counts other synsets than there are"
            )
        self.synonyms.check()
        _ = self.word_ids, self.stem_ids, self.function_words
        actual = fingerprint(self.folder)
        if actual != self.fingerprint:
            raise damaged_file_error(
                self.folder, f"has the fingerprint {actual}, not {self.fingerprint}"
            )

    def _check_phrase_lengths(self) -> None:
        """Check that no phrase is longer than the arrays allow."""
        begin, end = 0, int(self.phrase_children[0])
        for _ in range(MAX_PHRASE_WORDS):
            begin, end = end, int(self.phrase_children[end])
        if begin != end:
            path = self.folder / "phrase_children.npy"
            raise damaged_file_error(path, f"has a phrase of more than {MAX_PHRASE_WORDS} words")

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return (open_tables, (self.folder,))

    @property
    def size(self) -> int:
        """The number of words in the tables."""
        return len(self.word_flags)

    @property
    def synonyms(self) -> Synonyms:
        """WordNet, for words that the tables don't have."""
        return open_synonyms(self.folder)

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """The id of each word."""
        return read_numbered_lines(self.folder / "words.txt", self.size)

    @cached_property
    def token_ids(self) -> dict[str, int]:
        """The id of each word that METEOR does not change when it occurs as a token."""
        ids = self.word_ids.copy()
        words = list(ids)
        for word in np.flatnonzero(self.word_flags & PLAIN_TOKEN == 0).tolist():
            del ids[words[word]]
        return ids

    @cached_property
    def stem_ids(self) -> dict[str, int]:
        """The id of each stem of a word."""
        return read_numbered_lines(self.folder / "stems.txt", self.stem_count)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Function words, which METEOR gives less weight."""
        return frozenset(read_numbered_lines(self.folder / "function_words.txt"))


def fingerprint(folder: Path) -> str:
    """Return a short hash of all tables, for the metric's signature."""
    digest = hashlib.sha256()
    for name in FILES:
        digest.update(read_input(folder / name))
    return digest.hexdigest()[:8]


def _read_about(folder: Path) -> dict[str, Any]:
    """Read and check `about.json`."""
    try:
        about = json.loads(read_input(folder / "about.json"))
        version = about["format"]
    except (ValueError, KeyError, TypeError, RecursionError):  # InputError is a ValueError
        raise InputError(
            f"{folder}: holds no METEOR tables; build them with "
            f"`python tools/build_meteor_tables.py --full --output {folder}`"
        ) from None
    if version != FORMAT:
        raise InputError(f"{folder}: built for another version; build the tables again")
    path = folder / "about.json"
    for name, most in {**dict.fromkeys(COUNTS, 1 << 30), "one_byte_words": 256}.items():
        if type(about.get(name)) is not int or not 0 <= about[name] <= most:
            raise damaged_file_error(path, f'"{name}" is no number from 0 to {most}')
    for name, form in (("paraphrases", r"[a-z_]{1,40}"), ("fingerprint", r"[0-9a-f]{8}")):
        if not isinstance(about.get(name), str) or not re.fullmatch(form, about[name]):
            raise damaged_file_error(path, f'"{name}" is not what is written there')
    return dict(about)


def open_tables(folder: Path = SHIPPED) -> MeteorTables:
    """Open the tables of a folder, once in a process."""
    return _open(folder)


_open = lru_cache(maxsize=4)(MeteorTables)
