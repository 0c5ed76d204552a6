"""Tables in every format that commands offer, and the base class of results that print them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, islice, zip_longest
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
MAX_BRIEF_LETTERS, MAX_BRIEF_PARTS = 400, 20  # letters and parts of the short form of a result
MAX_LINE_LETTERS = 100  # letters of a line of text in tables that wrap or fold
MIN_COLUMN_LETTERS = 20  # letters of a column that wraps, however long lines become
COLUMN_GAP = 2  # letters between two columns of text, and what tabulate adds to a header
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
    lines = _align_superscripts(rows) if format in PLAIN else rows
    names = [render_cell(name, format) for name in header]
    cells = [[render_cell(cell, format) for cell in row] for row in lines]
    if format in PLAIN and rows and all(map(_is_plain, chain(names, *cells))):
        return _align_plain(names, cells, numbers_from)
    from tabulate import tabulate  # takes a quarter as long as NumPy to import

    style = STYLES[format]
    table = tabulate(
        cells,
        names,
        tablefmt=_booktabs() if style == BOOKTABS else style,
        colalign=alignment if rows else None,
        disable_numparse=True,
    )
    return table.replace(_PAD, " ")


def _is_plain(cell: str) -> bool:
    """Whether a cell's width is its number of letters, and nothing is to be taken from it."""
    return cell.isascii() and cell.isprintable() and cell == cell.strip()


def _align_plain(header: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int) -> str:
    """A table of plain cells, as tabulate lays it out."""
    columns = zip(header, *rows, strict=True)
    widths = [max(len(name) + COLUMN_GAP, *map(len, cells)) for name, *cells in columns]
    texts, numbers = widths[:numbers_from], widths[numbers_from:]
    gap = " " * COLUMN_GAP
    form = gap.join(
        [*(f"{{:<{width}}}" for width in texts), *(f"{{:>{width}}}" for width in numbers)]
    )
    rule = gap.join("-" * width for width in widths)
    return "\n".join(
        [form.format(*header).rstrip(), rule, *(form.format(*row).rstrip() for row in rows)]
    )


def _render_narrow(table: OutputTable, format: str) -> str:
    """A table of text whose columns are no wider than their cells."""
    lines = [table.header, *_align_superscripts(table.rows)]
    numbers = len(table.header) - table.texts
    from tabulate import tabulate

    text = tabulate(
        [[render_cell(cell, format) for cell in line] for line in lines],
        tablefmt="plain",
        colalign=["left"] * table.texts + ["right"] * numbers,
        disable_numparse=True,
    )
    header, *rows = text.replace(_PAD, " ").split("\n")
    rule = (" " * COLUMN_GAP).join("-" * width for width in table.widths())
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


def _align_superscripts(rows: Sequence[Cells]) -> Sequence[Cells]:
    """Rows whose superscripts are padded to equal width, so that numbers are aligned."""
    columns = list(zip(*rows, strict=True))
    widths = [
        max(len(escape_control_chars(_superscript(cell))) for cell in column) for column in columns
    ]
    if not any(widths):
        return rows
    return [
        [
            _pad_superscript(cell, width) if width else cell
            for cell, width in zip(row, widths, strict=True)
        ]
        for row in rows
    ]


def _superscript(cell: str | Cell) -> str:
    return cell.raised if isinstance(cell, Cell) else ""


def _pad_superscript(cell: str | Cell, width: int) -> Cell:
    cell = cell if isinstance(cell, Cell) else Cell(cell)
    return replace(cell, raised=escape_control_chars(cell.raised).ljust(width, _PAD))


