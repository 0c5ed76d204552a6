"""Captions as chunks: the stretches of text between white space, few different, used over and over.

What is to be done for each token is done for each different chunk, and then laid out by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from captious.arrays.ragged import Ragged, offsets_of

_BLOCK = 1 << 13  # captions cut at a time: so many captions' chunks are held as text at once


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of each caption, as numbers, and the tokens of each different chunk."""

    of_captions: Ragged
    tokens: list[tuple[str, ...]]

    @classmethod
    def cut(
        cls,
        captions: Sequence[str],
        split: Callable[[str], list[str]],
        tokens_of: Callable[[str], tuple[str, ...]],
    ) -> Chunks:
        """The chunks that `split` gives of captions, numbered as they appear."""
        numbers = _Numbers()
        values, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)]
        for start in range(0, len(captions), _BLOCK):
            rows = list(map(split, captions[start : start + _BLOCK]))
            lengths.append(np.fromiter(map(len, rows), np.int64, len(rows)))
            flat = map(numbers.__getitem__, chain.from_iterable(rows))
            values.append(np.fromiter(flat, np.int32, int(lengths[-1].sum())))
        of_captions = Ragged(np.concatenate(values), offsets_of(np.concatenate(lengths)))
        return cls(of_captions, list(map(tokens_of, numbers)))

    def replaced(self, whole: Mapping[int, tuple[str, ...]]) -> Chunks:
        """The same with some captions, by row, taken as one chunk each, whose tokens are given."""
        if not whole:
            return self
        rows = np.fromiter(whole, np.int64, len(whole))
        lengths = self.of_captions.lengths
        is_whole = np.zeros(len(lengths), np.bool_)
        is_whole[rows] = True
        values = self.of_captions.values.copy()
        firsts = self.of_captions.offsets[rows]
        values[firsts] = len(self.tokens) + np.arange(len(rows))
        stays = ~np.repeat(is_whole, lengths)
        stays[firsts] = True
        values = values[stays]
        tokens = [*self.tokens, *whole.values()]
        for unused in np.flatnonzero(np.bincount(values, minlength=len(tokens)) == 0).tolist():
            tokens[unused] = ()  # else words that no caption has would be in its vocabulary
        return Chunks(Ragged(values, offsets_of(np.where(is_whole, 1, lengths))), tokens)

    def laid_out(self, numbers: Sequence[Sequence[int]]) -> Ragged:
        """Each caption's numbers, from those of each chunk's tokens."""
        offsets = offsets_of(np.fromiter(map(len, numbers), np.int64, len(numbers)))
        flat = np.fromiter(chain.from_iterable(numbers), np.int32, int(offsets[-1]))
        values = Ragged(flat, offsets).take(self.of_captions.values)
        return Ragged(values.values, values.offsets[self.of_captions.offsets])

    def words(self) -> list[list[str]]:
        """Each caption's tokens as text."""
        tokens = self.tokens.__getitem__
        chunks, ends = self.of_captions.values.tolist(), self.of_captions.offsets.tolist()
        return [
            list(chain.from_iterable(map(tokens, chunks[start:end])))
            for start, end in pairwise(ends)
        ]


class _Numbers(dict[str, int]):
    """Texts by number; a new one gets the next."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number
