"""Scene graph: the objects that captions speak of, with their attributes and relations.

Names that may mean the same are merged: two names do if they share a WordNet synset, as METEOR's
tables have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.corpus import as_list
from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.scene.scene_tuples import SceneTuple, SceneTuples


@lru_cache(maxsize=100_000)
def synsets_of(name: str) -> frozenset[int]:
    """Return the synsets of a name of one or more words, and of its base forms."""
    return frozenset(ENGLISH.synonyms.indices(name.replace(" ", "_")).tolist())


class Concept:
    """One meaning and its names; `words` are in order of occurrence."""

    __slots__ = ("synsets", "words")

    def __init__(self, name: str) -> None:
        self.words = [name]
        self.synsets = synsets_of(name)

    def means(self, name: str) -> bool:
        """Whether a name is one of the concept's or shares a synset with it."""
        return name in self.words or not self.synsets.isdisjoint(synsets_of(name))

    def is_similar(self, other: Concept) -> bool:
        """Whether two concepts share a name or a synset."""
        return not self.synsets.isdisjoint(other.synsets) or any(
            word in other.words for word in self.words
        )

    def merge(self, name: str) -> None:
        """Add another name and its synsets."""
        if name not in self.words:
            self.words.append(name)
            self.synsets |= synsets_of(name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'/'.join(self.words)})"


class SceneObject(Concept):
    """An object with its attributes; `number` is its place in the graph."""

    __slots__ = ("attributes", "number")

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name)
        self.number = number
        self.attributes: list[Concept] = []


class SceneRelation(Concept):
    """Relation of a subject to an object: an action or a place."""

    __slots__ = ("object", "subject")

    def __init__(self, name: str, subject: SceneObject, object_: SceneObject) -> None:
        super().__init__(name)
        self.subject = subject
        self.object = object_


class SceneGraph:
    """Objects, their attributes, and relations between them, of one caption or of several."""

    def __init__(self) -> None:
        self.objects: list[SceneObject] = []
        self.relations: list[SceneRelation] = []
        # Which object has a name or a synset, and which relations join two objects: without
        # these the work would grow with the square of the number of objects.
        self._named: dict[str, int] = {}
        self._meaning: dict[int, tuple[int, ...]] = {}
        self._between: dict[tuple[int, int], list[SceneRelation]] = {}

    @classmethod
    def of(cls, tuples: Iterable[SceneTuple]) -> SceneGraph:
        """Build a graph, tuple by tuple: of equally similar objects the first is taken."""
        graph = cls()
        for scene_tuple in tuples:
            graph.add(scene_tuple)
        return graph

    @property
    def attributes(self) -> list[tuple[SceneObject, Concept]]:
        """Every attribute beside its object."""
        return [(owner, attribute) for owner in self.objects for attribute in owner.attributes]

    def add(self, scene_tuple: SceneTuple) -> None:
        """Add an object, an object's attribute, or a relation between two objects."""
        subject = self._find_or_add_object(scene_tuple[0])
        if len(scene_tuple) == 2:
            _merge_or_add(subject.attributes, scene_tuple[1])
        elif len(scene_tuple) == 3:
            self._add_relation(subject, self._find_or_add_object(scene_tuple[1]), scene_tuple[2])

    def similar(self, concept: Concept) -> list[SceneObject]:
        """Return the objects that share a name or a synset with a concept."""
        named, meaning = self._named, self._meaning
        numbers = {named[word] for word in concept.words if word in named}
        for synset in concept.synsets:
            if synset in meaning:
                numbers.update(meaning[synset])
        return [self.objects[number] for number in numbers]

    def between(self, subject: SceneObject, object_: SceneObject) -> list[SceneRelation]:
        """Return the relations of one object to another."""
        return self._between.get((subject.number, object_.number), [])

    def to_dict(self) -> dict[str, Any]:
        """Return the graph as plain lists; relations refer to objects by index."""
        return {
            "objects": [
                {
                    "words": list(node.words),
                    "attributes": [list(attribute.words) for attribute in node.attributes],
                }
                for node in self.objects
            ],
            "relations": [
                {
                    "subject": relation.subject.number,
                    "words": list(relation.words),
                    "object": relation.object.number,
                }
                for relation in self.relations
            ],
        }

    def _find_or_add_object(self, name: str) -> SceneObject:
        """Return the object of a name: the one that has it, the most similar one, or a new one."""
        known = self._named.get(name)
        if known is not None:
            return self.objects[known]
        synsets = synsets_of(name)
        node = self._most_similar(synsets)
        if node is None:
            node = SceneObject(name, len(self.objects))
            self.objects.append(node)
            new = synsets
        else:
            new = synsets - node.synsets
            node.merge(name)
        self._named[name] = node.number
        alone, meaning = (node.number,), self._meaning
        for synset in new:
            meaning[synset] = meaning[synset] + alone if synset in meaning else alone
        return node

    def _most_similar(self, synsets: frozenset[int]) -> SceneObject | None:
        """Return the object with the highest Jaccard index of synsets, if it shares any."""
        meaning = self._meaning
        shared: dict[int, int] = {}
        for synset in synsets:
            for number in meaning.get(synset, ()):
                shared[number] = shared.get(number, 0) + 1
        best, highest = None, 0.0
        for number in sorted(shared):
            common = shared[number]
            other = self.objects[number]
            similarity = common / (len(synsets) + len(other.synsets) - common)
            if similarity > highest:
                best, highest = other, similarity
        return best

    def _add_relation(self, subject: SceneObject, object_: SceneObject, name: str) -> None:
        name = name.removeprefix("be ")
        known = self._between.setdefault((subject.number, object_.number), [])
        if any(name in relation.words for relation in known):
            return
        for relation in known:
            if relation.means(name):
                relation.merge(name)
                return
        relation = SceneRelation(name, subject, object_)
        known.append(relation)
        self.relations.append(relation)


def _merge_or_add(concepts: list[Concept], name: str) -> None:
    for concept in concepts:
        if concept.means(name):
            concept.merge(name)
            return
    concepts.append(Concept(name))


@check_arguments
def scene_graph(captions: str | Sequence[str]) -> SceneGraph:
    """What a caption, or several of one image together, say of objects and how they relate."""
    together = [captions] if isinstance(captions, str) else as_list(captions, "captions")
    for caption in together:
        if not isinstance(caption, str):
            raise InputError(f"a caption must be a string, not {type(caption).__name__}")
    tuples = Analysis(together).layer(SceneTuples).tuples
    return SceneGraph.of(chain.from_iterable(tuples))
