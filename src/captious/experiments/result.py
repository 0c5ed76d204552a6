"""What was measured for an exhibit: tables with published numbers beside ours, curves, verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from captious.report.plots.panels import Panel as Panel
from captious.tables import render_table

INTERVAL, RANGE = "95 % interval", "range"
SIGNS = {INTERVAL: "±", RANGE: "~", "": ""}


@dataclass(frozen=True)
class Measurement:
    """A number of ours: with its interval, or its range over seeds or draws; the published one."""

    value: float
    low: float | None = None
    high: float | None = None
    spread: str = ""  # what low and high are
    published: float | None = None

    @property
    def difference(self) -> float | None:
        """How much larger ours is."""
        return None if self.published is None else self.value - self.published

    def agrees(self, tolerance: float) -> bool:
        """Whether the published number is near, or within the interval."""
        if self.published is None or math.isnan(self.value):
            return False
        # Published numbers are rounded, and ours is not.
        near = abs(self.value - self.published) <= tolerance + 1e-9
        between = (
            self.low is not None
            and self.high is not None
            and self.low <= self.published <= self.high
        )
        return near or between

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        known: dict[str, Any] = {"ours": self.value}
        if self.spread:
            known |= {self.spread: [self.low, self.high]}
        if self.published is not None:
            known |= {"published": self.published, "difference": self.difference}
        return known


Value = str | float | int | None | Measurement


@dataclass(frozen=True)
class Table:
    """Cells of text and numbers; `texts` columns at the left are text.

    `percent` shows shares in per cent; they are shares everywhere else.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Value]]
    digits: int = 3
    texts: int = 1
    percent: bool = False

    def cells(self) -> list[list[str]]:
        """The cells as they are printed."""
        return [[self._shown(cell) for cell in row] for row in self.rows]

    def value(self, row: str, column: str) -> float:
        """The number in a row, named by the texts at its left, and a column."""
        place = list(self.header).index(column)
        for cells in self.rows:
            if row == ", ".join(map(str, cells[: self.texts])):
                cell = cells[place]
                number = cell.value if isinstance(cell, Measurement) else cell
                return float(number) if isinstance(number, float | int) else math.nan
        raise KeyError(row)

    @property
    def measurements(self) -> list[Measurement]:
        """All numbers that stand beside published ones."""
        return [
            cell
            for row in self.rows
            for cell in row
            if isinstance(cell, Measurement) and cell.published is not None
        ]

    def _shown(self, cell: Value) -> str:
        match cell:
            case None:
                return ""
            case Measurement():
                return self._measured(cell)
            case float():
                return "" if math.isnan(cell) else self._number(cell)
            case int():
                return f"{cell:,}"
        return cell

    def _measured(self, cell: Measurement) -> str:
        """`0.412 ±0.010 (0.418, -0.006)`: ours, half its interval, published, the difference."""
        text = "" if math.isnan(cell.value) else self._number(cell.value)
        if cell.low is not None and cell.high is not None and not math.isnan(cell.low):
            text += f" {SIGNS[cell.spread]}{self._number((cell.high - cell.low) / 2)}"
        if cell.published is not None and cell.difference is not None:
            published, difference = self._number(cell.published), self._number(cell.difference, "+")
            text += f" ({published}, {difference})" if text else f"({published})"
        return text

    def _number(self, value: float, sign: str = "") -> str:
        return f"{100 * value if self.percent else value:{sign}.{self.digits}f}"

    def _keys(self) -> list[str]:
        """The header without a name twice: the second `published` is named after its neighbour."""
        names: list[str] = []
        for name in self.header:
            names.append(f"{names[-1]}, {name}" if list(self.header).count(name) > 1 else name)
        return names

    def to_dict(self) -> dict[str, Any]:
        """One object a row, by the header."""
        keys = self._keys()
        rows = [
            {
                key: cell.to_dict() if isinstance(cell, Measurement) else cell
                for key, cell in zip(keys, row, strict=True)
            }
            for row in self.rows
        ]
        return {"title": self.title, "rows": rows}

    def rendered(self, format: str) -> str:
        """The cells in one of the formats, without the title."""
        return render_table(self.header, self.cells(), format, self.texts)


Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Measured:
    """What a part of an exhibit gives: tables, what is drawn, and how it was measured."""

    tables: tuple[Table, ...] = ()
    panels: tuple[Panel, ...] = ()
    settings: tuple[str, ...] = ()  # sizes, epochs, seeds, protocols
