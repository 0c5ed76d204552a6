"""The layer of scene tuples: what each caption says of objects, attributes and relations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from captious.text.analysis import Analysis
from captious.text.parser.parses import Parses, sentences_at, shipped_parser
from captious.text.scene.collapsed_graph import collapse
from captious.text.scene.tuple_rules import SceneTuple, tuples_of

RULES = 1  # how trees become tuples: another number makes the cache's tuples void
SIZES = {1, 2, 3}  # of tuples: an object, with an attribute, with a relation to another


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
                else sentences_at(analysis, missing)
            )
            return [tuples_of(map(collapse, sentences)) for sentences in parses]

        name = f"tuples-{RULES}@{shipped_parser().fingerprint}"
        return cls(analysis.remembered(name, read, _restored, range(count)))


def _restored(found: Any) -> list[SceneTuple]:
    """Tuples as they were, from the lists that JSON makes of them."""
    tuples = [tuple(each) for each in found]
    is_sound = set(map(len, tuples)) <= SIZES and set(map(type, chain(*tuples))) <= {str}
    if not is_sound or set(map(type, (found, *found))) != {list}:
        raise ValueError("not an object, an attribute of one or a relation of two")
    return tuples
