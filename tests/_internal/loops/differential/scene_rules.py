"""SPICE's rules as a loop beside rules on lists, on graphs of any shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from captious.text.scene.collapsed_graph import NOUNS, PLURALS, DependencyGraph, Edge
from captious.text.scene.scene_tuples import SceneTuple
from tests._internal.loops.differential.rules_on_lists import rules_tuples
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.uncompiled import Loops

LABELS = "nsubj nsubjpass acl amod cop case compound compound:prt nummod det:qmod mwe dobj".split()
LABELS += "iobj nmod:poss nmod:agent nmod:on nmod:in_front_of nmod det advmod conj:and".split()
# Relations that one rule reads together.
FAMILIES = [
    ["nsubj", "cop", "case", "mwe"],
    ["nsubj", "dobj", "nummod", "det:qmod"],
    ["nsubj", "nmod:on", "nmod:agent", "nummod"],
    ["nsubjpass", "nmod:agent", "compound:prt"],
]
TAGS = ["NN", "NNS", "VBZ", "VBN", "JJ", "IN", "CD"]
WORDS = ["Dog", "dogs", "be", "is", "Two", "red", "on"]

Problem = list[tuple[DependencyGraph, int]]  # with the number of sentences before


def draw_graph(random: np.random.Generator, size: int, copies: int, is_tree: bool) -> Any:
    """Draw a graph: a tree, or with edges between any two nodes; copies stand behind the words."""
    # Few different ones, so that several are in one place.
    families = [*FAMILIES, random.permutation(LABELS)[:6].tolist()]
    labels = families[random.integers(len(families))]
    words = ["", *random.choice(WORDS, size)]
    tags = ["", *random.choice(random.permutation(TAGS)[:3], size)]
    tokens = [*range(size + 1), *(random.integers(1, size + 1, copies) if size else [])]
    nodes = range(1, len(tokens))
    edges: list[Edge] = []
    for node in nodes if is_tree else random.integers(1, len(tokens), 2 * size).tolist():
        governor = int(random.integers(node if is_tree else len(tokens)))
        label = str(random.choice(labels)) if governor else "root"
        edges.append((governor, label, node))
    words, tags = ([str(column[token]) for token in tokens] for column in (words, tags))
    return DependencyGraph(words, tags, words, [int(token) for token in tokens], edges)


class SceneRuleLoop(Trial):
    """Graphs of no word and more; from 17 nodes on their order is a hash map's."""

    loops = ("scene_rules",)
    boundaries: ClassVar = {"nodes": (1, 12, 16, 17, 25)}

    def short(self) -> Sequence[Any]:
        random = np.random.default_rng(0)
        return [
            [
                (draw_graph(random, size, copies, is_tree), sentence)
                for size in (1, 2, 5, 9, 20)
                for copies in (0, 2)
                for is_tree in (True, False)
                for sentence in (0, 1)
            ]
            for _ in range(40)
        ]

    def long(self) -> Sequence[Any]:
        random = np.random.default_rng(1)
        return [
            [
                (draw_graph(random, size, copies, is_tree), sentence)
                for size in (3, 11, 12, 15, 16, 24, 25, 70)
                for copies in (0, 1, 5)
                for is_tree in (True, False)
                for sentence in (0, 3)
            ]
            for _ in range(20)
        ]

    def answer(self, loops: Loops, problem: Problem) -> list[list[SceneTuple]]:
        rules = loops["scene_rules"].SceneRules(NOUNS, PLURALS)
        return [
            rules.apply(graph.words, graph.tags, graph.lemmas, graph.tokens, graph.edges, sentence)
            for graph, sentence in problem
        ]

    def check(self, problem: Problem, answer: list[list[SceneTuple]]) -> None:
        assert answer == [rules_tuples(graph, sentence) for graph, sentence in problem]

    def sizes(self, problem: Problem) -> list[dict[str, int]]:
        return [{"nodes": len(graph.words)} for graph, _ in problem]