def format_decimals(value: float, digits: int = 4) -> str:
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

    def render(self, format: str) -> str:
        """The table in one of the formats, without its title."""
        if format in PLAIN and self.folds:
            return "\n\n".join(_render_narrow(part, format) for part in self._fold())
        rows = self._wrap() if format in PLAIN and self.wraps else self.rows
        return render_table(self.header, rows, format, self.texts)

    def widths(self) -> list[int]:
        """The letters of the widest cell of each column."""
        columns = zip(self.header, *_align_superscripts(self.rows), strict=True)
        return [max(len(render_cell(cell, "text")) for cell in column) for column in columns]

    def _fold(self) -> list[OutputTable]:
        """The table in parts of about as many columns each, as few as lines have room for."""
        widths = self.widths()
        places = range(self.texts, len(widths))
        parts = [places]
        for count in range(1, len(places) + 1):
            each = -(-len(places) // count)
            parts = [places[start : start + each] for start in range(0, len(places), each)]
            if max(self._width(widths, part) for part in parts) <= MAX_LINE_LETTERS:
                break
        return [self._select_columns([*range(self.texts), *part]) for part in parts]

    def _width(self, widths: Sequence[int], places: Sequence[int]) -> int:
        shown = [*widths[: self.texts], *(widths[place] for place in places)]
        return sum(shown) + COLUMN_GAP * (len(shown) - 1)

    def _select_columns(self, places: Sequence[int]) -> OutputTable:
        header, *rows = ([row[place] for place in places] for row in (self.header, *self.rows))
        return replace(self, header=list(map(str, header)), rows=rows)

    def _wrap(self) -> list[Sequence[str]]:
        """The rows, each in as many as its longest cell needs."""
        rows = [[render_cell(cell, "text") for cell in row] for row in self.rows]
        names = (len(render_cell(name, "text")) + COLUMN_GAP for name in self.header)
        widths = list(map(max, names, self.widths()))
        left = MAX_LINE_LETTERS - sum(widths[: -self.wraps]) - COLUMN_GAP * (len(widths) - 1)
        for place in range(-self.wraps, 0):
            widths[place] = min(widths[place], max(MIN_COLUMN_LETTERS, left // -place))
            left -= widths[place]
        wrapped_rows = (
            [wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
            for row in rows
        )
        return [line for row in wrapped_rows for line in zip_longest(*row, fillvalue="")]


class TabularResult(ABC):
    """A result that can be printed: as tables with notes, as JSON, as a data frame.

    A subclass gives its tables, the notes above and below them, and all of it as data; every
    format, the short form and that of notebooks follow from these.
    """

    formats_with_notes: ClassVar[tuple[str, ...]] = ("text",)  # above and below the tables

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""

    @abstractmethod
    def as_tables(self) -> Sequence[OutputTable]:
        """The tables, best known first."""

    def notes_above(self) -> Sequence[str]:
        """Lines of text above the tables."""
        return ()

    def notes_below(self) -> Sequence[str]:
        """Lines of text below the tables."""
        return ()

    def brief(self) -> Iterable[str]:
        """Parts of the short form: by default, the first two columns of each row."""
        rows = (row for table in self.as_tables() for row in table.rows)
        return (" ".join(render_cell(cell, "text") for cell in row[:2]) for row in rows)

    def records(self) -> Sequence[Mapping[str, Any]]:
        """The rows of a data frame: by default, those of the JSON form."""
        rows: Sequence[Mapping[str, Any]] = self.to_dict()["rows"]
        return rows

    def render_tables(self, format: str) -> str:
        """The tables in one of the formats, with their notes."""
        comment = "% " if format == "latex" else ""
        # Cells for a terminal are escaped already; escaping them again would hide its marks.
        safe = escape_control_chars if format == TERMINAL else str
        parts = []
        for table in self.as_tables():
            title = f"{comment}{safe(table.title)}\n\n" if table.title else ""
            parts.append(f"{title}{table.render(format)}")
        if ("text" if format == TERMINAL else format) not in self.formats_with_notes:
            return "\n\n".join(parts)
        above, below = (
            "\n".join(f"{comment}{safe(line)}" for line in lines)
            for lines in (self.notes_above(), self.notes_below())
        )
        return "\n\n".join(part for part in (above, *parts, below) if part)

    @check_arguments
    def to_text(self, format: str = "text") -> str:
        """The same as `text`, `json`, `markdown`, `latex` or `csv`."""
        check_format(format)
        if format == "json":
            return json_text(self.to_dict(), indent=2)
        return self.to_csv() if format == CSV else self.render_tables(format)

    def to_csv(self) -> str:
        """The rows with all digits, as cells with commas between."""
        from captious.io.csv import csv_text  # which few results need

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
        return [dict(_flatten_row(row)) for row in self.records()]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = escape_control_chars(
            f"{type(self).__name__}: {'; '.join(islice(self.brief(), MAX_BRIEF_PARTS))}"
        )
        return f"<{shorten(text, MAX_BRIEF_LETTERS, placeholder=' ...')}>"

    def _repr_html_(self) -> str:
        """The tables as notebooks show them, escaped."""
        parts = []
        for table in self.as_tables():
            title = f"<p>{escape(escape_control_chars(table.title))}</p>\n" if table.title else ""
            parts.append(title + render_table(table.header, table.rows, HTML, table.texts))
        above, below = (
            "<br>".join(escape(escape_control_chars(line)) for line in lines)
            for lines in (self.notes_above(), self.notes_below())
        )
        notes = [f"<p>{lines}</p>" if lines else "" for lines in (above, below)]
        return "\n".join(filter(None, (notes[0], *parts, notes[1])))


def data_frame(rows: Any, **how: Any) -> pandas.DataFrame:
    """A data frame of rows or columns, or an error that says how to get pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingDependencyError(
            "data frames need pandas: pip install 'captious[pandas]'"
        ) from None
    return pandas.DataFrame(rows, **how)


def _flatten_row(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """A row's values by name: nested ones by both names, an interval as its two ends."""
    for name, value in row.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from _flatten_row(value, f"{key}_")
        elif "interval" in key and isinstance(value, list | tuple) and len(value) == 2:
            yield from zip((f"{key}_low", f"{key}_high"), value, strict=True)
        else:
            yield key, value
