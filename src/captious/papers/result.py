"""What was measured for an exhibit: tables with published numbers beside ours, curves, verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from captious._internal.checks.arguments import check_fields
from captious.io.json import number_or_nan
from captious.io.output_tables import render_table
from captious.report.plots.panels import Panel as Panel

INTERVAL, RANGE = "95% interval", "range"
SIGNS = {INTERVAL: "±", RANGE: "~", "": ""}
MAX_DIGITS = 9


@dataclass(frozen=True)
class Measurement:
    """A number of ours: with its interval, or its range over seeds or draws; the published one."""

    value: float
    low: float | None = None
    high: float | None = None
    spread: str = ""  # what low and high are
    published: float | None = None

    @classmethod
    def mean(cls, values: Sequence[float], published: float | None = None) -> Measurement:
        """The mean over seeds, draws or runs, with their range where there are several."""
        mean = sum(values) / len(values)
        if len(values) == 1:
            return cls(mean, published=published)
        return cls(mean, min(values), max(values), RANGE, published)

    @property
    def difference(self) -> float | None:
        """How much larger ours is."""
        return None if self.published is None else self.value - self.published

    def agrees(self, tolerance: float) -> bool:
        """Whether the published number is near, or within the interval."""
        if self.published is None or math.isnan(self.value):
            return False
        # Published numbers are rounded, and ours is not.
        is_near = abs(self.value - self.published) <= tolerance + 1e-9
        is_within = (
            self.low is not None
            and self.high is not None
            and self.low <= self.published <= self.high
        )
        return is_near or is_within

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        data: dict[str, Any] = {"ours": self.value}
        if self.spread:
            data |= {self.spread: [self.low, self.high]}
        if self.published is not None:
            data |= {"published": self.published, "difference": self.difference}
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Measurement:
        """The number that became so in JSON, where there is no NaN."""
        spread = next((name for name in (INTERVAL, RANGE) if name in data), "")
        low, high = data[spread] if spread else (None, None)
        return cls(
            number_or_nan(data["ours"]),
            _number_or_none(low),
            _number_or_none(high),
            spread,
            _number_or_none(data.get("published")),
        )


def _number_or_none(value: object) -> float | None:
    return None if value is None else number_or_nan(value)


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
        return [[self._format_cell(cell) for cell in row] for row in self.rows]

    def value(self, row: str, column: str) -> float:
        """The number in a row, named by the texts at its left, and a column."""
        place = list(self.header).index(column)
        for cells in self.rows:
            if row == self.name_of(cells):
                cell = cells[place]
                number = cell.value if isinstance(cell, Measurement) else cell
                return float(number) if isinstance(number, float | int) else math.nan
        raise KeyError(row)

    @property
    def compared_numbers(self) -> list[tuple[str, str, Measurement]]:
        """All numbers that stand beside published ones, each with its row and column."""
        return [
            (self.name_of(row), column, cell)
            for row in self.rows
            for column, cell in zip(self.header, row, strict=True)
            if isinstance(cell, Measurement) and cell.published is not None
        ]

    @property
    def measurements(self) -> list[Measurement]:
        """The same numbers alone."""
        return [number for _, _, number in self.compared_numbers]

    def name_of(self, row: Sequence[Value]) -> str:
        """A row's name: the texts at its left."""
        return ", ".join(map(str, row[: self.texts]))

    def _format_cell(self, cell: Value) -> str:
        match cell:
            case None:
                return ""
            case Measurement():
                return self._format_measurement(cell)
            case float():
                return "" if math.isnan(cell) else self._format_number(cell)
            case int():
                return f"{cell:,}"
        return cell

    def _format_measurement(self, cell: Measurement) -> str:
        """`0.412 ±0.010 (0.418, -0.006)`: ours, half its interval, published, the difference."""
        text = "" if math.isnan(cell.value) else self._format_number(cell.value)
        if cell.low is not None and cell.high is not None and not math.isnan(cell.low):
            text += f" {SIGNS[cell.spread]}{self._format_number((cell.high - cell.low) / 2)}"
        if cell.published is not None and cell.difference is not None:
            published, difference = (
                self._format_number(cell.published),
                self._format_number(cell.difference, "+"),
            )
            text += f" ({published}, {difference})" if text else f"({published})"
        return text

    def _format_number(self, value: float, sign: str = "") -> str:
        return f"{100 * value if self.percent else value:{sign}.{self.digits}f}"

    def _keys(self) -> list[str]:
        """The header without a name twice: the second `published` is named after its neighbour."""
        names: list[str] = []
        for name in self.header:
            names.append(f"{names[-1]}, {name}" if list(self.header).count(name) > 1 else name)
        return names

    def to_dict(self) -> dict[str, Any]:
        """One object a row, by the header, and how they are shown."""
        keys = self._keys()
        rows = [
            {
                key: cell.to_dict() if isinstance(cell, Measurement) else cell
                for key, cell in zip(keys, row, strict=True)
            }
            for row in self.rows
        ]
        return {
            "title": self.title,
            "header": list(self.header),
            "texts": self.texts,
            "digits": self.digits,
            "percent": self.percent,
            "rows": rows,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Table:
        """The table that became so in JSON."""
        table = cls(
            data["title"],
            tuple(map(check_text, data["header"])),
            (),
            data["digits"],
            data["texts"],
            data["percent"],
        )
        check_fields(table)
        if not 0 <= table.digits <= MAX_DIGITS or not 0 <= table.texts <= len(table.header):
            raise ValueError("digits or texts out of range")
        keys = table._keys()
        if any(list(row) != keys for row in data["rows"]):
            raise ValueError("a row does not have the cells of the header")
        return replace(
            table, rows=[[_parse_cell(row[key]) for key in keys] for row in data["rows"]]
        )

    def render(self, format: str) -> str:
        """The cells in one of the formats, without the title."""
        return render_table(self.header, self.cells(), format, self.texts)


def check_text(value: object) -> str:
    """A text of JSON."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {value!r}")
    return value


def _parse_cell(value: object) -> Value:
    """What stands in a cell, from JSON."""
    if isinstance(value, dict):
        return Measurement.from_dict(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise TypeError(f"not a cell: {value!r}")
    return value


Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class PartResult:
    """What a part of an exhibit gives: tables, what is drawn, and how it was measured."""

    tables: tuple[Table, ...] = ()
    panels: tuple[Panel, ...] = ()
    settings: tuple[str, ...] = ()  # sizes, epochs, seeds, protocols
    remarks: tuple[str, ...] = ()  # what it depended on, in sentences
