# cython: annotation_typing=False
"""SPICE's rules, which read scene tuples from the collapsed dependency graph of a sentence.

The rules and their order are SPICE 1.0's, and so is the order in which each rule visits words,
because what comes first matters when tuples are merged.
"""

from __future__ import annotations

from typing import Any

# Relations that rules read; others are 0. From DIRECT on they may lead to what a verb acts on, from
# POSSESSOR on they are `nmod:x`, from NAMED on x is a preposition.
SUBJECT = 1
PASSIVE_SUBJECT = 2
CLAUSE = 3
ADJECTIVE = 4
COPULA = 5
CASE = 6
COMPOUND = 7
PARTICLE = 8
EXPRESSION = 9
NUMERAL = 10
QUANTIFIER = 11
DIRECT = 12
INDIRECT = 13
POSSESSOR = 14
AGENT = 15
NAMED = 16
LABELS = (
    "nsubj",
    "nsubjpass",
    "acl",
    "amod",
    "cop",
    "case",
    "compound",
    "compound:prt",
    "mwe",
    "nummod",
    "det:qmod",
    "dobj",
    "iobj",
    "nmod:poss",
    "nmod:agent",
)  # in the order of their numbers
# What is known of tags, and what is found out of nodes: bits.
NOUN = 1
PLURAL = 2
VERB = 4
ADJECTIVAL = 8
COMPOUNDED = 16  # a noun of a compound, which is no object by itself
ROOT = 32
SUBJECT_OF_VERB = 64
COUNTED_ALONE = 128  # no plural object beside it
NOT_COUNTED = 256  # object of a plural subject
# Rules, in the order of their tuples.
ACTIONS = 0
CLAUSES = 1
STATES = 2
COPULAS = 3
ADJECTIVES = 4
PREDICATES = 5
PLACES = 6
POSSESSIONS = 7
PASSIVES = 8
NUMBERS = 9
COMPOUNDS = 10
OBJECTS = 11
# Of nodes while they are put in order.
ENTERED = 1
LEFT = 2


def _integers(size: int) -> Any:
    return memoryview(bytearray(4 * size)).cast("i")


