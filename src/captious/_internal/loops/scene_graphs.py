"""Scene graphs of many images at once: tuples merged into concepts, and concepts matched.

A name has meanings: its synsets, ascending, and last a number that stands for the name itself. So
two names are similar if they share a meaning, and two concepts if names of theirs are.

Arguments are memory views of zeros; numbers of concepts, words and entries count from 1, 0 is none.
"""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

# Columns of concepts; of the three linked lists a concept has the first and the last.
KIND = 0
WORDS = 1
SYNSETS = 3  # how many an object has
FOLLOWING = 4  # attribute or relation of the same object
TARGET = 5  # a relation's other object
ATTRIBUTES = 6
RELATIONS = 8
# Kinds of concepts, and their columns among counts.
OBJECT = 1
ATTRIBUTE = 2
RELATION = 3
# Columns of words, and of entries, each an object that has a meaning.
NAME = 0
OWNER = 0
NEXT = 1
MEANING = 2


class Graphs:
    """The concepts of graphs, graph after graph: `offsets` has each graph's last."""

    def __init__(
        self, concepts: Any, words: Any, offsets: Any, meanings: Any, starts: Any, categories: Any
    ) -> None:
        self.concepts = concepts
        self.words = words
        self.offsets = offsets
        self.meanings = meanings
        self.starts = starts
        self.categories = categories
        self.concept_count = 0
        self.word_count = 0

    def add_concept(self, kind: Any, target: Any) -> Any:
        """Add a concept without words, and return its number."""
        self.concept_count += 1
        self.concepts[self.concept_count, KIND] = kind
        self.concepts[self.concept_count, TARGET] = target
        return self.concept_count

    def add_word(self, concept: Any, name: Any) -> None:
        """Add a name to a concept that may have it."""
        word = self.concepts[concept, WORDS]
        while word:
            if self.words[word, NAME] == name:
                return
            word = self.words[word, NEXT]
        self.word_count += 1
        self.words[self.word_count, NAME] = name
        if self.concepts[concept, WORDS]:
            self.words[self.concepts[concept, WORDS + 1], NEXT] = self.word_count
        else:
            self.concepts[concept, WORDS] = self.word_count
        self.concepts[concept, WORDS + 1] = self.word_count

    def merge_or_add(self, owner: Any, column: Any, target: Any, name: Any) -> None:
        """Add a name to the first similar attribute or relation of an object, or a new one.

        A relation that has the very name goes before one that is similar.
        """
        similar = 0
        concept = self.concepts[owner, column]
        while concept:
            if self.concepts[concept, TARGET] == target:
                word = self.concepts[concept, WORDS]
                while word:
                    if target and self.words[word, NAME] == name:
                        return
                    if similar == 0 and self.shares_meaning(name, self, self.words[word, NAME]):
                        similar = concept
                    word = self.words[word, NEXT]
            concept = self.concepts[concept, FOLLOWING]
        if similar == 0:
            similar = self.add_concept(RELATION if target else ATTRIBUTE, target)
            if self.concepts[owner, column]:
                self.concepts[self.concepts[owner, column + 1], FOLLOWING] = similar
            else:
                self.concepts[owner, column] = similar
            self.concepts[owner, column + 1] = similar
        self.add_word(similar, name)

    def shares_meaning(self, name: Any, others: Any, other_name: Any) -> Any:
        """Whether two names share a meaning."""
        place = self.starts[name]
        other_place = others.starts[other_name]
        while place < self.starts[name + 1] and other_place < others.starts[other_name + 1]:
            if self.meanings[place] == others.meanings[other_place]:
                return True
            if self.meanings[place] < others.meanings[other_place]:
                place += 1
            else:
                other_place += 1
        return False

    def is_similar(self, concept: Any, others: Any, other: Any) -> Any:
        """Whether a concept is similar to one of other graphs."""
        word = self.concepts[concept, WORDS]
        while word:
            other_word = others.concepts[other, WORDS]
            while other_word:
                if self.shares_meaning(
                    self.words[word, NAME], others, others.words[other_word, NAME]
                ):
                    return True
                other_word = others.words[other_word, NEXT]
            word = self.words[word, NEXT]
        return False

    def category(self, attribute: Any) -> Any:
        """Return the category of an attribute of one word, or 0."""
        word = self.concepts[attribute, WORDS]
        if self.words[word, NEXT]:
            return 0
        return self.categories[self.words[word, NAME]]


