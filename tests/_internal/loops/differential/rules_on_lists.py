"""SPICE's rules on lists of children by relation, sentence by sentence, one rule a method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from operator import attrgetter, lt

from captious.text.scene.collapsed_graph import NOUNS, PLURALS, DependencyGraph, hash_order
from captious.text.scene.scene_tuples import SceneTuple

_UNNAMED = frozenset({"nmod:poss", "nmod:agent"})  # relations that do not name a preposition


def rules_tuples(graph: DependencyGraph, sentence: int) -> list[SceneTuple]:
    """Return the tuples of one sentence."""
    return _Rules(graph, sentence).apply()


class _Children(dict[str, list[int]]):
    """A node's children, by relation."""

    __slots__ = ("nmods", "objects")

    def __init__(self, children: Iterable[tuple[int, str]], is_noun: Sequence[bool]) -> None:
        self.nmods: list[tuple[int, str]] = []
        self.objects: list[tuple[int, str]] = []  # nouns, by `dobj`, `iobj` or `nmod:x`
        for child, label in children:
            if label in self:
                self[label].append(child)
            else:
                self[label] = [child]
            is_nmod = label.startswith("nmod:")
            if is_nmod:
                self.nmods.append((child, label))
            if (is_nmod or label in ("dobj", "iobj")) and is_noun[child]:
                self.objects.append((child, label))


_NONE = _Children((), ())


@dataclass(slots=True)
class _TuplesByRule:
    """The tuples of a sentence by the rule that gives them; the fields are in SPICE's order."""

    actions: list[SceneTuple] = field(default_factory=list)
    clauses: list[SceneTuple] = field(default_factory=list)
    states: list[SceneTuple] = field(default_factory=list)
    copulas: list[SceneTuple] = field(default_factory=list)
    adjectives: list[SceneTuple] = field(default_factory=list)
    predicates: list[SceneTuple] = field(default_factory=list)
    places: list[SceneTuple] = field(default_factory=list)
    possessions: list[SceneTuple] = field(default_factory=list)
    passives: list[SceneTuple] = field(default_factory=list)
    numbers: list[SceneTuple] = field(default_factory=list)
    compounds: list[SceneTuple] = field(default_factory=list)
    objects: list[SceneTuple] = field(default_factory=list)

    def in_order(self) -> list[SceneTuple]:
        """Return all tuples, rule by rule."""
        return list(chain.from_iterable(_BY_RULE(self)))


_BY_RULE = attrgetter(*(rule.name for rule in fields(_TuplesByRule)))


