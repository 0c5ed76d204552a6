"""A parsed sentence: what the parser gives and the scene graph is made of."""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """One sentence's words, each with its part of speech, lemma, head and relation to the head.

    Heads count words from 1; 0 is the root. Tags are the Penn Treebank's, relations those of
    Universal Dependencies 1 (basic, not collapsed).
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
