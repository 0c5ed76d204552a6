"""Replace the quantifiers and pronouns of a collapsed graph by the nouns that they stand for.

*A lot of people* is about people, not about a lot; *a man and his dog* has a man's dog.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

from captious.text.english import ENGLISH
from captious.text.scene.collapsed_graph import NOUNS, PLURALS, DependencyGraph, Edge

_PRONOUNS = frozenset({"PRP", "PRP$"})
_NUMBERS = re.compile(r"[0-9]+(s?)")
_GRAMMAR = ENGLISH.grammar


def resolve_quantifiers_and_pronouns(graph: DependencyGraph) -> None:
    """Put nouns in the place of their quantifiers and of the pronouns that stand for them."""
    if "of" in graph.words:
        for place in range(2, len(graph.words)):
            if graph.words[place] == "of" and graph.tokens[place] == place:
                _demote_quantifier(graph, place)
    if not _PRONOUNS.isdisjoint(graph.tags):
        for place in range(2, len(graph.words)):
            if graph.tags[place] in _PRONOUNS and graph.tokens[place] == place:
                _resolve_pronoun(graph, place)


def _demote_quantifier(graph: DependencyGraph, of: int) -> None:
    """Attach the quantifier before an `of` to the noun after it, as one expression."""
    quantifier = of - 1
    word = graph.words[quantifier].lower()
    number = _NUMBERS.fullmatch(word)
    after_article = word in _GRAMMAR.QUANTIFIERS_AFTER_ARTICLE
    before_article = word in _GRAMMAR.QUANTIFIERS_BEFORE_ARTICLE or bool(number and not number[1])
    if not (after_article or before_article or word in _GRAMMAR.QUANTIFIERS or number):
        return
    below = [edge for edge in graph.edges if edge[0] == quantifier]
    noun = _quantified_noun(graph, below, of, before_article)
    if not noun:
        return
    left = 0
    if after_article:
        articles = [
            child
            for _, label, child in below
            if label == "det" and graph.words[child].lower() in _GRAMMAR.INDEFINITE_ARTICLES
        ]
        if not articles:
            return
        left = articles[0] - 1
    # Dependents to the left of the quantifier join the expression.
    expression = sorted({of, quantifier, *(edge[2] for edge in below if left < edge[2] < of)})
    members = set(expression)
    above = [edge for edge in graph.edges if edge[2] == quantifier]
    remaining = [
        edge
        for edge in graph.edges
        if edge[2] not in members and edge != (quantifier, "nmod:of", noun)
    ]
    if above:
        # Of several governors the original keeps one.
        governor, label, _ = min(above)
        remaining.append((governor, label, noun))
    remaining.append((noun, "det:qmod", expression[0]))
    remaining += [(expression[0], "mwe", member) for member in expression[1:]]
    graph.edges = remaining


def _quantified_noun(
    graph: DependencyGraph, below: Iterable[Edge], of: int, before_article: bool
) -> int:
    """Return the noun or pronoun behind a quantifier, or 0."""
    for noun in sorted(child for _, label, child in below if label == "nmod:of"):
        is_pronoun = graph.tags[noun].startswith("PRP")
        if not (is_pronoun or graph.tags[noun].startswith("NN")):
            continue
        if (noun, "case", of) not in graph.edges:
            continue
        if is_pronoun or not before_article or (noun, "det", of + 1) in graph.edges:
            return noun
    return 0


def _resolve_pronoun(graph: DependencyGraph, pronoun: int) -> None:
    """Move a pronoun's edges to the noun nearest to the root, if that stands before it."""
    noun = _first_noun(graph, graph.words[pronoun].lower() in _GRAMMAR.SINGULAR_PRONOUNS)
    if not noun or graph.tokens[noun] >= pronoun or (0, "root", pronoun) in graph.edges:
        return
    moved = [
        (noun if governor == pronoun else governor, label, noun if child == pronoun else child)
        for governor, label, child in graph.edges
        if pronoun in (governor, child)
    ]
    graph.edges = [edge for edge in graph.edges if pronoun not in (edge[0], edge[2])] + moved


def _first_noun(graph: DependencyGraph, singular: bool) -> int:
    """Return the first noun, breadth-first from the root and perhaps only singular, or 0."""
    children: dict[int, set[int]] = {}
    for governor, _, child in graph.edges:
        children.setdefault(governor, set()).add(child)
    wanted = NOUNS - PLURALS if singular else NOUNS
    seen = {0}
    queue = deque([0])
    while queue:
        node = queue.popleft()
        if graph.tags[node] in wanted:
            return node
        for child in sorted(children.get(node, ())):
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return 0
