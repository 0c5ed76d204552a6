"""Tokenizers for captions of any language, made of what Unicode says of each character.

They cut as sacrebleu's tokenizers of the same names do, and leave of that what the COCO toolkit
leaves of English captions: all is lower case, and punctuation is dropped. Letters and accents that
can be written in two ways are brought to one (NFC).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from captious.text.tokenizer.chunks import Chunks

# Punctuation to Unicode, but read as words.
SPOKEN_MARKS = frozenset("%&@#\u066a\uff05\uff06\uff20\uff03")
IDEOGRAPHS = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH")
IDEOGRAPHIC_ZERO = "\u3007"  # a number to Unicode, a character like any other in a caption
_ALONE = frozenset("PSX")  # kinds of characters that are tokens of their own
_KINDS = 1 << 16  # different characters whose kind is remembered

NUMBER, PUNCTUATION, SYMBOL, IDEOGRAPH = "N", "P", "S", "X"


def tokenize_international(captions: Sequence[str]) -> Chunks:
    """`intl`: words between spaces, punctuation and symbols.

    Punctuation between two digits stays within its number.
    """
    return _cut(captions, lambda chunk: _pieces(chunk, _kind))


def tokenize_chinese(captions: Sequence[str]) -> Chunks:
    """`zh`: every Chinese character by itself, all else as `intl` has it."""
    return _cut(captions, lambda chunk: _pieces(chunk, _kind_in_chinese))


def tokenize_characters(captions: Sequence[str]) -> Chunks:
    """`char`: every character by itself, for scripts that have no spaces between words."""
    return _cut(captions, list)


def _cut(captions: Sequence[str], pieces: Callable[[str], list[str]]) -> Chunks:
    def tokens_of(chunks: Iterable[str]) -> list[tuple[str, ...]]:
        # Plain captions come as they are, others in lower case already.
        lowered = (chunk.lower() if chunk.isascii() else chunk for chunk in chunks)
        return [tuple(filter(_says_something, pieces(chunk))) for chunk in lowered]

    return Chunks.cut(captions, _chunks, tokens_of)


def _chunks(caption: str) -> list[str]:
    # To lower case first: what that takes apart (a capital I with a dot) is put together again.
    return unicodedata.normalize("NFC", caption.lower()).split()


def _pieces(chunk: str, kind_of: Callable[[str], str]) -> list[str]:
    """A stretch between spaces, cut around all characters that stand alone."""
    if chunk.isalpha() and chunk.isascii():
        return [chunk]
    kinds = f" {''.join(map(kind_of, chunk))} "
    pieces, start = [], 0
    for place, kind in enumerate(kinds[1:-1]):
        if kind in _ALONE and not (
            kind == PUNCTUATION and kinds[place] == kinds[place + 2] == NUMBER
        ):
            pieces += [chunk[start:place], chunk[place]]
            start = place + 1
    return [piece for piece in (*pieces, chunk[start:]) if piece]


def _says_something(token: str) -> bool:
    """Whether a token is more than punctuation and what cannot be seen."""
    return any(_kind(character) in "LMNS" or character in SPOKEN_MARKS for character in token)


@lru_cache(_KINDS)
def _kind(character: str) -> str:
    """The first letter of Unicode's category: L, M, N, P, S, Z or C."""
    # What chooses between two drawings of an emoji is an accent to Unicode, and cannot be seen.
    is_selector = "\ufe00" <= character <= "\ufe0f"
    return "C" if is_selector else unicodedata.category(character)[0]


@lru_cache(_KINDS)
def _kind_in_chinese(character: str) -> str:
    is_ideograph = unicodedata.name(character, "").startswith(IDEOGRAPHS)
    return IDEOGRAPH if is_ideograph or character == IDEOGRAPHIC_ZERO else _kind(character)
