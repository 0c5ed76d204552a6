"""n-grams as numbers: each caption's n-grams of one to four words, in place and counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from captious.ragged import IntArray, Ragged, offsets_of
from captious.text.analysis import Analysis
from captious.text.tokens import SplitTokens

MAX_ORDER = 4


@dataclass(frozen=True, slots=True)
class Bags:
    """The distinct n-grams of each caption, with how often each occurs."""

    ngrams: Ragged
    counts: IntArray


@dataclass(frozen=True, slots=True)
class Order:
    """All n-grams of one order: their ids in place, and the keys that the ids stand for.

    A key is the id of the n-gram's first n - 1 words and its last word's id, in one integer.
    `keys` are those that the base does not have, sorted: key i has the id `first_id + i`.
    """

    ids: Ragged
    keys: IntArray
    first_id: int

    @property
    def size(self) -> int:
        """One more than the largest id."""
        return self.first_id + len(self.keys)

    def bags_by_id(self) -> Bags:
        """Counted n-grams, sorted by id within each caption."""
        merged = np.sort(self._merged())
        starts = np.flatnonzero(np.diff(merged, prepend=-1))
        owners, values = np.divmod(merged[starts], max(1, self.size))
        return self._bags(owners, values, np.diff(starts, append=len(merged)))

    def bags_by_place(self) -> Bags:
        """Counted n-grams in order of first occurrence, whatever else is in the corpus."""
        _, first, counts = np.unique(self._merged(), return_index=True, return_counts=True)
        order = np.argsort(first)
        first = first[order]
        return self._bags(self.ids.owners[first], self.ids.values[first], counts[order])

    def _merged(self) -> IntArray:
        merged: IntArray = self.ids.owners * self.size + self.ids.values
        return merged

    def _bags(self, owners: IntArray, values: IntArray, counts: IntArray) -> Bags:
        lengths = np.bincount(owners, minlength=len(self.ids))
        return Bags(Ragged(values, offsets_of(lengths)), counts)


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of all captions: `orders[n - 1]` holds those of n words."""

    orders: tuple[Order, ...]

    @classmethod
    def build(cls, analysis: Analysis) -> Ngrams:
        """Number all n-grams, each order from the one before it."""
        tokens = analysis.layer(SplitTokens)
        base = analysis.base.layer(Ngrams) if analysis.base else None
        words, lengths = tokens.ids.values, tokens.ids.lengths
        first_word = base.orders[0].size if base else 0
        orders = [Order(tokens.ids, np.arange(first_word, tokens.size), first_word)]
        # Words from each place to the caption's end: where fewer than n are left, no n-gram starts.
        left = np.repeat(tokens.ids.offsets[1:], lengths) - np.arange(len(words))
        prefixes = words
        for n in range(2, MAX_ORDER + 1):
            starts = left >= n
            places = np.flatnonzero(starts)
            keys = key_of(prefixes[starts[left >= n - 1]], words[places + n - 1])
            values, new, first_id = _number(keys, base.orders[n - 1] if base else None)
            ids = Ragged(values, offsets_of(np.maximum(lengths - n + 1, 0)))
            orders.append(Order(ids, new, first_id))
            prefixes = values
        return cls(tuple(orders))


def key_of(prefix: IntArray, word: IntArray) -> IntArray:
    """The key of an n-gram: the id of its first n - 1 words and its last word's, in one integer."""
    key: IntArray = prefix.astype(np.int64) << 32 | word
    return key


def find_keys(sorted_keys: IntArray, keys: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Where each key stands among sorted ones, and whether it is there at all."""
    if not len(sorted_keys):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    places = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
    return places, sorted_keys[places] == keys


def _number(keys: IntArray, base: Order | None) -> tuple[IntArray, IntArray, int]:
    """Ids for keys: the base's where it has the key, new ones after the base's where it has not."""
    if base is None:
        new, ids = np.unique(keys, return_inverse=True)
        return ids.astype(np.int32), new, 0
    ids, found = find_keys(base.keys, keys)
    new, new_ids = np.unique(keys[~found], return_inverse=True)
    ids[~found] = base.size + new_ids
    return ids.astype(np.int32), new, base.size
