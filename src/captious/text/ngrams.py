"""N-grams as integers: each caption's distinct n-grams of one to four words, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged
from captious._internal.loops.ngrams import number_ngrams
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

MAX_ORDER = 4
ROOT = 0


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of all captions, as nodes of one tree.

    The n-gram `a dog runs` is the child `runs` of the node of `a dog`. Row 4 * caption + n - 1 of
    `nodes` has a caption's distinct n-grams of n words in order of first occurrence; `counts` says
    how often each occurs. `keys` are the nodes that the base does not have, each its parent and its
    word in one integer: key i belongs to node `first_node + i`. Nodes count from 1; 0 is the root.
    """

    nodes: Ragged
    counts: IntArray
    first_node: int
    keys: IntArray
    slots: IntArray  # a hash table over keys

    @property
    def size(self) -> int:
        """One more than the largest node."""
        return self.first_node + len(self.keys)

    @classmethod
    def build(cls, analysis: Analysis) -> Ngrams:
        """Number and count all n-grams in one pass."""
        words = analysis.layer(Tokens).pieces
        base = analysis.base.layer(Ngrams) if analysis.base else _NO_NGRAMS
        first_node = base.size
        lengths = words.lengths
        most = int(sum(np.maximum(lengths - n, 0).sum() for n in range(MAX_ORDER)))
        keys = np.empty(most, np.uint64)
        slots = np.zeros(1 << (most + most // 2 + 1).bit_length(), np.int32)
        nodes, counts = np.empty(most, np.int32), np.empty(most, np.int32)
        offsets = np.zeros(MAX_ORDER * len(words) + 1, np.int64)
        new = number_ngrams(
            words.values.data,
            words.offsets.data,
            base.keys.data,
            base.slots.data,
            _shift(base.slots),
            first_node,
            keys.data,
            slots.data,
            _shift(slots),
            np.zeros(int(lengths.max(initial=0)), np.uint64).data,
            np.zeros(first_node + most, np.int32).data,
            nodes.data,
            counts.data,
            offsets.data,
        )
        entries = int(offsets[-1])
        return cls(
            Ragged(nodes[:entries].copy(), offsets),
            counts[:entries].copy(),
            first_node,
            keys[:new].copy(),
            slots,
        )


def key_of(parents: IntArray, words: IntArray) -> IntArray:
    """Return keys of nodes from parents and words."""
    keys: IntArray = parents.astype(np.uint64) << np.uint64(32) | words.astype(np.uint64)
    return keys


def parents_of(keys: IntArray) -> IntArray:
    """Return the parents in keys."""
    return (keys >> np.uint64(32)).astype(np.int64)


def last_words_of(keys: IntArray) -> IntArray:
    """Return the last words in keys."""
    return (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _shift(slots: IntArray) -> int:
    """Return how far a 64-bit hash is shifted to be a slot's number."""
    return 64 - (len(slots) - 1).bit_length()


_NO_NGRAMS = Ngrams(
    Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64)),
    np.zeros(0, np.int32),
    1,
    np.zeros(0, np.uint64),
    np.zeros(2, np.int32),
)
