"""Scores of systems together with their diversity, as one result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from captious.diagnostics.diversity.diversity import Diversities, Diversity
from captious.io.output_tables import FORMATS, OutputTable, TabularResult
from captious.metrics.aliases import DIVERSITY


@dataclass(frozen=True, repr=False)
class ScoresAndDiversity(TabularResult):
    """Scores, if anything was scored, and the same systems' diversity."""

    worded = FORMATS

    scores: TabularResult | None
    diversity: Diversities

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of the scores, with the diversity added."""
        scores = {} if self.scores is None else self.scores.to_dict()
        return {**scores, DIVERSITY: self.diversity.to_dict()}

    def as_tables(self) -> list[OutputTable]:
        """The tables of both."""
        return [table for each in self._parts() for table in each.as_tables()]

    def tabled(self, format: str) -> str:
        """One after the other, each with its own words."""
        return "\n\n".join(each.tabled(format) for each in self._parts())

    def _parts(self) -> list[TabularResult]:
        return [self.diversity] if self.scores is None else [self.scores, self.diversity]

    def records(self) -> list[Mapping[str, Any]]:
        """The scores' rows, then one row a system and measure."""
        measured = (
            {"system": system, **row}
            for system, each in self.diversity.systems.items()
            for row in _rows(each)
        )
        return [*([] if self.scores is None else self.scores.records()), *measured]


def _rows(diversity: Diversity) -> Iterator[dict[str, Any]]:
    intervals = {name: each.interval for name, each in diversity.likeness()}
    for name, value in diversity.measures().items():
        if isinstance(value, int | float):
            low, high = intervals.get(name, ("", ""))
            yield {"metric": name, "score": value, "low": low, "high": high}
    for name, value in diversity.measures()["expected"].items():
        yield {"metric": f"expected_{name}", "score": value, "low": "", "high": ""}