class MeaningIndex:
    """Which objects of a graph have a meaning: without it, all would be compared with all."""

    def __init__(self, heads: Any, entries: Any) -> None:
        self.heads = heads
        self.entries = entries
        self.count = 0

    def add(self, meaning: Any, concept: Any) -> Any:
        """Note that an object has a meaning; return whether that is new."""
        entry = self.heads[meaning]
        while entry:
            if self.entries[entry, OWNER] == concept:
                return False
            entry = self.entries[entry, NEXT]
        self.count += 1
        self.entries[self.count, OWNER] = concept
        self.entries[self.count, NEXT] = self.heads[meaning]
        self.entries[self.count, MEANING] = meaning
        self.heads[meaning] = self.count
        return True

    def clear(self) -> None:
        """Remove all objects."""
        for entry in range(1, self.count + 1):
            self.heads[self.entries[entry, MEANING]] = 0
        self.count = 0


def merge_tuples(
    tuples: Any, offsets: Any, graphs: Any, index: Any, shared: Any, touched: Any
) -> None:
    """Merge the tuples of each graph: three names each, with -1 for those that it does not have.

    `shared` and `touched` have a place for each concept.
    """
    with nogil:
        for graph in range(len(offsets) - 1):
            for row in range(offsets[graph], offsets[graph + 1]):
                subject = _find_or_add_object(tuples[row, 0], graphs, index, shared, touched)
                if tuples[row, 2] >= 0:
                    target = _find_or_add_object(tuples[row, 1], graphs, index, shared, touched)
                    graphs.merge_or_add(subject, RELATIONS, target, tuples[row, 2])
                elif tuples[row, 1] >= 0:
                    graphs.merge_or_add(subject, ATTRIBUTES, 0, tuples[row, 1])
            graphs.offsets[graph + 1] = graphs.concept_count
            index.clear()


def _find_or_add_object(name: Any, graphs: Any, index: Any, shared: Any, touched: Any) -> Any:
    """Return the object that has a name, the one most similar (Jaccard index), or a new one."""
    start = graphs.starts[name]
    last = graphs.starts[name + 1] - 1
    entry = index.heads[graphs.meanings[last]]
    if entry:
        return index.entries[entry, OWNER]
    count = 0
    for place in range(start, last):
        entry = index.heads[graphs.meanings[place]]
        while entry:
            concept = index.entries[entry, OWNER]
            if shared[concept] == 0:
                touched[count] = concept
                count += 1
            shared[concept] += 1
            entry = index.entries[entry, NEXT]
    best = 0
    highest = 0.0
    for place in range(count):
        concept = touched[place]
        common = shared[concept]
        shared[concept] = 0
        similarity = 1.0 * common / (last - start + graphs.concepts[concept, SYNSETS] - common)
        # Of equally similar objects the first is taken.
        if similarity > highest or (similarity == highest and concept < best):
            best = concept
            highest = similarity
    if best == 0:
        best = graphs.add_concept(OBJECT, 0)
    graphs.add_word(best, name)
    for place in range(start, last):
        if index.add(graphs.meanings[place], best):
            graphs.concepts[best, SYNSETS] += 1
    index.add(graphs.meanings[last], best)
    return best


def count_concepts(graphs: Any, counts: Any) -> None:
    """Count the concepts of each graph by kind, and its attributes by category."""
    with nogil:
        for graph in range(len(counts)):
            for concept in range(graphs.offsets[graph] + 1, graphs.offsets[graph + 1] + 1):
                counts[graph, graphs.concepts[concept, KIND]] += 1
                if graphs.concepts[concept, KIND] == ATTRIBUTE:
                    category = graphs.category(concept)
                    if category:
                        counts[graph, category] += 1


