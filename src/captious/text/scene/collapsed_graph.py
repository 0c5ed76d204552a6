"""Collapse dependency trees: prepositions become labels, conjuncts share relations.

This is what CoreNLP 3.6.0 does to the trees that SPICE reads. Case words go into the labels of
their nouns (`nmod:in_front_of`), conjunctions into those of conjuncts (`conj:and`), and what holds
for the first conjunct (its governor, its subject) holds for the others too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from captious.text.english import ENGLISH
from captious.text.parser.parser import Sentence

Edge = tuple[int, str, int]  # governor, relation, dependent; governor 0 is the root

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
PLURALS = frozenset({"NNS", "NNPS"})

# Longer sentences are cut, so that the work stays bounded whatever the tree.
MAX_WORDS = 1000

_GRAMMAR = ENGLISH.grammar
# Two words are one preposition where both hang from the noun; some, also where the noun hangs from
# the first of them: (next (to a bed)).
_PAIRS, _TRIPLES = _GRAMMAR.PREPOSITIONS_OF_TWO_WORDS, _GRAMMAR.PREPOSITIONS_OF_THREE_WORDS
_LAST_BUT_ONE = frozenset(name.split("_")[-2] for name in _PAIRS | _TRIPLES)
_WITH_PREPOSITION = frozenset({"nmod", "acl", "advcl"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_ACTIVE_TAGS = frozenset({"VB", "VBZ", "VBP"})


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

    def add_copy(self, node: int) -> int:
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


def collapse(sentence: Sentence) -> DependencyGraph:
    """Return the collapsed graph of a parsed sentence, with relations of conjuncts propagated."""
    if len(sentence.words) > MAX_WORDS:
        sentence = _truncate(sentence)
    heads, labels = [0, *sentence.heads], ["", *sentence.labels]
    nodes = range(len(heads))
    words, tags = ("", *sentence.words), ("", *sentence.tags)
    graph = DependencyGraph(words, tags, ("", *sentence.lemmas), nodes, [])
    tree = _Tree(words, heads, labels)
    for node in nodes:
        if labels[node] in ("case", "mark") and words[node - 1] in _LAST_BUT_ONE:
            tree.join_preposition(node)
    if "conj" in labels:
        _collapse_conjunctions(graph, tree)
    else:
        named = labels.copy()
        for node, label in enumerate(labels):
            if label in _WITH_PREPOSITION:
                named[node] = tree.full_label(node)
        graph.edges = list(zip(heads[1:], named[1:], nodes[1:], strict=True))
    return graph


def _truncate(sentence: Sentence) -> Sentence:
    """Keep the first words of a sentence; dependents of later words attach to the root."""
    heads = tuple(head if head <= MAX_WORDS else 0 for head in sentence.heads[:MAX_WORDS])
    words, tags, lemmas, labels = (
        part[:MAX_WORDS]
        for part in (sentence.words, sentence.tags, sentence.lemmas, sentence.labels)
    )
    return Sentence(words, tags, lemmas, heads, labels)


class _Tree:
    """A dependency tree whose words can be reattached; children are in sentence order."""

    def __init__(self, words: Sequence[str], heads: list[int], labels: list[str]) -> None:
        self.words = words
        self.heads = heads
        self.labels = labels
        self.children: dict[int, list[int]] = {}
        for node in range(1, len(heads)):
            head = heads[node]
            if head in self.children:
                self.children[head].append(node)
            else:
                self.children[head] = [node]

    def children_of(self, node: int) -> list[int]:
        """Return the children of a node."""
        return self.children.get(node, [])

    def children_with_label(self, node: int, label: str) -> list[int]:
        """Return the children of a node with this relation."""
        labels = self.labels
        return [child for child in self.children.get(node, ()) if labels[child] == label]

    def attach(self, node: int, head: int, label: str) -> None:
        """Attach a node to another head."""
        self.labels[node] = label
        if self.heads[node] != head:
            self.children[self.heads[node]].remove(node)
            self.heads[node] = head
            self.children[head] = sorted([*self.children_of(head), node])

    def join_preposition(self, last: int) -> None:
        """Make one preposition of several words that end here, if they are one."""
        words, heads, labels = self.words, self.heads, self.labels
        middle, noun = last - 1, heads[last]
        pair = f"{words[middle]}_{words[last]}".lower()
        triple = f"{words[last - 2]}_{pair}".lower() if last > 2 else ""
        # A clause has its preposition as `mark` and hangs by `acl`.
        hangs_from_it = (labels[noun], labels[last]) in (("nmod", "case"), ("acl", "mark"))
        if pair in _PAIRS and heads[middle] == noun and labels[middle] in ("case", "advmod"):
            if (
                labels[last] == "case"
                and not self.children_of(middle)
                and not self.children_of(last)
            ):
                self.attach(middle, noun, "case")
                self.attach(last, middle, "mwe")
        elif not noun or not hangs_from_it or heads[noun] != middle:
            return
        elif triple in _TRIPLES and heads[last - 2] == middle and labels[last - 2] == "case":
            # The noun takes the place of *front* in *in front of*.
            label = labels[middle] if labels[noun] == "nmod" else labels[noun]
            self._replace_by_noun(middle, noun, label, [last - 2, middle, last])
        elif pair in _GRAMMAR.GOVERNING_PREPOSITIONS and labels[last] == "case":
            clause = labels[middle] != "dep" and self.children_with_label(middle, "cop")
            label = labels[middle] if clause or not heads[middle] else "nmod"
            self._replace_by_noun(middle, noun, label, [middle, last])

    def _replace_by_noun(self, middle: int, noun: int, label: str, preposition: list[int]) -> None:
        """Give the noun the place and the children of its head."""
        mark = self.labels[preposition[-1]]
        self.attach(noun, self.heads[middle], label)
        for child in list(self.children_of(middle)):
            if child not in preposition:
                self.attach(child, noun, self.labels[child])
        first = preposition[0]
        self.attach(first, noun, mark)
        for word in preposition[1:]:
            self.attach(word, first, "mwe")

    def full_label(self, node: int) -> str:
        """Return the relation of a node to its head, with the name of its preposition."""
        label = self.labels[node]
        if label not in _WITH_PREPOSITION:
            return label
        cases = self.children_with_label(node, "case")
        if not cases:
            return label
        if len(cases) > 1:
            # Of several prepositions the original keeps the one that it meets last.
            order = hash_order(range(len(self.heads)), self.children_of(node))
            cases = [child for child in order if self.labels[child] == "case"]
        name = self._full_expression(cases[-1])
        if name == "by" and label == "nmod" and self._is_passive(self.heads[node]):
            return "nmod:agent"
        return f"{label}:{name}"

    def conjunction(self, conjunct: int) -> int:
        """Return the conjunction before a conjunct, or the first of its head's, or 0."""
        conjunctions = self.children_with_label(self.heads[conjunct], "cc")
        before = [node for node in conjunctions if node < conjunct]
        return (before or conjunctions or [0])[-1 if before else 0]

    def conjunction_name(self, conjunction: int) -> str:
        """Return the name of a conjunction in a label: itself, or `and`, or `negcc`."""
        name = self._full_expression(conjunction)
        following = self.words[conjunction + 1 : conjunction + 2]
        pair = f"{name}_{following[0].lower()}" if following else ""
        if not {name, pair}.isdisjoint(_GRAMMAR.EXCLUDING_CONJUNCTIONS):
            return "negcc"
        if not {name, pair}.isdisjoint(_GRAMMAR.ADDING_CONJUNCTIONS):
            return "and"
        return self.words[conjunction].lower()

    def _full_expression(self, first: int) -> str:
        """Return a word and those that form one expression with it."""
        name = self.words[first]
        for other in self.children.get(first, ()):
            if self.labels[other] == "mwe":
                name = f"{name}_{self.words[other]}"
        return name.lower()

    def _is_passive(self, verb: int) -> bool:
        return any(
            self.labels[child] in ("auxpass", "nsubjpass") for child in self.children_of(verb)
        )