class SceneRules:
    """The rules, applied to one sentence after the other.

    `nouns` and `plurals` are tags.
    """

    def __init__(self, nouns: Any, plurals: Any) -> None:
        self.nouns = nouns
        self.plurals = plurals
        self.codes = {label: place + 1 for place, label in enumerate(LABELS)}
        self.bits_of: dict[str, int] = {}
        self.prepositions: list[str] = []
        self.node_capacity = 0
        self.edge_capacity = 0

    def apply(
        self, words: Any, tags: Any, lemmas: Any, tokens: Any, edges: Any, sentence: Any
    ) -> Any:
        """Return the tuples of a graph; `sentence` counts those before it in the caption.

        Node i has the i-th word, tag, lemma and token, and an edge a governor, a relation and a
        dependent. Node 0 is the root.
        """
        self.words = words
        self.lemmas = lemmas
        self.names = [lemma.lower() for lemma in lemmas]
        self.rules: list[list[Any]] = [[] for _ in range(OBJECTS + 1)]
        self._load(tags, tokens, edges)
        self._order_children(sentence)
        self._order_nodes(sentence)
        for place in range(self.size - 1):
            node = self.order[place]
            if self.starts[node] < self.starts[node + 1]:
                self._add_subjects(node)
                self._add_clauses(node)
                if self.bits[node] & NOUN:
                    self._add_noun_modifiers(node)
                self._add_adjectives(node)
                if self.bits[node] & VERB:
                    self._add_passives(node)
        self._add_numbers()
        for place in range(self.size - 1):
            node = self.order[place]
            if self.bits[node] & NOUN and not self.bits[node] & COMPOUNDED:
                self.rules[OBJECTS].append((self.names[node],))
        return [names for tuples in self.rules for names in tuples]

    def _reserve(self, nodes: Any, edges: Any) -> None:
        """Make room for a graph."""
        if nodes >= self.node_capacity:
            self.node_capacity = 2 * nodes + 2
            self.tokens = _integers(self.node_capacity)
            self.bits = _integers(self.node_capacity)
            self.starts = _integers(self.node_capacity)
            self.order = _integers(self.node_capacity)
            self.keys = _integers(self.node_capacity)
            self.firsts = _integers(self.node_capacity)
            self.states = _integers(self.node_capacity)
            self.stack = _integers(self.node_capacity)
            self.next_edge = _integers(self.node_capacity)
        if edges >= self.edge_capacity:
            self.edge_capacity = 2 * edges + 2
            self.children = _integers(self.edge_capacity)
            self.labels = _integers(self.edge_capacity)

    def _code(self, label: Any) -> Any:
        """Number a relation that is met for the first time."""
        code = 0
        if label.startswith("nmod:"):
            self.prepositions.append(label[len("nmod:") :].replace("_", " "))
            code = NAMED - 1 + len(self.prepositions)
        self.codes[label] = code
        return code

    def _tag_bits(self, tag: Any) -> Any:
        """Find out about a tag that is met for the first time."""
        bits = 0
        if tag in self.nouns:
            bits |= NOUN
        if tag in self.plurals:
            bits |= PLURAL
        if tag.startswith("V"):
            bits |= VERB
        if tag.startswith("J"):
            bits |= ADJECTIVAL
        self.bits_of[tag] = bits
        return bits

    def _load(self, tags: Any, tokens: Any, edges: Any) -> None:
        """Copy a graph, with the edges below the root apart and the others by governor."""
        size = len(tags)
        self._reserve(size, len(edges))
        self.size = size
        for node in range(size):
            known = self.bits_of.get(tags[node])
            self.bits[node] = self._tag_bits(tags[node]) if known is None else known
            self.tokens[node] = tokens[node]
            self.starts[node] = 0
            self.next_edge[node] = 0
        self.starts[size] = 0
        self.is_ascending = True
        last = 0
        for governor, _, child in edges:
            if governor:
                self.starts[governor + 1] += 1
            else:
                self.bits[child] |= ROOT
            if child <= last:
                self.is_ascending = False
            last = child
        for node in range(size):
            self.starts[node + 1] += self.starts[node]
        for governor, label, child in edges:
            if governor:
                place = self.starts[governor] + self.next_edge[governor]
                self.next_edge[governor] += 1
                known = self.codes.get(label)
                self.labels[place] = self._code(label) if known is None else known
                self.children[place] = child

    def _mask(self, nodes: Any) -> Any:
        """Return the highest slot of a hash map of some nodes."""
        slots = 16
        while nodes * 4 > slots * 3:
            slots *= 2
        return slots - 1

    def _order_children(self, sentence: Any) -> None:
        """Put each node's children in the order in which a Java hash map of them is walked."""
        if not sentence and self.size <= 16 and self.is_ascending:
            return
        for node in range(1, self.size):
            start = self.starts[node]
            end = self.starts[node + 1]
            distinct = 0
            for place in range(start, end):
                self.firsts[self.children[place]] = 0
            for place in range(start, end):
                if self.firsts[self.children[place]] == 0:
                    distinct += 1
                    self.firsts[self.children[place]] = distinct
            mask = self._mask(distinct)
            for place in range(start, end):
                child = self.children[place]
                self.keys[child] = (self.tokens[child] + 29 * sentence) & mask
            for place in range(start + 1, end):
                child = self.children[place]
                label = self.labels[place]
                target = place
                while target > start and self._comes_before(child, self.children[target - 1]):
                    self.children[target] = self.children[target - 1]
                    self.labels[target] = self.labels[target - 1]
                    target -= 1
                self.children[target] = child
                self.labels[target] = label

    def _comes_before(self, node: Any, other: Any) -> Any:
        """Whether a hash map has a node before another; in one slot, what was first stays so."""
        if self.keys[node] != self.keys[other]:
            return self.keys[node] < self.keys[other]
        return self.firsts[node] < self.firsts[other]

    def _order_nodes(self, sentence: Any) -> None:
        """Order nodes from governors to dependents, or as a hash map has them if cyclic."""
        count = self.size - 1
        for place in range(count):
            self.order[place] = place + 1
            self.states[place + 1] = 0
        if sentence or self.size != self.tokens[count] + 1:
            mask = self._mask(count)
            for node in range(1, self.size):
                self.keys[node] = (self.tokens[node] + 29 * sentence) & mask
                self.firsts[node] = node
                target = node - 1
                while target > 0 and self._comes_before(node, self.order[target - 1]):
                    self.order[target] = self.order[target - 1]
                    target -= 1
                self.order[target] = node
        # Nodes are left in reverse; they are written behind each other from the end.
        free = count
        for place in range(count):
            self.firsts[place] = self.order[place]
        for place in range(count):
            if self.states[self.firsts[place]]:
                continue
            depth = 1
            self.stack[0] = self.firsts[place]
            self.states[self.stack[0]] = ENTERED
            self.next_edge[self.stack[0]] = self.starts[self.stack[0]]
            while depth:
                node = self.stack[depth - 1]
                if self.next_edge[node] == self.starts[node + 1]:
                    depth -= 1
                    self.states[node] = LEFT
                    free -= 1
                    self.order[free] = node
                    continue
                child = self.children[self.next_edge[node]]
                self.next_edge[node] += 1
                if self.states[child] == ENTERED:
                    for back in range(count):
                        self.order[back] = self.firsts[back]
                    return
                if self.states[child] == 0:
                    self.states[child] = ENTERED
                    self.next_edge[child] = self.starts[child]
                    self.stack[depth] = child
                    depth += 1

    def _first(self, node: Any, label: Any) -> Any:
        """Return the first child with a relation, or 0."""
        for place in range(self.starts[node], self.starts[node + 1]):
            if self.labels[place] == label:
                return self.children[place]
        return 0

    def _is_object(self, place: Any, bits: Any) -> Any:
        """Whether an edge leads to a noun that a verb may act on, with some of the bits."""
        if self.labels[place] < DIRECT or not self.bits[self.children[place]] & NOUN:
            return False
        return self.bits[self.children[place]] & bits != 0

    def _first_object(self, node: Any, bits: Any) -> Any:
        """Return the first edge to an object with some of the bits, or -1."""
        for place in range(self.starts[node], self.starts[node + 1]):
            if self._is_object(place, bits):
                return place
        return -1

    def _first_plural(self, node: Any) -> Any:
        """Return the first plural subject, or 0."""
        for place in range(self.starts[node], self.starts[node + 1]):
            if self.labels[place] == SUBJECT and self.bits[self.children[place]] & PLURAL:
                return self.children[place]
        return 0

    def _verb(self, verb: Any) -> Any:
        """Return a verb with its particles."""
        name = self.lemmas[verb]
        for place in range(self.starts[verb], self.starts[verb + 1]):
            if self.labels[place] == PARTICLE:
                name = f"{name} {self.lemmas[self.children[place]]}"
        return name

    def _add_actions(self, rule: Any, subject: Any, verb: Any) -> None:
        """Add the actions of a subject on each object of a verb."""
        name = self._verb(verb)
        for place in range(self.starts[verb], self.starts[verb + 1]):
            if self._is_object(place, NOUN):
                action = name
                if self.labels[place] >= NAMED:
                    action = f"{name} {self.prepositions[self.labels[place] - NAMED]}"
                child = self.children[place]
                self.rules[rule].append((self.names[subject], self.names[child], action))

    def _add_subjects(self, node: Any) -> None:
        """Add actions, states and places of the subjects of a verb or predicate."""
        if self._first(node, SUBJECT) == 0:
            return
        copula = self._first(node, COPULA)
        case = self._first(node, CASE)
        acts = copula == 0 and self._first_object(node, NOUN) >= 0
        is_state = not acts and (case or self.names[node] != "be")
        for place in range(self.starts[node], self.starts[node + 1]):
            if self.labels[place] == SUBJECT:
                child = self.children[place]
                if self.bits[child] & NOUN and acts:
                    self._add_actions(ACTIONS, child, node)
                elif self.bits[child] & NOUN and is_state:
                    self._add_state(child, node, case)
                if self.bits[node] & ADJECTIVAL:
                    self.rules[PREDICATES].append((self.names[child], self.names[node]))

    def _add_state(self, subject: Any, predicate: Any, case: Any) -> None:
        """Add the state or the place of a subject, once for each copula."""
        state: tuple[Any, ...] = (self.names[subject], self.names[predicate])
        if case:
            preposition = self.words[case].lower()
            for node in range(1, self.size):
                for place in range(self.starts[case], self.starts[case + 1]):
                    if self.children[place] == node and self.labels[place] == EXPRESSION:
                        preposition = f"{preposition} {self.words[node].lower()}"
            state = (*state, preposition)
        has_copula = False
        for place in range(self.starts[predicate], self.starts[predicate + 1]):
            if self.labels[place] == COPULA:
                has_copula = True
                self.rules[COPULAS].append(state)
        if not has_copula:
            self.rules[STATES].append(state)

    def _add_clauses(self, noun: Any) -> None:
        """Add actions of a noun in clauses that modify it: *a man riding a horse*."""
        for place in range(self.starts[noun], self.starts[noun + 1]):
            if self.labels[place] == CLAUSE and self.bits[self.children[place]] & VERB:
                self._add_actions(CLAUSES, noun, self.children[place])

    def _add_adjectives(self, node: Any) -> None:
        for place in range(self.starts[node], self.starts[node + 1]):
            if self.labels[place] == ADJECTIVE:
                child = self.children[place]
                self.rules[ADJECTIVES].append((self.names[node], self.names[child]))

    def _add_noun_modifiers(self, noun: Any) -> None:
        """Add places, possessors and compounds of a noun."""
        name = self.names[noun]
        for place in range(self.starts[noun], self.starts[noun + 1]):
            child = self.children[place]
            label = self.labels[place]
            if label >= NAMED:
                preposition = self.prepositions[label - NAMED]
                self.rules[PLACES].append((name, self.names[child], preposition))
            elif self.bits[child] & NOUN and label == POSSESSOR:
                self.rules[POSSESSIONS].append((self.names[child], name, "have"))
            elif self.bits[child] & NOUN and label == COMPOUND:
                self.rules[COMPOUNDS].append((name, self.names[child]))
                self.bits[noun] |= COMPOUNDED
                self.bits[child] |= COMPOUNDED

    def _add_passives(self, verb: Any) -> None:
        """Add actions of the agents of a passive verb on its subjects."""
        for place in range(self.starts[verb], self.starts[verb + 1]):
            agent = self.children[place]
            if self.labels[place] == AGENT and self.bits[agent] & NOUN:
                for other in range(self.starts[verb], self.starts[verb + 1]):
                    child = self.children[other]
                    if self.labels[other] == PASSIVE_SUBJECT and self.bits[child] & NOUN:
                        self.rules[PASSIVES].append(
                            (self.names[agent], self.names[child], self._verb(verb))
                        )

    def _add_numbers(self) -> None:
        """Add the numbers of plural nouns."""
        has_numbers = False
        for node in range(1, self.size):
            if self.bits[node] & PLURAL and (
                self._first(node, NUMERAL) or self._first(node, QUANTIFIER)
            ):
                has_numbers = True
        if not has_numbers:
            return
        for node in range(1, self.size):
            self._mark_subjects(node)
        for place in range(self.size - 1):
            self._add_numbers_beside_verb(self.order[place])
        for place in range(self.size - 1):
            node = self.order[place]
            if self.bits[node] & PLURAL and self.bits[node] & (ROOT | COUNTED_ALONE):
                self._add_number(node, True)
        for place in range(self.size - 1):
            node = self.order[place]
            if self.bits[node] & PLURAL and not self.bits[node] & (
                ROOT | SUBJECT_OF_VERB | NOT_COUNTED
            ):
                self._add_number(node, True)

    def _mark_subjects(self, verb: Any) -> None:
        """Note which subjects and objects of a verb are counted by themselves."""
        if self._first(verb, SUBJECT) == 0:
            return
        is_counted = self._first_object(verb, PLURAL) < 0
        has_plural = self._first_plural(verb) != 0
        for place in range(self.starts[verb], self.starts[verb + 1]):
            child = self.children[place]
            if self.labels[place] == SUBJECT:
                self.bits[child] |= SUBJECT_OF_VERB
                if is_counted:
                    self.bits[child] |= COUNTED_ALONE
            elif has_plural and self._is_object(place, NOUN):
                self.bits[child] |= NOT_COUNTED

    def _add_numbers_beside_verb(self, verb: Any) -> None:
        """Add the numbers of a verb's first plural subject and object, where it has both.

        Behind a preposition it is the first noun that counts, and no quantifier.
        """
        subject = self._first_plural(verb)
        place = self._first_object(verb, PLURAL)
        if subject and place >= 0:
            label = self.labels[place]
            self._add_number(subject, True)
            if label >= POSSESSOR:
                self._add_number(self._first(verb, label), False)
            else:
                self._add_number(self.children[place], True)

    def _add_number(self, noun: Any, with_quantifier: Any) -> None:
        """Add the number of a noun, if it stands before it, or else its quantifier."""
        number = self._first(noun, NUMERAL)
        if number:
            if self.tokens[number] >= self.tokens[noun]:
                return
        elif with_quantifier:
            number = self._first(noun, QUANTIFIER)
        if number:
            self.rules[NUMBERS].append((self.names[noun], self.names[number]))