def count_matches(
    graphs: Any, rows: Any, others: Any, other_rows: Any, index: Any, marks: Any, counts: Any
) -> None:
    """Count the concepts of graphs that another graph matches, as `count_concepts` counts them.

    `marks` has two places for each of the others' concepts.
    """
    mark = 0
    with nogil:
        for sample in range(len(rows)):
            _index_objects(others, other_rows[sample], index)
            for concept in range(
                graphs.offsets[rows[sample]] + 1, graphs.offsets[rows[sample] + 1] + 1
            ):
                if graphs.concepts[concept, KIND] == OBJECT:
                    mark += 1
                    count = _find_similar(concept, graphs, index, marks, mark)
                    if count:
                        counts[sample, OBJECT] += 1
                        _count_attributes(concept, graphs, others, marks, count, counts, sample)
                        _count_relations(concept, graphs, others, marks, count, counts, sample)
            index.clear()


def _index_objects(graphs: Any, graph: Any, index: Any) -> None:
    """Enter the objects of a graph into the index."""
    for concept in range(graphs.offsets[graph] + 1, graphs.offsets[graph + 1] + 1):
        if graphs.concepts[concept, KIND] == OBJECT:
            word = graphs.concepts[concept, WORDS]
            while word:
                name = graphs.words[word, NAME]
                for place in range(graphs.starts[name], graphs.starts[name + 1]):
                    index.add(graphs.meanings[place], concept)
                word = graphs.words[word, NEXT]


def _find_similar(concept: Any, graphs: Any, index: Any, marks: Any, mark: Any) -> Any:
    """Write the similar objects of the index to the first column of marks; return how many."""
    count = 0
    word = graphs.concepts[concept, WORDS]
    while word:
        name = graphs.words[word, NAME]
        for place in range(graphs.starts[name], graphs.starts[name + 1]):
            entry = index.heads[graphs.meanings[place]]
            while entry:
                other = index.entries[entry, OWNER]
                if marks[other, 1] != mark:
                    marks[other, 1] = mark
                    marks[count, 0] = other
                    count += 1
                entry = index.entries[entry, NEXT]
        word = graphs.words[word, NEXT]
    return count


def _count_attributes(
    concept: Any, graphs: Any, others: Any, marks: Any, count: Any, counts: Any, sample: Any
) -> None:
    """Count an object's attributes that similar objects have."""
    attribute = graphs.concepts[concept, ATTRIBUTES]
    while attribute:
        category = graphs.category(attribute)
        is_matched = False
        is_same_category = False
        for place in range(count):
            other = others.concepts[marks[place, 0], ATTRIBUTES]
            while other:
                if graphs.is_similar(attribute, others, other):
                    is_matched = True
                    # A colour has to be matched by a colour to count as one.
                    if others.category(other) == category:
                        is_same_category = True
                other = others.concepts[other, FOLLOWING]
        counts[sample, ATTRIBUTE] += is_matched
        if category and is_same_category:
            counts[sample, category] += 1
        attribute = graphs.concepts[attribute, FOLLOWING]


def _count_relations(
    concept: Any, graphs: Any, others: Any, marks: Any, count: Any, counts: Any, sample: Any
) -> None:
    """Count an object's relations that similar objects have to similar objects."""
    relation = graphs.concepts[concept, RELATIONS]
    while relation:
        is_matched = False
        for place in range(count):
            other = others.concepts[marks[place, 0], RELATIONS]
            while other and not is_matched:
                is_matched = graphs.is_similar(relation, others, other) and graphs.is_similar(
                    graphs.concepts[relation, TARGET], others, others.concepts[other, TARGET]
                )
                other = others.concepts[other, FOLLOWING]
        counts[sample, RELATION] += is_matched
        relation = graphs.concepts[relation, FOLLOWING]
