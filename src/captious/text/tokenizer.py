"""The COCO toolkit's tokenizer: captions to lower-case Penn Treebank tokens without punctuation.

Nearly everything the tokenizer does happens inside a stretch of text between two spaces, a
*chunk*, and captions use the same chunks again and again. So each chunk is lexed once and
remembered. The few chunks whose neighbours matter (a digit before a digit, "K." before "The",
tags) are never remembered as safe: a caption with one is looked at again, and lexed whole if
neighbours could indeed interact.
"""

import re
from collections.abc import Iterable
from itertools import chain

from captious.text.ptb_lexer import lex
from captious.text.ptb_rules import (
    ABBREVIATIONS_BEFORE_NUMBERS,
    OTHER_ABBREVIATIONS,
    SENTENCE_FINAL_ABBREVIATIONS,
)

# Bounds on the memory: number of chunks, and the length of a chunk worth remembering.
_MOST_CHUNKS = 1 << 17
_LONGEST_CHUNK = 64

_WRITTEN_AS_ONE_WORD = frozenset(("cannot", "gimme", "gonna", "gotta", "lemme", "wanna"))
_ABBREVIATIONS = SENTENCE_FINAL_ABBREVIATIONS | OTHER_ABBREVIATIONS | ABBREVIATIONS_BEFORE_NUMBERS

# A chunk that may act together with the next one, or with the one before.
_MAY_CROSS = re.compile(
    r"<|\d\)?\Z|\A\..|(?:\A|[^A-Za-z])[A-Za-z]\.\Z|(?i:art|ca|figs?|nos?|op|pp|prop)\.\Z"
)
# Places in a caption where two chunks may indeed act together.
_CROSSING = re.compile(r"<|\d\)?\s+\d|\.\s+[.\d]|(?:\A|[^A-Za-z])[A-Za-z]\.\s+[A-Z]")

_tokens_of_chunk: dict[str, tuple[str, ...]] = {}


def tokenize(caption: str) -> list[str]:
    """The tokens of one caption, as the COCO toolkit cuts them.

    >>> tokenize("A man's dog isn't here; it's gone.")
    ['a', 'man', "'s", 'dog', 'is', "n't", 'here', 'it', "'s", 'gone']
    """
    try:
        return list(chain.from_iterable(map(_tokens_of_chunk.__getitem__, caption.split())))
    except KeyError:
        return _tokenize_with_care(caption)


def tokenize_all(captions: Iterable[str]) -> list[list[str]]:
    """The tokens of each caption; captions never influence one another.

    >>> tokenize_all(["A red T-shirt.", "50% off!"])
    [['a', 'red', 't-shirt'], ['50', '%', 'off']]
    """
    return [tokenize(caption) for caption in captions]


def _tokenize_with_care(caption: str) -> list[str]:
    """The tokens of a caption that has new chunks, or chunks that may act together."""
    tokens: list[str] = []
    may_cross = False
    for chunk in caption.split():
        known = _tokens_of_chunk.get(chunk)
        if known is None:
            known = _tokens_of_new(chunk)
            if _MAY_CROSS.search(chunk):
                may_cross = True
            elif len(chunk) <= _LONGEST_CHUNK:
                if len(_tokens_of_chunk) >= _MOST_CHUNKS:
                    _tokens_of_chunk.clear()
                _tokens_of_chunk[chunk] = known
        tokens += known
    if may_cross and _CROSSING.search(caption):
        return lex(caption)
    return tokens


def _tokens_of_new(chunk: str) -> tuple[str, ...]:
    if chunk.isascii():
        # Plain words, alone or before a full stop or comma, need no rules.
        word = chunk[:-1] if chunk[-1] in ".," else chunk
        if word.isalpha() and len(word) > 1:
            lowered = word.lower()
            if lowered not in _WRITTEN_AS_ONE_WORD and (
                chunk[-1] != "." or lowered not in _ABBREVIATIONS
            ):
                return (lowered,)
    return tuple(lex(chunk))
