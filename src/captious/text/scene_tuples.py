"""The layer of scene tuples: what each caption says of objects, attributes and relations."""

from __future__ import annotations

from dataclasses import dataclass

from captious.text.analysis import Analysis
from captious.text.collapsed import collapse
from captious.text.tuples import SceneTuple, tuples_of


@dataclass(frozen=True, slots=True)
class SceneTuples:
    """Every caption's scene tuples, in the order in which they are merged into a graph."""

    tuples: list[list[SceneTuple]]

    @classmethod
    def build(cls, analysis: Analysis) -> SceneTuples:
        """Read the tuples from the captions' parses."""
        from captious.text.parses import Parses  # the parser is needed by nothing else here

        sentences = analysis.layer(Parses).sentences
        return cls([tuples_of(map(collapse, caption)) for caption in sentences])
