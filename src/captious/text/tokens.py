"""Words as numbers: each caption's tokens, and the vocabulary that they come from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from captious.ragged import Ragged, offsets_of
from captious.text.analysis import TOKENIZERS, Analysis


@dataclass(frozen=True)
class Tokens:
    """Every caption's words, as text and as ids.

    Ids follow the order of the alphabet, so that two words compare alike in every corpus that has
    both; words that the base does not have come after the base's.
    """

    words: list[list[str]]
    ids: Ragged
    vocabulary: dict[str, int]
    size: int

    @classmethod
    def build(cls, analysis: Analysis) -> Tokens:
        """Tokenise all captions and number their words."""
        words = TOKENIZERS[analysis.tokenizer](analysis.captions)
        return cls.number(words, analysis.base.layer(Tokens) if analysis.base else None)

    @classmethod
    def number(cls, words: list[list[str]], base: Tokens | None) -> Tokens:
        """Give numbers to words, the base's where it has them."""
        flat = list(chain.from_iterable(words))
        known = base.vocabulary if base else {}
        start = base.size if base else 0
        new = sorted(set(flat).difference(known))
        vocabulary = dict(zip(new, range(start, start + len(new)), strict=True))
        if known:
            numbers = (known[word] if word in known else vocabulary[word] for word in flat)
        else:
            numbers = (vocabulary[word] for word in flat)
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        ids = Ragged(np.fromiter(numbers, np.int32, len(flat)), offsets_of(lengths))
        return cls(words, ids, vocabulary, start + len(new))


class SplitTokens(Tokens):
    """Tokens as n-gram metrics read them: those that hold a no-break space are split at it.

    The tokenizer joins `4 1/2` and telephone numbers by no-break spaces. The toolkit's BLEU and
    CIDEr split such tokens again, its ROUGE-L and METEOR do not.
    """

    @classmethod
    def build(cls, analysis: Analysis) -> Tokens:
        """Split where there is anything to split; nearly always these are the tokens themselves."""
        tokens = analysis.layer(Tokens)
        base = analysis.base.layer(SplitTokens) if analysis.base else None
        unsplit_base = base is None or base is analysis.base.layer(Tokens)  # type: ignore[union-attr]
        if unsplit_base and not any(map(_is_split, tokens.vocabulary)):
            return tokens
        return cls.number([" ".join(words).split() for words in tokens.words], base)


def _is_split(word: str) -> bool:
    return word.split() != [word]
