"""Captions as chunks between white space, so that each distinct chunk is tokenized once.

Work on tokens is done once for each different chunk, and the result laid out for each caption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, pairwise

import numpy as np

from captious._internal.arrays.ragged import Ragged, concatenate_ragged, offsets_of
from captious._internal.loops import chunks as loop
from captious._internal.loops import is_compiled
from captious._internal.loops.chunks import NO_ROOM, number_chunks

IS_COMPILED = is_compiled(loop)  # else Python's own dictionaries are quicker
_IS_WHITE = np.array([chr(code).isspace() for code in range(128)] + [False] * 128, np.uint8)
_BLOCK_CAPTIONS = 1 << 7  # split at a time, so that their chunks stay in a core's cache
_COMPILED_BLOCK_CAPTIONS = 1 << 15  # split at a time by the loop; bounds memory
INITIAL_CAPACITY = 1 << 15  # distinct chunks: a power of two, enlarged when it is too little


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of each caption, as ids, and the tokens of each distinct chunk."""

    of_captions: Ragged
    tokens: list[tuple[str, ...]]

    @classmethod
    def build(
        cls,
        captions: Sequence[str],
        split: Callable[[str], list[str]],
        tokens_of: Callable[[Iterable[str]], list[tuple[str, ...]]],
    ) -> Chunks:
        """Split captions into chunks with `split`, and these into tokens with `tokens_of`.

        Captions of ASCII letters alone it must cut as `str.split` does: that is done for it.
        """
        numbers = _ChunkIds()
        cut, size = (
            (_split_compiled, _COMPILED_BLOCK_CAPTIONS)
            if IS_COMPILED
            else (_split_in_python, _BLOCK_CAPTIONS)
        )
        starts = range(0, max(len(captions), 1), size)
        parts = [cut(captions[start : start + size], split, numbers) for start in starts]
        return cls(concatenate_ragged(parts), tokens_of(numbers))

    def replace_captions(self, whole: Mapping[int, tuple[str, ...]]) -> Chunks:
        """Return chunks in which some captions, by row, are one chunk with the given tokens."""
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

    def map_tokens(self, numbers: Sequence[Sequence[int]]) -> Ragged:
        """Return each caption's numbers, from those of each chunk's tokens."""
        offsets = offsets_of(np.fromiter(map(len, numbers), np.int64, len(numbers)))
        flat = np.fromiter(chain.from_iterable(numbers), np.int32, int(offsets[-1]))
        values = Ragged(flat, offsets).take(self.of_captions.values)
        return Ragged(values.values, values.offsets[self.of_captions.offsets])

    def words(self) -> list[list[str]]:
        """Return each caption's tokens as text."""
        tokens = self.tokens.__getitem__
        chunks, ends = self.of_captions.values.tolist(), self.of_captions.offsets.tolist()
        return [
            list(chain.from_iterable(map(tokens, chunks[start:end])))
            for start, end in pairwise(ends)
        ]


def _split_in_python(
    captions: Sequence[str], split: Callable[[str], list[str]], numbers: _ChunkIds
) -> Ragged:
    """Split captions in Python and return the ids of each caption's chunks."""
    rows = list(map(split, captions))
    offsets = offsets_of(np.fromiter(map(len, rows), np.int64, len(rows)))
    flat = map(numbers.__getitem__, chain.from_iterable(rows))
    return Ragged(np.fromiter(flat, np.int32, int(offsets[-1])), offsets)


def _split_compiled(
    captions: Sequence[str], split: Callable[[str], list[str]], numbers: _ChunkIds
) -> Ragged:
    """Split ASCII captions in a compiled loop over their letters, the others in Python."""
    is_plain = np.fromiter(map(str.isascii, captions), np.bool_, len(captions))
    plain = list(compress(captions, is_plain))
    text = "".join(plain)
    letters = np.frombuffer(text.encode("ascii"), np.uint8)
    ends = np.cumsum(np.fromiter(map(str.__len__, plain), np.int64, len(plain)))
    places = np.empty(len(text) // 2 + len(plain), np.int32)  # something between every two
    lengths = np.empty(len(plain), np.int64)
    room = INITIAL_CAPACITY
    while True:
        slots = np.zeros(2 * room, np.int32)
        firsts, sizes = np.empty(room, np.int64), np.empty(room, np.int64)
        different = number_chunks(
            letters.data,
            ends.data,
            _IS_WHITE.data,
            slots.data,
            65 - len(slots).bit_length(),
            firsts.data,
            sizes.data,
            places.data,
            lengths.data,
        )
        if different != NO_ROOM:
            break
        room *= 8
    offsets = offsets_of(lengths)
    begin, size = firsts[:different].tolist(), sizes[:different].tolist()
    texts = [text[i : i + n] for i, n in zip(begin, size, strict=True)]
    number = np.fromiter(map(numbers.__getitem__, texts), np.int32, different)
    of_plain = Ragged(number[places[: offsets[-1]]], offsets)
    if len(plain) == len(captions):
        return of_plain
    others = _split_in_python(list(compress(captions, ~is_plain)), split, numbers)
    # Both together, and each caption's row among them.
    rows = np.empty(len(captions), np.int64)
    rows[is_plain], rows[~is_plain] = np.arange(len(plain)), len(plain) + np.arange(len(others))
    return concatenate_ragged([of_plain, others]).take(rows)


class _ChunkIds(dict[str, int]):
    """Ids of texts; a new text gets the next id."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number
