"""The COCO toolkit's tokenizer: captions to lower-case Penn Treebank tokens without punctuation.

Nearly everything the tokenizer does happens inside a stretch of text between two spaces, a
*chunk*, and captions use the same chunks again and again. So each chunk is lexed once and
remembered. The few chunks whose neighbours matter (a digit before a digit, "K." before "The",
tags, addresses) are never remembered as safe: a caption with one is looked at again, and lexed
whole if neighbours could indeed interact.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from captious.text.english import ENGLISH
from captious.text.tokenizer.chunks import Chunks
from captious.text.tokenizer.lexer import lex

# Bounds on the memory: number of chunks, and the length of a chunk worth remembering.
_MOST_CHUNKS = 1 << 17
_LONGEST_CHUNK = 64

_SPELLED = ENGLISH.orthography
# What every web or e-mail address has. Addresses may go on behind spaces other than the blank.
_ADDRESS = re.compile(r"@|://|(?i:www)\.|\.(?i:com|net|org|edu)")
_ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# A chunk that may act together with the next one, or with the one before.
_MAY_CROSS = re.compile(
    rf"<|\d\)?\Z|\A\..|(?:\A|[^A-Za-z])[A-Za-z]\.\Z|'[nN]\Z|{_ADDRESS.pattern}"
    rf"|(?i:{'|'.join(sorted(_SPELLED.ABBREVIATIONS_BEFORE_NUMBERS))})\.\Z"
)
# Places in a caption where two chunks may indeed act together.
_CROSSING = re.compile(
    r"<|\d\)?\s+\d|\.\s+[.\d]|(?:\A|[^A-Za-z])[A-Za-z]\.\s+[A-Z]"
    r"|'[nN][\u1680\u2000-\u200a\u202f\u205f\u3000]"
)

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
    return tokenized(list(captions)).words()


def tokenized(captions: Sequence[str]) -> Chunks:
    """The captions in chunks, with the tokens of each: for work on all tokens at once."""
    wary: list[int] = []  # numbers of the different chunks whose neighbours may matter

    def tokens_of(chunks: Iterable[str]) -> list[tuple[str, ...]]:
        tokens = []
        for number, chunk in enumerate(chunks):
            known = _tokens_of_chunk.get(chunk)
            if known is None:
                known = _lexed(chunk)
                if chunk not in _tokens_of_chunk:
                    wary.append(number)
            tokens.append(known)
        return tokens

    chunks = Chunks.cut(captions, str.split, tokens_of)
    if not wary:
        return chunks
    of_captions = chunks.of_captions
    is_wary = np.zeros(len(chunks.tokens), np.bool_)
    is_wary[wary] = True
    places = np.flatnonzero(is_wary[of_captions.values])
    owners = np.searchsorted(of_captions.offsets, places, side="right") - 1
    rows = dict.fromkeys(owners.tolist())
    return chunks.replaced(
        {row: tuple(lex(captions[row])) for row in rows if _chunks_interact(captions[row])}
    )


def _tokenize_with_care(caption: str) -> list[str]:
    """The tokens of a caption that has new chunks, or chunks that may act together."""
    tokens: list[str] = []
    may_cross = False
    for chunk in caption.split():
        known = _tokens_of_chunk.get(chunk)
        if known is None:
            known = _lexed(chunk)
            may_cross = may_cross or chunk not in _tokens_of_chunk
        tokens += known
    if may_cross and _chunks_interact(caption):
        return lex(caption)
    return tokens


def _chunks_interact(caption: str) -> bool:
    """Say whether tokens may reach across the white space of a caption."""
    if _CROSSING.search(caption):
        return True
    return bool(_ODD_SPACE.search(caption) and _ADDRESS.search(caption))


def _lexed(chunk: str) -> tuple[str, ...]:
    """The tokens of a new chunk, remembered unless its neighbours may matter."""
    if chunk.isalpha() and chunk.isascii() and 1 < len(chunk) <= _LONGEST_CHUNK:
        lowered = chunk.lower()
        if lowered not in _SPELLED.JOINED_WORDS:  # the usual case by far
            _remember(chunk, (lowered,))
            return (lowered,)
    lowered = chunk[:-1].lower() if chunk[-1] in ".," else chunk.lower()
    if (
        # Plain words, alone or before a full stop or comma, need no rules.
        chunk.isascii()
        and lowered.isalpha()
        and len(lowered) > 1
        and lowered not in _SPELLED.JOINED_WORDS
        and (chunk[-1] != "." or lowered not in _SPELLED.ABBREVIATIONS)
    ):
        tokens: tuple[str, ...] = (lowered,)
        alone = chunk[-1] != "."
    else:
        tokens = tuple(lex(chunk))
        alone = False
    if len(chunk) <= _LONGEST_CHUNK and (alone or not _MAY_CROSS.search(chunk)):
        _remember(chunk, tokens)
    return tokens


def _remember(chunk: str, tokens: tuple[str, ...]) -> None:
    if len(_tokens_of_chunk) >= _MOST_CHUNKS:
        _tokens_of_chunk.clear()
    _tokens_of_chunk[chunk] = tokens
