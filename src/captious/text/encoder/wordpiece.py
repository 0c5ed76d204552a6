"""WordPiece tokenizer of BERT's uncased models.

The same pieces as the original's: control characters go, accents and capitals too, punctuation and
Chinese characters stand alone, and each word is cut into the longest known pieces from the left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, islice
from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.inputs import read_text

MAX_WORD_CHARS = 100  # letters; longer words are unknown
MAX_CACHED_WORDS = 1 << 17  # remembered; more than captions have, few enough for any memory

_ASCII_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s]")
_ASCII_CONTROLS = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n\r"}
_CONTROLS = ("Cc", "Cf", "Co", "Cs")
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),  # the original's range, which begins 0x100 late
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True)
class SpecialTokens:
    """Special tokens: before a caption, after it, and for unknown words."""

    beginning: str
    end: str
    unknown: str
    others: tuple[str, ...]


BERT_SPECIAL_TOKENS = SpecialTokens("[CLS]", "[SEP]", "[UNK]", ("[PAD]", "[MASK]"))


class WordPiece:
    """Tokenizer with a vocabulary of one piece per line."""

    def __init__(self, path: Path, marks: SpecialTokens = BERT_SPECIAL_TOKENS) -> None:
        self.pieces = read_text(path).splitlines()
        self._number = {piece: number for number, piece in enumerate(self.pieces)}
        every = (marks.beginning, marks.end, marks.unknown, *marks.others)
        missing = [mark for mark in every if mark not in self._number]
        if missing:
            raise InputError(f"{path}: has no {short_repr(missing[0])}; build the encoder again")
        self._first, self._last = self._number[marks.beginning], self._number[marks.end]
        self._unknown = [self._number[marks.unknown]]
        # In a caption, marks mean what they say.
        self._mark = re.compile(f"({'|'.join(map(re.escape, every))})")
        self._of_word = lru_cache(MAX_CACHED_WORDS)(self._match_longest_first)

    def tokenize(self, captions: Sequence[str], window: int) -> tuple[list[list[int]], int]:
        """Return each caption's piece ids between two special tokens, and the number truncated.

        A caption has at most `window` pieces, special tokens included; later ones are cut.
        """
        rows, shortened = [], 0
        for caption in captions:
            inner = list(islice(self._pieces(caption), window - 1))
            if len(inner) > window - 2:
                inner.pop()
                shortened += 1
            rows.append([self._first, *inner, self._last])
        return rows, shortened

    def _pieces(self, caption: str) -> Iterator[int]:
        if "[" not in caption and "<" not in caption:
            return chain.from_iterable(map(self._of_word, split_words(caption)))
        parts = (
            [self._number[part]]
            if self._mark.fullmatch(part)
            else chain.from_iterable(map(self._of_word, split_words(part)))
            for part in self._mark.split(caption)
        )
        return chain.from_iterable(parts)

    def _match_longest_first(self, word: str) -> list[int]:
        if len(word) > MAX_WORD_CHARS:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < len(word):
            before = "##" if start else ""
            ends = range(len(word), start, -1)
            numbers = ((end, self._number.get(before + word[start:end])) for end in ends)
            end, number = next(
                ((end, number) for end, number in numbers if number is not None), (0, 0)
            )
            if not end:
                return self._unknown
            pieces.append(number)
            start = end
        return pieces


def split_words(text: str) -> Iterable[str]:
    """Split a text into words and punctuation marks, in lower case and without accents."""
    if text.isascii():
        return _ASCII_WORD.findall(text.translate(_ASCII_CONTROLS).lower())
    cleaned = "".join(map(_clean, text))
    plain = (letter for letter in _decompose_accents(cleaned) if not _is_accent(letter))
    # Letter by letter: the original has no special form for a Greek sigma at a word's end.
    return "".join(map(_space_punctuation, "".join(map(str.lower, plain)))).split()


def _decompose_accents(text: str) -> Iterator[str]:
    """Yield letters and accents in canonical order (NFD).

    Python's own NFD takes a time that grows with the square of a row of accents.
    """
    letters = chain.from_iterable(unicodedata.normalize("NFD", letter) for letter in text)
    for _, run in groupby(letters, lambda letter: unicodedata.combining(letter) != 0):
        yield from sorted(run, key=unicodedata.combining)  # letters that don't combine stay


def _clean(letter: str) -> str:
    """Return a letter, a space for any white space, nothing for a control character."""
    if letter in "\t\n\r":
        return " "
    if letter == "\ufffd" or unicodedata.category(letter) in _CONTROLS:
        return ""
    if letter.isspace():
        return " "
    code = ord(letter)
    return f" {letter} " if any(low <= code <= high for low, high in _CHINESE) else letter


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _space_punctuation(letter: str) -> str:
    """Put spaces around a punctuation mark; return any other letter unchanged."""
    if letter.isascii():
        return letter if letter.isalnum() or letter.isspace() else f" {letter} "
    return f" {letter} " if unicodedata.category(letter)[0] == "P" else letter
