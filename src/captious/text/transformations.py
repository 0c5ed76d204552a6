"""Transformations that make captions worse: words permuted or replaced, by a strength in per cent.

Two of LEIC's three (Cui et al. 2018): words change places, or give way to others. The third, a
caption of another image, changes no word.
"""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged
from captious.errors import InputError

TRANSFORMATIONS = ("random_caption", "word_permutation", "random_word")
MIN_CHANGED_WORDS = 2
MAX_REDRAWS = 20  # draws of a permutation for captions that came out unchanged


def permute_words(words: Ragged, strength: int | IntArray, rng: np.random.Generator) -> Ragged:
    """Permute some words of each caption; each of those moves.

    The strength is one for all or one for each caption.
    """
    strengths = np.broadcast_to(strength, len(words))
    changed = _rotate_chosen_words(words, strengths, rng)
    for _ in range(MAX_REDRAWS):
        # Equal words in each other's places change nothing: such captions are drawn again.
        differs = np.add.reduceat(changed != words.values, words.offsets[:-1]) > 0
        same = np.flatnonzero(~differs)
        if not len(same):
            break
        again = words.take(same)
        places = Ragged(np.arange(len(words.values)), words.offsets).take(same).values
        changed[places] = _rotate_chosen_words(again, strengths[same], rng)
    return Ragged(changed, words.offsets)


def _rotate_chosen_words(words: Ragged, strengths: IntArray, rng: np.random.Generator) -> IntArray:
    """Move the chosen words of every caption one place on in a circle of random order."""
    places, owners = _choose_positions(words, strengths, rng)
    first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
    last = np.r_[first[1:], len(owners)] - 1
    before = np.arange(len(places)) - 1
    before[first] = last
    changed = words.values.copy()
    changed[places] = words.values[places[before]]
    return changed


def replace_words(
    words: Ragged, size: int, strength: int | IntArray, rng: np.random.Generator
) -> Ragged:
    """Replace some words of each caption by any other of a vocabulary of this size."""
    if size < 2:
        raise InputError(
            "replacing words needs at least two different words; the captions have one"
        )
    places, _ = _choose_positions(words, np.broadcast_to(strength, len(words)), rng)
    changed = words.values.copy()
    changed[places] = (changed[places] + rng.integers(1, size, size=len(places))) % size
    return Ragged(changed, words.offsets)


def _choose_positions(
    words: Ragged, strengths: IntArray, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Choose the positions of words to change, in random order, and their captions."""
    owners, lengths = words.owners, words.lengths
    order = np.lexsort((rng.random(len(owners)), owners))
    rank = np.arange(len(owners)) - words.offsets[owners]  # in the random order
    wanted = np.minimum(np.maximum((lengths * strengths + 50) // 100, MIN_CHANGED_WORDS), lengths)
    is_chosen = rank < wanted[owners]
    return order[is_chosen], owners[is_chosen]
