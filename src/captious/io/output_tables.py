"""Tables in every format that commands offer, and what all that can be printed has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import islice, zip_longest
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any, ClassVar, cast

from captious._internal.checks.arguments import check_arguments, check_choice
from captious.errors import MissingDependencyError, escape_control_chars
from captious.io.json import json_text
from captious.io.markup import HTML, TERMINAL, Cell, render_cell

if TYPE_CHECKING:
    import pandas
    from tabulate import TableFormat

BOOKTABS = "booktabs"
# Cells come escaped, and with marks of their own: these styles add none.
STYLES = {
    "text": "simple",
    TERMINAL: "simple",
    "markdown": "github",
    "latex": BOOKTABS,
    HTML: "unsafehtml",
}
PLAIN = ("text", TERMINAL)  # lines of letters, all equally wide
BRIEF, MOST_IN_BRIEF = 400, 20  # letters and parts of the short form of a result
WIDTH = 100  # letters of a line of text in tables that wrap or fold
NARROWEST = 20  # letters of a column that wraps, however long lines become
BETWEEN = 2  # letters between two columns of text, and what tabulate adds to a header
FORMATS = ("text", "json", "markdown", "latex")
CSV = "csv"  # of rows, with all digits; not every command offers it
_PAD = "\ufdd0"  # stands for a space that tabulate must not take away; no text has it

Cells = Sequence[str | Cell]


def check_format(name: str) -> None:
    """Stop at a format that does not exist."""
    check_choice("unknown format", name, (*FORMATS, CSV))


def render_table(
    header: Sequence[str], rows: Sequence[Cells], format: str, numbers_from: int = 1
) -> str:
    """A table of ready-made cells; columns from `numbers_from` on are aligned to the right."""
    check_choice("unknown format", format, STYLES)
    alignment = ["left"] * numbers_from + ["right"] * (len(header) - numbers_from)
    lines = _one_above_the_other(rows) if format in PLAIN else rows
    from tabulate import tabulate  # takes half as long as NumPy, and few results are printed

    style = STYLES[format]
    table = tabulate(
        [[render_cell(cell, format) for cell in row] for row in lines],
        [render_cell(name, format) for name in header],
        tablefmt=_booktabs() if style == BOOKTABS else style,
        colalign=alignment if rows else None,
        disable_numparse=True,
    )
    return table.replace(_PAD, " ")


def _render_narrow(table: OutputTable, format: str) -> str:
    """A table of text whose columns are no wider than what stands in them."""
    lines = [table.header, *_one_above_the_other(table.rows)]
    numbers = len(table.header) - table.texts
    from tabulate import tabulate

    text = tabulate(
        [[render_cell(cell, format) for cell in line] for line in lines],
        tablefmt="plain",
        colalign=["left"] * table.texts + ["right"] * numbers,
        disable_numparse=True,
    )
    header, *rows = text.replace(_PAD, " ").split("\n")
    rule = (" " * BETWEEN).join("-" * width for width in table.widths())
    return "\n".join([header, rule, *rows])


def _booktabs() -> TableFormat:
    from tabulate import DataRow, Line, TableFormat

    return TableFormat(
        lineabove=cast(Any, lambda _, alignment: _begin_tabular(alignment)),
        linebelowheader=Line("\\midrule", "", "", ""),
        linebetweenrows=None,
        linebelow=Line("\\bottomrule\n\\end{tabular}", "", "", ""),
        headerrow=DataRow("", "&", "\\\\"),
        datarow=DataRow("", "&", "\\\\"),
        padding=1,
        with_header_hide=None,
    )


def _begin_tabular(alignment: Sequence[str]) -> str:
    columns = "".join("r" if side == "right" else "l" for side in alignment)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule"


def _one_above_the_other(rows: Sequence[Cells]) -> Sequence[Cells]:
    """Rows in which letters behind numbers take equal room, so that numbers stand in a column."""
    columns = list(zip(*rows, strict=True))
    widths = [
        max(len(escape_control_chars(_raised(cell))) for cell in column) for column in columns
    ]
    if not any(widths):
        return rows
    return [
        [
            _with_room(cell, width) if width else cell
            for cell, width in zip(row, widths, strict=True)
        ]
        for row in rows
    ]


def _raised(cell: str | Cell) -> str:
    return cell.raised if isinstance(cell, Cell) else ""


def _with_room(cell: str | Cell, width: int) -> Cell:
    cell = cell if isinstance(cell, Cell) else Cell(cell)
    return replace(cell, raised=escape_control_chars(cell.raised).ljust(width, _PAD))


def decimals(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    return f"{value:.{digits}f}"


@dataclass(frozen=True)
class OutputTable:
    """Ready-made cells below a header; the first columns, `texts` of them, are text.

    Where lines of text would be too long, the last columns, `wraps` of them, go on in the next row;
    a table that `folds` goes on below, with the first columns again.
    """

    header: Sequence[str]
    rows: Sequence[Cells]
    texts: int = 1
    title: str = ""
    wraps: int = 0
    folds: bool = False

    def rendered(self, format: str) -> str:
        """The table in one of the formats, without its title."""
        if format in PLAIN and self.folds:
            return "\n\n".join(_render_narrow(part, format) for part in self._folded())
        rows = self._wrapped() if format in PLAIN and self.wraps else self.rows
        return render_table(self.header, rows, format, self.texts)

    def widths(self) -> list[int]:
        """The letters of the widest cell of each column."""
        columns = zip(self.header, *_one_above_the_other(self.rows), strict=True)
        return [max(len(render_cell(cell, "text")) for cell in column) for column in columns]

    def _folded(self) -> list[OutputTable]:
        """The table in parts of about as many columns each, as few as lines have room for."""
        widths = self.widths()
        places = range(self.texts, len(widths))
        parts = [places]
        for count in range(1, len(places) + 1):
            each = -(-len(places) // count)
            parts = [places[start : start + each] for start in range(0, len(places), each)]
            if max(self._width(widths, part) for part in parts) <= WIDTH:
                break
        return [self._of_columns([*range(self.texts), *part]) for part in parts]

    def _width(self, widths: Sequence[int], places: Sequence[int]) -> int:
        shown = [*widths[: self.texts], *(widths[place] for place in places)]
        return sum(shown) + BETWEEN * (len(shown) - 1)

    def _of_columns(self, places: Sequence[int]) -> OutputTable:
        header, *rows = ([row[place] for place in places] for row in (self.header, *self.rows))
        return replace(self, header=list(map(str, header)), rows=rows)

    def _wrapped(self) -> list[Sequence[str]]:
        """The rows, each in as many as its longest cell needs."""
        rows = [[render_cell(cell, "text") for cell in row] for row in self.rows]
        names = (len(render_cell(name, "text")) + BETWEEN for name in self.header)
        widths = list(map(max, names, self.widths()))
        left = WIDTH - sum(widths[: -self.wraps]) - BETWEEN * (len(widths) - 1)
        for place in range(-self.wraps, 0):
            widths[place] = min(widths[place], max(NARROWEST, left // -place))
            left -= widths[place]
        parted = (
            [wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
            for row in rows
        )
        return [line for row in parted for line in zip_longest(*row, fillvalue="")]


class TabularResult(ABC):
    """What can be printed: as tables with a few words, as everything in JSON, as a data frame.

    A result says what its tables are, which words stand above and below them, and gives all of it
    as data; every format, the short form and that of notebooks follow from these.
    """

    worded: ClassVar[tuple[str, ...]] = ("text",)  # formats that have the words beside the tables

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""

    @abstractmethod
    def as_tables(self) -> Sequence[OutputTable]:
        """The tables, best known first."""

    def above(self) -> Sequence[str]:
        """Lines above the tables."""
        return ()

    def below(self) -> Sequence[str]:
        """Lines below the tables."""
        return ()

    def brief(self) -> Iterable[str]:
        """What the short form says: unless said otherwise, the first two columns."""
        rows = (row for table in self.as_tables() for row in table.rows)
        return (" ".join(render_cell(cell, "text") for cell in row[:2]) for row in rows)

    def records(self) -> Sequence[Mapping[str, Any]]:
        """The rows of a data frame: unless said otherwise, those that JSON has."""
        rows: Sequence[Mapping[str, Any]] = self.to_dict()["rows"]
        return rows

    def tabled(self, format: str) -> str:
        """Tables in one of the formats, and the words that belong to them."""
        comment = "% " if format == "latex" else ""
        # What a terminal is shown is not made safe again, for that would hide its marks.
        safe = escape_control_chars if format == TERMINAL else str
        parts = []
        for table in self.as_tables():
            title = f"{comment}{safe(table.title)}\n\n" if table.title else ""
            parts.append(f"{title}{table.rendered(format)}")
        if ("text" if format == TERMINAL else format) not in self.worded:
            return "\n\n".join(parts)
        above, below = (
            "\n".join(f"{comment}{safe(line)}" for line in lines)
            for lines in (self.above(), self.below())
        )
        return "\n\n".join(part for part in (above, *parts, below) if part)

    @check_arguments
    def to_text(self, format: str = "text") -> str:
        """The same as `text`, `json`, `markdown`, `latex` or `csv`."""
        check_format(format)
        if format == "json":
            return json_text(self.to_dict(), indent=2)
        return self.to_csv() if format == CSV else self.tabled(format)

    def to_csv(self) -> str:
        """The rows with all digits, as cells with commas between."""
        from captious.io.csv import csv_text  # of which most that is printed has no need

        rows = self._flat_rows()
        names = dict.fromkeys(name for row in rows for name in row)
        return csv_text({name: [row.get(name, "") for row in rows] for name in names})

    def to_json(self) -> str:
        """Everything as JSON."""
        return self.to_text("json")

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return self.to_text("markdown")

    def to_latex(self) -> str:
        """The tables in LaTeX, for the package booktabs."""
        return self.to_text("latex")

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame, with all digits; needs `captious[pandas]`."""
        return data_frame(self._flat_rows())

    def _flat_rows(self) -> list[dict[str, Any]]:
        return [dict(_flat(row)) for row in self.records()]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = escape_control_chars(
            f"{type(self).__name__}: {'; '.join(islice(self.brief(), MOST_IN_BRIEF))}"
        )
        return f"<{shorten(text, BRIEF, placeholder=' ...')}>"

    def _repr_html_(self) -> str:
        """The tables as notebooks show them; nothing in them is taken for a mark."""
        parts = []
        for table in self.as_tables():
            title = f"<p>{escape(escape_control_chars(table.title))}</p>\n" if table.title else ""
            parts.append(title + render_table(table.header, table.rows, HTML, table.texts))
        above, below = (
            "<br>".join(escape(escape_control_chars(line)) for line in lines)
            for lines in (self.above(), self.below())
        )
        words = (f"<p>{lines}</p>" if lines else "" for lines in (above, below))
        return "\n".join(filter(None, (next(words), *parts, next(words))))


def data_frame(rows: Any, **how: Any) -> pandas.DataFrame:
    """A data frame of rows or columns, or an error that says how to get pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingDependencyError(
            "data frames need pandas: pip install 'captious[pandas]'"
        ) from None
    return pandas.DataFrame(rows, **how)


def _flat(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """A row's values by name: what lies within by both names, an interval as its two ends."""
    for name, value in row.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{key}_")
        elif "interval" in key and isinstance(value, list | tuple) and len(value) == 2:
            yield from zip((f"{key}_low", f"{key}_high"), value, strict=True)
        else:
            yield key, value
