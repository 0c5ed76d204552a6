"""What an experiment found: tables with published figures beside ours, curves, and notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from captious.files.json_text import json_text
from captious.tables import check_format, render_table

Cell = str | float | int | None


@dataclass(frozen=True)
class Table:
    """Cells of text and numbers; `texts` columns at the left are text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3
    texts: int = 1

    @classmethod
    def of(
        cls,
        title: str,
        header: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        *,
        digits: int = 3,
        texts: int = 1,
    ) -> Table:
        """A table from lists."""
        return cls(title, tuple(header), tuple(map(tuple, rows)), digits, texts)

    def cells(self) -> list[list[str]]:
        """The cells as they are printed."""
        return [[self._shown(cell) for cell in row] for row in self.rows]

    def _shown(self, cell: Cell) -> str:
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return ""
        if isinstance(cell, int):
            return f"{cell:,}"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else cell

    def _keys(self) -> list[str]:
        """The header without a name twice: the second `published` is named after its neighbour."""
        names: list[str] = []
        for name in self.header:
            names.append(f"{names[-1]}, {name}" if self.header.count(name) > 1 else name)
        return names

    def to_dict(self) -> dict[str, Any]:
        """One object a row, by the header."""
        keys = self._keys()
        rows = [dict(zip(keys, map(_plain, row), strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows}


@dataclass(frozen=True)
class Panel:
    """Curves, or points with names: one drawing of a plot."""

    title: str
    xlabel: str
    ylabel: str
    curves: dict[str, tuple[tuple[float, float], ...]]  # points by name
    joined: bool = True  # by lines; otherwise points only

    def to_dict(self) -> dict[str, Any]:
        """Everything that is drawn."""
        return {
            "title": self.title,
            "x": self.xlabel,
            "y": self.ylabel,
            "curves": {
                name: [list(map(_plain, point)) for point in line]
                for name, line in self.curves.items()
            },
        }


@dataclass(frozen=True)
class Finding:
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

    def to_text(self, format: str = "text") -> str:
        """Title, tables and notes in any of the formats of `captious.report`."""
        check_format(format)
        if format == "json":
            return json_text(self.to_dict(), indent=2)
        parts = [] if format == "latex" else [self.title]
        for table in self.tables:
            rendered = render_table(table.header, table.cells(), format, table.texts)
            parts.append(f"{table.title}\n\n{rendered}" if format != "latex" else rendered)
        if format != "latex":
            parts += self.notes
        return "\n\n".join(parts)

    def __str__(self) -> str:
        return self.to_text()


def _plain(cell: Cell) -> Cell:
    """What JSON can hold: no number that is none."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
