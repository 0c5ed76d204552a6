"""Tier 1: which words of a caption count, by whether the captioner ranked them first."""

from __future__ import annotations

import numpy as np

from captious.arrays.ragged import IntArray
from captious.pregen.layouts import BoolArray
from captious.pregen.probabilities import WordProbabilities


def none(words: WordProbabilities, variant: str) -> BoolArray:
    """Every word."""
    return np.ones(len(words.probabilities), dtype=np.bool_)


def filter0(words: WordProbabilities, variant: str) -> BoolArray:
    """The words ranked first; as released, the other ones, which is what was published."""
    return ~words.is_first if variant == "released" else words.is_first


def prefix0(words: WordProbabilities, variant: str) -> BoolArray:
    """The words before the first one that was not ranked first."""
    starts = words.caption_offsets[:-1]
    missed = np.cumsum(~words.is_first)  # words not ranked first so far, in all captions
    before: IntArray = missed[starts] - ~words.is_first[starts]
    prefix: BoolArray = missed == np.repeat(before, words.lengths)
    return prefix


FILTERS = {function.__name__: function for function in (none, filter0, prefix0)}
