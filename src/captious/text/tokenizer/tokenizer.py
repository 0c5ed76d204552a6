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
_MAX_CACHED_CHUNKS = 1 << 17
_MAX_CACHED_CHUNK_CHARS = 64

_SPELLED = ENGLISH.orthography
# What every web or e-mail address has. Addresses may go on behind spaces other than the blank.
_ADDRESS = re.compile(r"@|://|(?i:www)\.|\.(?i:com|net|org|edu)")
_ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# A chunk that may act together with the next one, or with the one before.
_MAY_INTERACT = re.compile(
    rf"<|\d\)?\Z|\A\..|(?:\A|[^A-Za-z])[A-Za-z]\.\Z|'[nN]\Z|{_ADDRESS.pattern}"
    rf"|(?i:{'|'.join(sorted(_SPELLED.ABBREVIATIONS_BEFORE_NUMBERS))})\.\Z"
)
# Places in a caption where two chunks may indeed act together.
_INTERACTING = re.compile(
    r"<|\d\)?\s+\d|\.\s+[.\d]|(?:\A|[^A-Za-z])[A-Za-z]\.\s+[A-Z]"
    r"|'[nN][\u1680\u2000-\u200a\u202f\u205f\u3000]"
)

_tokens_of_chunk: dict[str, tuple[str, ...]] = {}


def tokenize(caption: str) -> list[str]:
    """Tokenize one caption like the COCO toolkit.

    >>> tokenize("A man's dog isn't here; it's gone.")
    ['a', 'man', "'s", 'dog', 'is', "n't", 'here', 'it', "'s", 'gone']
    """
    try:
        return list(chain.from_iterable(map(_tokens_of_chunk.__getitem__, caption.split())))
    except KeyError:
        return _tokenize_with_new_chunks(caption)


def tokenize_all(captions: Iterable[str]) -> list[list[str]]:
    """Tokenize each caption independently of the others.

    >>> tokenize_all(["A red T-shirt.", "50% off!"])
    [['a', 'red', 't-shirt'], ['50', '%', 'off']]
    """
    return tokenize_to_chunks(list(captions)).words()


def tokenize_to_chunks(captions: Sequence[str]) -> Chunks:
    """Split captions into chunks with their tokens, for work on all tokens at once."""
    context_dependent: list[int] = []  # numbers of the different chunks whose neighbours may matter

    def tokens_of(chunks: Iterable[str]) -> list[tuple[str, ...]]:
        tokens = []
        for number, chunk in enumerate(chunks):
            known = _tokens_of_chunk.get(chunk)
            if known is None:
                known = _lex_chunk(chunk)
                if chunk not in _tokens_of_chunk:
                    context_dependent.append(number)
            tokens.append(known)
        return tokens

    chunks = Chunks.build(captions, str.split, tokens_of)
    if not context_dependent:
        return chunks
    of_captions = chunks.of_captions
    is_context_dependent = np.zeros(len(chunks.tokens), np.bool_)
    is_context_dependent[context_dependent] = True
    places = np.flatnonzero(is_context_dependent[of_captions.values])
    owners = np.searchsorted(of_captions.offsets, places, side="right") - 1
    rows = dict.fromkeys(owners.tolist())
    return chunks.replace_captions(
        {row: tuple(lex(captions[row])) for row in rows if _chunks_interact(captions[row])}
    )


def _tokenize_with_new_chunks(caption: str) -> list[str]:
    """Tokenize a caption that has new chunks, or chunks that may interact."""
    tokens: list[str] = []
    may_interact = False
    for chunk in caption.split():
        known = _tokens_of_chunk.get(chunk)
        if known is None:
            known = _lex_chunk(chunk)
            may_interact = may_interact or chunk not in _tokens_of_chunk
        tokens += known
    if may_interact and _chunks_interact(caption):
        return lex(caption)
    return tokens


def _chunks_interact(caption: str) -> bool:
    """Whether tokens may reach across the white space of a caption."""
    if _INTERACTING.search(caption):
        return True
    return bool(_ODD_SPACE.search(caption) and _ADDRESS.search(caption))


def _lex_chunk(chunk: str) -> tuple[str, ...]:
    """Tokenize a new chunk; cache the tokens unless its neighbours may matter."""
    if chunk.isalpha() and chunk.isascii() and 1 < len(chunk) <= _MAX_CACHED_CHUNK_CHARS:
        lowered = chunk.lower()
        if lowered not in _SPELLED.JOINED_WORDS:  # the usual case by far
            _cache_tokens(chunk, (lowered,))
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
    if len(chunk) <= _MAX_CACHED_CHUNK_CHARS and (alone or not _MAY_INTERACT.search(chunk)):
        _cache_tokens(chunk, tokens)
    return tokens


def _cache_tokens(chunk: str, tokens: tuple[str, ...]) -> None:
    if len(_tokens_of_chunk) >= _MAX_CACHED_CHUNKS:
        _tokens_of_chunk.clear()
    _tokens_of_chunk[chunk] = tokens
