"""What an experiment found: tables with published figures beside ours, curves, and notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from captious.report.plots.panels import Panel as Panel
from captious.tables import Tabled, render_table

Value = str | float | int | None


@dataclass(frozen=True)
class Table:
    """Cells of text and numbers; `texts` columns at the left are text."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Value]]
    digits: int = 3
    texts: int = 1

    def cells(self) -> list[list[str]]:
        """The cells as they are printed."""
        return [[self._shown(cell) for cell in row] for row in self.rows]

    def _shown(self, cell: Value) -> str:
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return ""
        if isinstance(cell, int):
            return f"{cell:,}"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else cell

    def _keys(self) -> list[str]:
        """The header without a name twice: the second `published` is named after its neighbour."""
        names: list[str] = []
        for name in self.header:
            names.append(f"{names[-1]}, {name}" if list(self.header).count(name) > 1 else name)
        return names

    def to_dict(self) -> dict[str, Any]:
        """One object a row, by the header."""
        keys = self._keys()
        rows = [dict(zip(keys, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows}


Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Measured:
    """What a part of an experiment gives: tables, and what is drawn."""

    tables: tuple[Table, ...] = ()
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True)
class Finding(Tabled):
    """The result of one experiment."""

    name: str
    title: str
    tables: tuple[Table, ...]
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "experiment": self.name,
            "title": self.title,
            "tables": [table.to_dict() for table in self.tables],
            "panels": [panel.to_dict() for panel in self.panels],
            "notes": list(self.notes),
        }

    def tabled(self, format: str) -> str:
        """Title, tables and notes; LaTeX has the tables alone."""
        rendered = [
            render_table(table.header, table.cells(), format, table.texts) for table in self.tables
        ]
        if format == "latex":
            return "\n\n".join(rendered)
        titled = [f"{t.title}\n\n{text}" for t, text in zip(self.tables, rendered, strict=True)]
        return "\n\n".join([self.title, *titled, *self.notes])
