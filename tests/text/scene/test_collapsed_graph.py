"""Collapsed graphs beside those of CoreNLP 3.6.0, which the original reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.text.parser.parser import Sentence
from captious.text.scene.collapsed_graph import MAX_WORDS, collapse
from captious.text.scene.scene_tuples import extract_tuples
from tests.text.scene.original_spice import (
    AGENT,
    NEXT_TO,
    ON_TOP_OF,
    SHARED_SUBJECT,
    TWO_PHRASES,
    TWO_PREPOSITIONS,
    named_edges,
    original_edges,
    original_sentence,
    sentence_of,
    some_captions,
)

# What CoreNLP's graph has that its tree has not, and the other way round.
CHANGES = {
    NEXT_TO: (
        {("10", "case", "7"), ("7", "mwe", "8"), ("4", "nmod:next_to", "10")},
        {("4", "advmod", "7"), ("7", "nmod", "10"), ("10", "case", "8")},
    ),
    ON_TOP_OF: (
        {("9", "case", "4"), ("4", "mwe", "5"), ("4", "mwe", "6"), ("3", "nmod:on_top_of", "9")},
        {("3", "nmod", "5"), ("5", "case", "4"), ("5", "nmod", "9"), ("9", "case", "6")},
    ),
    AGENT: (
        {("4", "nmod:in", "7"), ("4", "nmod:agent", "10")},
        {("4", "nmod", "7"), ("4", "nmod", "10")},
    ),
    TWO_PHRASES: (
        {
            ("4", "conj:and", "4.1"),
            ("4.1", "nsubjpass", "2"),
            ("4", "nmod:in", "7"),
            ("4", "cc", "8"),
            ("4.1", "nmod:on", "11"),
        },
        {("4", "nmod", "7"), ("7", "cc", "8"), ("7", "conj", "11")},
    ),
    TWO_PREPOSITIONS: (
        {
            ("3", "conj:and", "3.1"),
            ("3.1", "nsubj", "2"),
            ("4", "conj:and", "6"),
            ("3", "nmod:above", "8"),
            ("3.1", "nmod:under", "8"),
            ("3", "nmod:in", "11"),
        },
        {("3", "nmod", "8"), ("3", "nmod", "11"), ("4", "conj", "6")},
    ),
    SHARED_SUBJECT: (
        {("8", "nsubjpass", "2"), ("4", "nmod:in", "6"), ("4", "conj:and", "8")},
        {("4", "conj", "8"), ("4", "nmod", "6")},
    ),
}


@pytest.mark.parametrize("text", CHANGES)
def test_graphs_match_corenlp(text: str) -> None:
    sentence = sentence_of(text)
    places = range(1, len(sentence.words) + 1)
    tree = {
        (str(head), label, str(place))
        for head, label, place in zip(sentence.heads, sentence.labels, places, strict=True)
    }
    new, gone = CHANGES[text]
    assert named_edges(collapse(sentence)) == (tree - gone) | new


@pytest.mark.slow
def test_graphs_of_real_captions(shared: Path) -> None:
    parses = [parse for row in some_captions(shared) for parse in row["sentences"]]
    equal = sum(
        named_edges(collapse(original_sentence(parse))) == original_edges(parse) for parse in parses
    )
    assert equal >= 0.999 * len(parses)


@pytest.mark.slow
def test_tuples_from_trees_match_spice(shared: Path) -> None:
    rows = some_captions(shared)
    equal = sum(
        extract_tuples(collapse(original_sentence(parse)) for parse in row["sentences"])
        == [tuple(names) for names in row["tuples"]]
        for row in rows
    )
    assert equal >= 0.995 * len(rows)


WORDS = "a lot of dogs next to it on top and or in front by 2 one the rather than not É".split()
TAGS = [*"NN NNS NNP VB VBN VBG JJ IN CC PRP PRP$ DT CD RB".split(), ""]
LABELS = """
    nsubj nsubjpass dobj iobj nmod nmod:poss nmod:tmod acl advcl amod cop case mark cc conj mwe
    compound compound:prt nummod det auxpass dep advmod root unheard:of
""".split()


@st.composite
def trees(draw: Callable[..., Any]) -> Sentence:
    """Sentences of any words, tags and relations whose heads form a tree."""
    size = draw(st.integers(0, 24))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place, node in enumerate(order[1:], 1):
        heads[node - 1] = order[draw(st.integers(0, place - 1))]
    words, tags, labels = (
        tuple(draw(st.lists(st.sampled_from(values), min_size=size, max_size=size)))
        for values in (WORDS, TAGS, LABELS)
    )
    return Sentence(words, tags, words, tuple(heads), labels)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(trees(), max_size=3))
def test_any_tree_gives_tuples(sentences: list[Sentence]) -> None:
    graphs = [collapse(sentence) for sentence in sentences]
    for graph in graphs:
        nodes = range(len(graph.words))
        assert all(edge[0] in nodes and edge[2] in nodes for edge in graph.edges)
    for names in extract_tuples(graphs):
        assert 1 <= len(names) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("head", [lambda place: place, lambda place: min(place, 1)])
def test_long_sentences_are_cut(head: Callable[..., Any]) -> None:
    size = 200_000
    words = tuple(WORDS[place % len(WORDS)] for place in range(size))
    tags = tuple(TAGS[place % len(TAGS)] for place in range(size))
    labels = tuple(LABELS[place % len(LABELS)] for place in range(size))
    graph = collapse(Sentence(words, tags, words, tuple(map(head, range(size))), labels))
    assert len(set(graph.tokens)) == MAX_WORDS + 1
    extract_tuples([graph])
