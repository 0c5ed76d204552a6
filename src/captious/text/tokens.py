"""Words as numbers: each caption's tokens, and the vocabulary that they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious.ragged import Ragged, offsets_of
from captious.text.analysis import TOKENIZERS, Analysis


@dataclass(frozen=True, slots=True)
class Tokens:
    """Every caption's tokens, as text and as ids; ids that the base does not have come last.

    The tokenizer joins `4 1/2` and telephone numbers by no-break spaces. The toolkit's ROUGE-L and
    METEOR take such a token as it is, its BLEU and CIDEr split it again: `pieces` are the ids with
    those tokens split.
    """

    words: list[list[str]]
    ids: Ragged
    pieces: Ragged
    vocabulary: dict[str, int]
    size: int

    @classmethod
    def build(cls, analysis: Analysis) -> Tokens:
        """Tokenise all captions and number their words."""
        words = TOKENIZERS[analysis.tokenizer](analysis.captions)
        base = analysis.base.layer(Tokens) if analysis.base else None
        known = base.vocabulary if base else {}
        start = base.size if base else 0

        different = dict.fromkeys(chain.from_iterable(words))
        joined = {word for word in different if word.split() != [word]}
        different |= dict.fromkeys(piece for word in joined for piece in word.split())
        new = [word for word in different if word not in known]
        vocabulary = dict(zip(new, range(start, start + len(new)), strict=True))
        # One dict to look every word up in: a caption's words are many, different ones few.
        number = {word: known[word] for word in different if word in known} | vocabulary
        ids = _numbered(words, number)
        pieces = ids
        if joined:
            split = [row if joined.isdisjoint(row) else " ".join(row).split() for row in words]
            pieces = _numbered(split, number)
        return cls(words, ids, pieces, vocabulary, start + len(new))


def _numbered(rows: Sequence[Sequence[str]], number: Mapping[str, int]) -> Ragged:
    offsets = offsets_of(np.fromiter(map(len, rows), np.int64, len(rows)))
    flat = map(number.__getitem__, chain.from_iterable(rows))
    return Ragged(np.fromiter(flat, np.int32, int(offsets[-1])), offsets)
