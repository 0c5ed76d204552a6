from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious._internal.loops import ngrams as loop
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, ROOT, Ngrams, last_words_of, parents_of
from captious.text.tokens import Tokens
from tests._internal.loops.uncompiled import uncompiled


def spelled(analysis: Analysis) -> list[list[list[tuple[tuple[Any, ...], int]]]]:
    """Each caption's counted n-grams as tuples of words, in order, read back from the tree."""
    layers = [each for each in (analysis.base, analysis) if each]
    words = {n: word for each in layers for word, n in each.layer(Tokens).vocabulary.items()}
    keys = np.concatenate([each.layer(Ngrams).keys for each in layers])
    tree = list(zip(parents_of(keys).tolist(), last_words_of(keys).tolist(), strict=True))

    def spell(node: int) -> tuple[str, ...]:
        if node == ROOT:
            return ()
        parent, word = tree[node - 1]
        return (*spell(parent), words[word])

    ngrams = analysis.layer(Ngrams)
    names = map(spell, ngrams.nodes.values.tolist())
    counted = list(zip(names, ngrams.counts.tolist(), strict=True))
    offsets = ngrams.nodes.offsets.tolist()
    rows = [counted[start:end] for start, end in pairwise(offsets)]
    return [rows[start : start + MAX_ORDER] for start in range(0, len(rows), MAX_ORDER)]


def by_definition(caption: str) -> list[list[tuple[tuple[str, ...], int]]]:
    words = caption.split()
    return [
        list(Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)).items())
        for n in range(1, MAX_ORDER + 1)
    ]


captions = st.lists(st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join), min_size=1)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(captions, captions)
def test_every_ngram_is_counted_whether_the_base_has_it_or_not(
    below: list[str], above: list[str]
) -> None:
    base = Analysis(below, tokenizer="whitespace")
    analysis = Analysis(above, tokenizer="whitespace", base=base)
    assert spelled(base) == list(map(by_definition, below))
    assert spelled(analysis) == list(map(by_definition, above))


def test_numbering_is_the_same_uncompiled(
    monkeypatch: pytest.MonkeyPatch, references: dict[str, list[str]]
) -> None:
    flat = [caption for captions in references.values() for caption in captions]
    compiled = Analysis(flat).layer(Ngrams)
    monkeypatch.setattr("captious.text.ngrams.number_ngrams", uncompiled(loop).number_ngrams)
    plain = Analysis(flat).layer(Ngrams)
    assert compiled.keys.tolist() == plain.keys.tolist()
    assert compiled.nodes.values.tolist() == plain.nodes.values.tolist()
    assert compiled.counts.tolist() == plain.counts.tolist()