def _collapse_conjunctions(graph: DependencyGraph, tree: _Tree) -> None:
    """Name conjunctions, copy verbs of conjoined prepositional phrases, propagate relations."""
    heads, labels = tree.heads, tree.labels
    conjuncts = [node for node in range(1, len(heads)) if labels[node] == "conj"]
    edges: list[Edge] = []  # beside those of the tree
    named: dict[int, str] = {}  # conjuncts with a conjunction
    copies: list[tuple[int, int]] = []
    for conjunct in conjuncts:
        first, conjunction = heads[conjunct], tree.conjunction(conjunct)
        if not conjunction:
            continue
        name = f"conj:{tree.conjunction_name(conjunction)}"
        noun = heads[first] if labels[first] == "case" else first
        governor = heads[noun]
        if governor and labels[noun] == "nmod" and noun != first:
            # Above and under the water: once above it, and once, with a copy, under it.
            copy = graph.add_copy(governor)
            copies.append((copy, governor))
            preposition = graph.words[conjunct].lower()
            edges += [(governor, name, copy), (copy, f"nmod:{preposition}", noun)]
            named[conjunct] = name
        elif governor and _both_have_case(tree, noun, conjunct):
            # In the sink and on the counter: the second phrase attaches to a copy of the verb.
            copy = graph.add_copy(governor)
            copies.append((copy, governor))
            tree.attach(conjunction, governor, "cc")
            labels[conjunct] = "nmod"
            edges += [(governor, name, copy), (copy, tree.full_label(conjunct), conjunct)]
            labels[conjunct] = ""
        else:
            named[conjunct] = name
    relations = [named.get(node) or tree.full_label(node) for node in range(len(heads))]
    graph.edges = [
        (heads[node], relations[node], node) for node in range(1, len(heads)) if labels[node]
    ]
    for node, first in [*((node, heads[node]) for node in named), *copies]:
        if heads[first] and labels[first] not in ("case", ""):
            edges.append((heads[first], relations[first], node))
        edges += _shared_subjects(graph, tree, node, first)
    # What follows from two conjunctions is still said once.
    graph.edges += [edge for edge in dict.fromkeys(edges) if edge not in graph.edges]


def _both_have_case(tree: _Tree, noun: int, conjunct: int) -> bool:
    """Whether two conjoined nouns have a preposition each."""
    return tree.labels[noun] == "nmod" and all(
        any(tree.labels[child] == "case" for child in tree.children_of(node))
        for node in (noun, conjunct)
    )


def _shared_subjects(graph: DependencyGraph, tree: _Tree, node: int, first: int) -> list[Edge]:
    """Return edges to the first conjunct's subjects from a verb or adjective without subject."""
    tag, labels = graph.tags[node], tree.labels
    if tag[:1] not in ("V", "J") or any(
        labels[child] in _SUBJECTS for child in tree.children_of(node)
    ):
        return []
    edges = []
    for child in tree.children_of(first):
        label = labels[child]
        if label in _SUBJECTS:
            if node < len(labels):  # a copy has the first one's voice
                passive = any(labels[other] == "auxpass" for other in tree.children_of(node))
                if label == "nsubj" and passive:
                    label = "nsubjpass"
                elif (
                    label == "nsubjpass" and not passive and (tag in _ACTIVE_TAGS or tag[0] == "J")
                ):
                    label = "nsubj"
            edges.append((node, label, child))
    return edges
