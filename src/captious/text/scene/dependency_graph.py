"""A sentence's words and the relations between them, no longer bound to be a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Edge = tuple[int, str, int]  # governor, relation, dependent; governor 0 is the root


@dataclass(slots=True)
class DependencyGraph:
    """Nodes, each a word with its tag and lemma, and labelled edges between them.

    Node i is the sentence's i-th word; node 0 stands for the root. A word may have copies (*on the
    table and in the box* stands for two verbs), which are nodes behind the last word: `tokens` has
    the word of every node.
    """

    words: Sequence[str]
    tags: Sequence[str]
    lemmas: Sequence[str]
    tokens: Sequence[int]
    edges: list[Edge]

    def copy_of(self, node: int) -> int:
        """Add another node for the same word, without edges, and return it."""
        made = len(self.words)
        self.words = [*self.words, self.words[node]]
        self.tags = [*self.tags, self.tags[node]]
        self.lemmas = [*self.lemmas, self.lemmas[node]]
        self.tokens = [*self.tokens, self.tokens[node]]
        return made


def hash_order(tokens: Sequence[int], nodes: list[int], sentence: int = 0) -> list[int]:
    """Nodes in the order in which a Java hash map of them is walked.

    The original walks children and nodes in that order, and what it finds first wins. A node's
    hash is its word's place, 29 more for each sentence before; the table has a power of two of
    slots and grows when it is three quarters full. Nodes that share a slot stay as given.
    """
    slots = 16
    while len(nodes) * 4 > slots * 3:
        slots *= 2
    start, mask = 29 * sentence, slots - 1
    return sorted(nodes, key=lambda node: (tokens[node] + start) & mask)
