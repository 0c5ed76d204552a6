"""Tokens of captions as integer ids, and their vocabulary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import Ragged
from captious.errors import InputError
from captious.text.analysis import TOKENIZERS, Analysis
from captious.text.tokenizer.chunks import Chunks

# Distinct words of a caption: metrics that compare each of them with each of another
# caption take some seconds and 200 MB for such a pair, and ever more beyond.
MAX_DISTINCT_WORDS = 5000
EXCERPT_CHARS = 40  # characters of a caption by which it is named
_BEGINS_WITH_LETTER = re.compile("[A-Za-z]").match


@dataclass(frozen=True)
class Tokens:
    """Every caption's tokens, as text and as ids; ids that the base does not have come last.

    The tokenizer joins `4 1/2` and telephone numbers by no-break spaces. The toolkit's ROUGE-L and
    METEOR take such a token as it is, its BLEU and CIDEr split it again: `pieces` are the ids with
    those tokens split.
    """

    chunks: Chunks
    ids: Ragged
    pieces: Ragged
    vocabulary: dict[str, int]
    size: int

    @cached_property
    def words(self) -> list[list[str]]:
        """The tokens as text."""
        return self.chunks.words()

    @classmethod
    def build(cls, analysis: Analysis) -> Tokens:
        """Tokenize all captions and number their words."""
        chunks = TOKENIZERS[analysis.tokenizer](analysis.captions)
        base = analysis.base.layer(Tokens) if analysis.base else None
        known = base.vocabulary if base else {}
        start = base.size if base else 0

        different = dict.fromkeys(chain.from_iterable(chunks.tokens))
        joined = {word for word in different if word.split() != [word]}
        different |= dict.fromkeys(piece for word in joined for piece in word.split())
        new = [word for word in different if word not in known]
        vocabulary = dict(zip(new, range(start, start + len(new)), strict=True))
        number = {word: known[word] for word in different if word in known} | vocabulary
        ids = chunks.map_tokens([[number[word] for word in tokens] for tokens in chunks.tokens])
        _check_distinct_words(analysis, ids)
        pieces = ids
        if joined:
            split = [" ".join(tokens).split() for tokens in chunks.tokens]
            pieces = chunks.map_tokens([[number[piece] for piece in row] for row in split])
        return cls(chunks, ids, pieces, vocabulary, start + len(new))


def _check_distinct_words(analysis: Analysis, ids: Ragged) -> None:
    """Raise an error for a caption that has too many different words."""
    for row in np.flatnonzero(ids.lengths > MAX_DISTINCT_WORDS).tolist():
        different = len(set(ids.values[ids.offsets[row] : ids.offsets[row + 1]].tolist()))
        if different > MAX_DISTINCT_WORDS:
            beginning = analysis.captions[row][:EXCERPT_CHARS]
            raise InputError(
                f"the caption that begins {beginning!r} has {different:,} different words, and "
                f"captions may have {MAX_DISTINCT_WORDS:,}; shorten it, or score it in parts"
            )


def check_long_captions(analysis: Analysis) -> None:
    """Raise an error for a caption of too many different words; tokenize only what may have them.

    A token has a character or more.
    """
    if not analysis.has(Tokens):
        long = [caption for caption in analysis.captions if len(caption) > MAX_DISTINCT_WORDS]
        Analysis(long, analysis.tokenizer).layer(Tokens)


def have_tokens(analysis: Analysis) -> npt.NDArray[np.bool_]:
    """Return which captions have a token.

    A caption that begins with a letter of English has one, whatever the tokenizer. Only the others,
    and captions that may have too many different words, are tokenized.
    """
    if analysis.has(Tokens):
        are_tokenized: npt.NDArray[np.bool_] = analysis.layer(Tokens).ids.lengths > 0
        return are_tokenized
    captions = analysis.captions
    have = np.fromiter(map(bool, map(_BEGINS_WITH_LETTER, captions)), np.bool_, len(captions))
    have &= np.fromiter(map(len, captions), np.int64, len(captions)) <= MAX_DISTINCT_WORDS
    unknown = np.flatnonzero(~have)
    if len(unknown):
        others = Analysis([captions[row] for row in unknown.tolist()], analysis.tokenizer)
        have[unknown] = others.layer(Tokens).ids.lengths > 0
    return have


def words_by_id(analysis: Analysis) -> list[str]:
    """Return the words of an analysis by id, those of its base first."""
    base = words_by_id(analysis.base) if analysis.base else []
    return analysis.get_or_compute(
        "names of words", lambda: [*base, *analysis.layer(Tokens).vocabulary]
    )


def word_sequences(analysis: Analysis) -> list[bytes]:
    """Return the word ids of each caption as bytes, to compare captions by."""
    ids = analysis.layer(Tokens).ids
    values = ids.values.astype(np.int32, copy=False)
    return [values[start:end].tobytes() for start, end in pairwise(ids.offsets.tolist())]