class _Rules:
    """The rules, applied to one sentence."""

    def __init__(self, graph: DependencyGraph, sentence: int) -> None:
        self.graph = graph
        self.names = [lemma.lower() for lemma in graph.lemmas]
        self.is_noun = [tag in NOUNS for tag in graph.tags]
        edges = _sorted_children(graph, sentence)
        self.order = _visiting_order(graph, edges, sentence)
        self.children = {node: _Children(edges[node], self.is_noun) for node in edges}
        self.tuples = _TuplesByRule()
        self.compounded: set[int] = set()  # nouns of compounds, which are no objects by themselves

    def apply(self) -> list[SceneTuple]:
        """Apply all rules and return the tuples, rule by rule."""
        tuples, children, tags = self.tuples, self.children, self.graph.tags
        for node in self.order:
            of = children.get(node)
            if of is None:
                continue
            if "nsubj" in of:
                self._add_subjects(node, of)
            if "acl" in of:
                self._add_clauses(node, of)
            if "amod" in of:
                self._add_adjectives(node, of)
            if self.is_noun[node]:
                self._add_noun_modifiers(node, of)
            if "nsubjpass" in of and tags[node].startswith("V"):
                self._add_passives(node, of)
        tuples.numbers += self._numbers()
        self._add_objects()
        return tuples.in_order()

    def _add_subjects(self, node: int, of: _Children) -> None:
        """Add actions, states and places of the subjects of a verb or predicate."""
        names, tuples = self.names, self.tuples
        subjects = [child for child in of["nsubj"] if self.is_noun[child]]
        if of.objects and "cop" not in of:
            tuples.actions += [t for child in subjects for t in self._actions(child, node, of)]
        elif "case" in of or names[node] != "be":
            states = [self._state(child, node, of) for child in subjects]
            if "cop" in of:
                tuples.copulas += [state for state in states for _ in of["cop"]]
            else:
                tuples.states += states
        if self.graph.tags[node].startswith("J"):
            tuples.predicates += [(names[child], names[node]) for child in of["nsubj"]]

    def _add_clauses(self, noun: int, of: _Children) -> None:
        """Add actions of a noun in clauses that modify it: *a man riding a horse*."""
        for verb in of["acl"]:
            if self.graph.tags[verb].startswith("V"):
                self.tuples.clauses += self._actions(noun, verb, self.children.get(verb, _NONE))

    def _add_adjectives(self, node: int, of: _Children) -> None:
        names = self.names
        self.tuples.adjectives += [(names[node], names[child]) for child in of["amod"]]

    def _add_noun_modifiers(self, noun: int, of: _Children) -> None:
        """Add places, possessors and compounds of a noun."""
        names, is_noun, tuples = self.names, self.is_noun, self.tuples
        for child, label in of.nmods:
            if label not in _UNNAMED:
                tuples.places.append((names[noun], names[child], _preposition(label)))
            elif label == "nmod:poss" and is_noun[child]:
                tuples.possessions.append((names[child], names[noun], "have"))
        for child in of.get("compound", ()):
            if is_noun[child]:
                tuples.compounds.append((names[noun], names[child]))
                self.compounded |= {noun, child}

    def _add_passives(self, verb: int, of: _Children) -> None:
        """Add actions of the agents of a passive verb on its subjects."""
        names = self.names
        agents = [child for child, label in of.objects if label == "nmod:agent"]
        self.tuples.passives += [
            (names[agent], names[child], self._verb(verb, of))
            for agent in agents
            for child in of["nsubjpass"]
            if self.is_noun[child]
        ]

    def _add_objects(self) -> None:
        names, is_noun, compounded = self.names, self.is_noun, self.compounded
        nouns = [node for node in self.order if is_noun[node] and node not in compounded]
        self.tuples.objects += [(names[noun],) for noun in nouns]

    def _actions(self, subject: int, verb: int, of: _Children) -> list[SceneTuple]:
        """Return the actions of a subject on each object of a verb."""
        name = self._verb(verb, of)
        return [
            (
                self.names[subject],
                self.names[child],
                name
                if label in _UNNAMED or not label.startswith("nmod:")
                else f"{name} {_preposition(label)}",
            )
            for child, label in of.objects
        ]

    def _verb(self, verb: int, of: _Children) -> str:
        """Return a verb with its particles."""
        lemmas = self.graph.lemmas
        return " ".join([lemmas[verb], *(lemmas[child] for child in of.get("compound:prt", ()))])

    def _state(self, subject: int, predicate: int, of: _Children) -> SceneTuple:
        """Return the state or the place of a subject."""
        if "case" not in of:
            return (self.names[subject], self.names[predicate])
        first, words = of["case"][0], self.graph.words
        more = [child for child, label in self._edges(first) if label == "mwe"]
        preposition = " ".join(words[node].lower() for node in [first, *more])
        return (self.names[subject], self.names[predicate], preposition)

    def _edges(self, node: int) -> list[tuple[int, str]]:
        return sorted((e[2], e[1]) for e in self.graph.edges if e[0] == node)

    def _numbers(self) -> list[SceneTuple]:
        """Return the numbers of plural nouns."""
        plural = [tag in PLURALS for tag in self.graph.tags]
        if not any(
            plural[node] and ("nummod" in of or "det:qmod" in of)
            for node, of in self.children.items()
        ):
            return []
        roots = {child for governor, _, child in self.graph.edges if not governor}
        predicates = [
            of for node in self.order if (of := self.children.get(node)) and "nsubj" in of
        ]
        subjects = {child for of in predicates for child in of["nsubj"]}
        counted_alone = roots.copy()  # no plural object beside them
        not_counted: set[int] = set()  # objects of a plural subject
        for of in predicates:
            if not any(plural[child] for child, _ in of.objects):
                counted_alone.update(of["nsubj"])
            if any(plural[child] for child in of["nsubj"]):
                not_counted.update(child for child, _ in of.objects)
        plurals = [node for node in self.order if plural[node]]
        alone = [node for node in plurals if node in counted_alone]
        others = [node for node in plurals if node not in subjects | roots | not_counted]
        return [
            *(pair for of in predicates for pair in self._numbers_beside_verb(of, plural)),
            *(pair for node in [*alone, *others] for pair in self._number(node)),
        ]

    def _numbers_beside_verb(self, of: _Children, plural: Sequence[bool]) -> list[SceneTuple]:
        """Return the numbers of a verb's first plural subject and object, where it has both.

        Behind a preposition it is the first noun that counts, and no quantifier.
        """
        subject = next((child for child in of["nsubj"] if plural[child]), None)
        first = next((each for each in of.objects if plural[each[0]]), None)
        if subject is None or first is None:
            return []
        child, label = first
        if not label.startswith("nmod:"):
            return self._number(subject) + self._number(child)
        child = next(other for other, name in of.nmods if name == label)
        return self._number(subject) + self._number(child, quantifiers=False)

    def _number(self, noun: int, quantifiers: bool = True) -> list[SceneTuple]:
        of, tokens = self.children.get(noun, _NONE), self.graph.tokens
        if "nummod" in of:
            number = of["nummod"][0]
            return [(self.names[noun], self.names[number])] * (tokens[number] < tokens[noun])
        if "det:qmod" in of and quantifiers:
            return [(self.names[noun], self.names[of["det:qmod"][0]])]
        return []


