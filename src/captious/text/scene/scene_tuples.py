"""Scene tuples: the objects, attributes and relations in a caption's graph.

An object is a tuple of one name, an attribute of two (object, attribute), a relation of three
(subject, object, relation). The rules and their order are SPICE 1.0's, and so is the order in which
each rule visits words, because what comes first matters when tuples are merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from captious._internal.loops.scene_rules import SceneRules
from captious._internal.progress import track
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, parse_rows, shipped_parser
from captious.text.scene.collapsed_graph import (
    NOUNS,
    PLURALS,
    DependencyGraph,
    collapse,
)
from captious.text.scene.quantifiers_and_pronouns import resolve_quantifiers_and_pronouns

SceneTuple = tuple[str, ...]

RULES_VERSION = 1  # how trees become tuples: another number makes the cache's tuples void
FORMAT_VERSION = 2  # of tuples in the cache
TUPLE_SIZES = {1, 2, 3}  # of tuples: an object, with an attribute, with a relation to another

_UNNAMED = frozenset({"nmod:poss", "nmod:agent"})  # relations that do not name a preposition


@dataclass(frozen=True, slots=True)
class SceneTuples:
    """Every caption's scene tuples, in the order in which they are merged into a graph."""

    tuples: list[list[SceneTuple]]

    @classmethod
    def build(cls, analysis: Analysis) -> SceneTuples:
        """Read the tuples from the parses of the captions that the cache does not have."""
        count = len(analysis.captions)

        def read(missing: list[int]) -> list[list[SceneTuple]]:
            # Another metric may want the parses too, and can share them if all are made.
            parses = (
                analysis.layer(Parses).sentences
                if len(missing) == count
                else parse_rows(analysis, missing)
            )
            work = track("scene graphs", parses, lambda _: 1, len(parses))
            rules = SceneRules(NOUNS, PLURALS)
            return [extract_tuples(map(collapse, sentences), rules) for sentences in work]

        name = f"tuples-{RULES_VERSION}.{FORMAT_VERSION}@{shipped_parser().fingerprint}"
        return cls(analysis.load_or_compute(name, read, _pack, _restore, range(count)))


def _pack(tuples: list[SceneTuple]) -> str:
    """Write tuples as lines; the first counts the tuples and their names."""
    lines = map("\t".join, tuples)
    return "\n".join([f"{len(tuples)} {sum(map(len, tuples))}", *lines])


def _restore(packed: str) -> list[SceneTuple]:
    """Read what `_pack` wrote; a name with a tab or a line end in it makes it unreadable."""
    counts, *lines = packed.split("\n")
    tuples: list[SceneTuple] = [tuple(line.split("\t")) for line in lines]
    sizes = list(map(len, tuples))
    if counts != f"{len(sizes)} {sum(sizes)}" or not TUPLE_SIZES.issuperset(sizes):
        raise ValueError("not an object, an attribute of one or a relation of two")
    return tuples


def extract_tuples(
    graphs: Iterable[DependencyGraph], rules: SceneRules | None = None
) -> list[SceneTuple]:
    """Extract the scene tuples of a caption from the collapsed graphs of its sentences, in order.

    Quantifiers and pronouns are resolved in place: the graphs change.
    """
    tuples: list[SceneTuple] = []
    rules = rules or SceneRules(NOUNS, PLURALS)
    for number, graph in enumerate(graphs):
        resolve_quantifiers_and_pronouns(graph)
        tuples += rules.apply(
            graph.words, graph.tags, graph.lemmas, graph.tokens, graph.edges, number
        )
    return tuples
