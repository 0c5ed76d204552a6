"""The layer of scene tuples: what each caption says of objects, attributes and relations."""

from __future__ import annotations

from dataclasses import dataclass

from captious.text.analysis import Analysis
from captious.text.collapsed import collapse
from captious.text.parses import Parses, sentences_at, shipped_parser
from captious.text.tuples import SceneTuple, tuples_of

RULES = 1  # how trees become tuples: another number makes the cache's tuples void


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
        found = analysis.remembered(name, read, range(count))
        return cls([[tuple(each) for each in tuples] for tuples in found])