def _preposition(label: str) -> str:
    """Return the preposition in a label."""
    return label[len("nmod:") :].replace("_", " ")


def _sorted_children(graph: DependencyGraph, sentence: int) -> dict[int, list[tuple[int, str]]]:
    """Return every node's children with their relations, in the original's order."""
    children: dict[int, list[tuple[int, str]]] = {}
    for governor, label, child in graph.edges:
        if governor:
            if governor in children:
                children[governor].append((child, label))
            else:
                children[governor] = [(child, label)]
    dependents = [edge[2] for edge in graph.edges]
    if sentence or len(graph.words) > 16 or not all(map(lt, dependents, dependents[1:])):
        for governor, edges in children.items():
            if len(edges) > 1:
                nodes = list(dict.fromkeys(child for child, _ in edges))
                place = {
                    node: place
                    for place, node in enumerate(hash_order(graph.tokens, nodes, sentence))
                }
                children[governor] = sorted(edges, key=lambda edge: place[edge[0]])
    return children


def _visiting_order(
    graph: DependencyGraph, children: dict[int, list[tuple[int, str]]], sentence: int
) -> list[int]:
    """Return the nodes from governors to dependents, or in a hash map's order if cyclic."""
    nodes = list(range(1, len(graph.words)))
    if sentence or len(graph.tokens) != graph.tokens[-1] + 1:
        nodes = hash_order(graph.tokens, nodes, sentence)
    entered = bytearray(len(graph.words))
    left = bytearray(len(graph.words))
    order: list[int] = []
    for start in nodes:
        if entered[start]:
            continue
        entered[start] = 1
        stack = [(start, iter(children.get(start, ())))]
        while stack:
            node, remaining = stack[-1]
            for child, _ in remaining:
                if not entered[child]:
                    entered[child] = 1
                    if child in children:
                        stack.append((child, iter(children[child])))
                        break
                    left[child] = 1
                    order.append(child)
                elif not left[child]:
                    return nodes
            else:
                stack.pop()
                left[node] = 1
                order.append(node)
    order.reverse()
    return order
