"""How many rows went for which reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from captious.io.output_tables import FORMATS, OutputTable, TabularResult

NO_NUMBER = "nothing to be ordered by"
DUPLICATE = "a duplicate"
NOT_BEST_OF_IMAGE = "not among the best of its image"
NOT_TOP = "not among the best of all"
NOT_SAMPLED = "not sampled"


@dataclass(frozen=True)
class ConditionCounts:
    """A condition, and how many rows it dropped: those that fail it, and those without a value."""

    condition: str
    rows: int = 0
    missing: int = 0

    def __add__(self, other: ConditionCounts) -> ConditionCounts:
        return ConditionCounts(self.condition, self.rows + other.rows, self.missing + other.missing)


@dataclass(frozen=True, repr=False)
class FilterCounts(TabularResult):
    """What became of all rows: each is counted once, at the first reason that it went for.

    Conditions are in the order in which they were looked at.
    """

    formats_with_notes = FORMATS

    read: int
    failed: Sequence[ConditionCounts]
    dropped: Mapping[str, int]
    kept: int

    def __add__(self, other: FilterCounts) -> FilterCounts:
        failed = [a + b for a, b in zip(self.failed, other.failed, strict=True)]
        names = dict.fromkeys((*self.dropped, *other.dropped))
        dropped = {name: self.dropped.get(name, 0) + other.dropped.get(name, 0) for name in names}
        return FilterCounts(self.read + other.read, failed, dropped, self.kept + other.kept)

    @classmethod
    def none(cls, conditions: Iterable[str]) -> FilterCounts:
        """No rows yet."""
        return cls(0, [ConditionCounts(condition) for condition in conditions], {}, 0)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FilterCounts:
        """What `to_dict` gave."""
        failed = [
            ConditionCounts(each["condition"], each["failed"], each["missing"])
            for each in data["conditions"]
        ]
        return cls(data["read"], failed, data["dropped"], data["kept"])

    def to_dict(self) -> dict[str, Any]:
        """Everything."""
        conditions = [
            {"condition": each.condition, "failed": each.rows, "missing": each.missing}
            for each in self.failed
        ]
        return {
            "read": self.read,
            "conditions": conditions,
            "dropped": dict(self.dropped),
            "kept": self.kept,
        }

    def as_tables(self) -> list[OutputTable]:
        """One row a reason."""
        return [OutputTable(("rows", "number", "share"), list(self._rows()))]

    def records(self) -> list[Mapping[str, Any]]:
        """One row a reason."""
        return [{"rows": name, "number": number} for name, number in self._numbers()]

    def _numbers(self) -> Iterable[tuple[str, int]]:
        yield "read", self.read
        for each in self.failed:
            yield f"fails: {each.condition}", each.rows
            if each.missing:
                yield f"something is missing: {each.condition}", each.missing
        yield from self.dropped.items()
        yield "kept", self.kept

    def _rows(self) -> Iterable[tuple[str, str, str]]:
        for name, number in self._numbers():
            yield name, f"{number:,}", f"{number / self.read:.4f}" if self.read else ""
