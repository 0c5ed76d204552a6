"""Tokenizers for captions of any language, by the Unicode category of each character.

They cut as sacrebleu's tokenizers of the same names do, and leave of that what the COCO toolkit
leaves of English captions: all is lower case, and punctuation is dropped. Letters and accents that
can be written in two ways are brought to one (NFC).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice

from captious.text.tokenizer.chunks import Chunks

Steps = tuple[tuple[re.Pattern[str], str], ...]

# Punctuation to Unicode, but read as words.
KEPT_PUNCTUATION = frozenset("%&@#\u066a\uff05\uff06\uff20\uff03")
_MAX_CACHED_CHARACTERS = 1 << 16  # different characters whose kind is remembered

# What sacrebleu puts spaces around, step by step. `intl` goes by the kinds of characters.
INTERNATIONAL_STEPS = (
    (re.compile("([^N])(P)"), r"\1 \2 "),
    (re.compile("(P)([^N])"), r" \1 \2"),
    (re.compile("(S)"), r" \1 "),
)
# Characters that sacrebleu's `zh` takes for Chinese. Its bounds of Extension B are strings of two
# characters, U+2000 and "0", U+2A6D and "6". So quotation marks, arrows and signs stand alone, and
# of the ideographs above U+FFFF those that follow one another are one token.
CHINESE = (
    "\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef"
    "\u3200-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9"
    "\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
)
CHINESE_STEPS = (
    (re.compile(f"([{CHINESE}])"), r" \1 "),
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile("([^0-9])([.,])"), r"\1 \2 "),
    (re.compile("([.,])([^0-9])"), r" \1 \2"),
    (re.compile("([0-9])(-)"), r"\1 \2 "),
)


def tokenize_international(captions: Sequence[str]) -> Chunks:
    """`intl`: words between spaces, punctuation and symbols.

    Punctuation between two digits stays within its number.
    """
    return _tokenize(captions, _split_by_category)


def tokenize_chinese(captions: Sequence[str]) -> Chunks:
    """`zh`: every Chinese character by itself, all else at ASCII punctuation.

    Apostrophes and hyphens stay within words.
    """
    return _tokenize(captions, lambda chunk: _insert_spaces(chunk, CHINESE_STEPS).split())


def tokenize_characters(captions: Sequence[str]) -> Chunks:
    """`char`: every character by itself, for scripts that have no spaces between words."""
    return _tokenize(captions, list)


def _tokenize(captions: Sequence[str], split_chunk: Callable[[str], list[str]]) -> Chunks:
    def tokens_of(chunks: Iterable[str]) -> list[tuple[str, ...]]:
        # Plain captions come as they are, others in lower case already.
        lowered = (chunk.lower() if chunk.isascii() else chunk for chunk in chunks)
        return [tuple(filter(_has_content, split_chunk(chunk))) for chunk in lowered]

    return Chunks.build(captions, _split_at_spaces, tokens_of)


def _split_at_spaces(caption: str) -> list[str]:
    # To lower case first: what that takes apart (a capital I with a dot) is put together again.
    return unicodedata.normalize("NFC", caption.lower()).split()


def _split_by_category(chunk: str) -> list[str]:
    """Split a chunk between characters of different categories."""
    if chunk.isalpha() and chunk.isascii():
        return [chunk]
    characters = iter(chunk)
    kinds = _insert_spaces("".join(map(_category, chunk)), INTERNATIONAL_STEPS)
    return ["".join(islice(characters, len(piece))) for piece in kinds.split()]


def _insert_spaces(chunk: str, steps: Steps) -> str:
    # A step sees what is before and after a chunk, which are spaces at the ends of a caption, too.
    chunk = f" {chunk} "
    for pattern, replacement in steps:
        chunk = pattern.sub(replacement, chunk)
    return chunk


def _has_content(token: str) -> bool:
    """Whether a token has more than punctuation and invisible characters."""
    return any(
        _category(character) in "LMNS" or character in KEPT_PUNCTUATION for character in token
    )


@lru_cache(_MAX_CACHED_CHARACTERS)
def _category(character: str) -> str:
    """Return the first letter of Unicode's category: L, M, N, P, S, Z or C."""
    # What chooses between two drawings of an emoji is an accent to Unicode, and cannot be seen.
    is_selector = "\ufe00" <= character <= "\ufe0f"
    return "C" if is_selector else unicodedata.category(character)[0]
