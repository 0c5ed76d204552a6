"""Tables in every format that commands offer, and what all that can be printed has in common."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice, zip_longest
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any, ClassVar

from tabulate import tabulate

from captious.checks.arguments import checked
from captious.checks.choices import check_choice
from captious.errors import MissingDependencyError
from captious.files.json_text import json_text
from captious.shown import visible

if TYPE_CHECKING:
    import pandas

HTML = "html"  # of notebooks, and no format of commands; tabulate escapes all that is a mark there
STYLES = {"text": "simple", "markdown": "github", "latex": "latex_booktabs", HTML: HTML}
BRIEF, MOST_IN_BRIEF = 400, 20  # letters and parts of the short form of a result
# All that could end a cell, or be read as a mark and not as itself; `bleu_4` needs no escape.
MARKDOWN_MARKS = re.compile(r"[\\|`*<&\[\]]|(?<!\w)_|_(?!\w)")
WIDTH = 100  # letters of a line of text in tables that wrap
NARROWEST = 20  # letters of a column that wraps, however long lines become
BETWEEN = 2  # letters between two columns of text, and what tabulate adds to a header
FORMATS = ("text", "json", "markdown", "latex")


def check_format(name: str) -> None:
    """Stop at a format that does not exist."""
    check_choice("unknown format", name, FORMATS)


def render_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], format: str, numbers_from: int = 1
) -> str:
    """A table of ready-made cells; columns from `numbers_from` on are aligned to the right."""
    check_choice("unknown format", format, STYLES)
    alignment = ["left"] * numbers_from + ["right"] * (len(header) - numbers_from)
    header, *rows = ([_cell(text, format) for text in row] for row in (header, *rows))
    return tabulate(
        rows,
        header,
        tablefmt=STYLES[format],
        colalign=alignment if rows else None,
        disable_numparse=True,
    )


def _cell(text: str, format: str) -> str:
    """A cell that stays one cell of one line; LaTeX's own marks are escaped by tabulate."""
    text = visible(text)
    return MARKDOWN_MARKS.sub(r"\\\g<0>", text) if format == "markdown" else text


def decimals(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    return f"{value:.{digits}f}"


@dataclass(frozen=True)
class Table:
    """Ready-made cells below a header; the first columns, `texts` of them, are text.

    The last columns, `wraps` of them, go on in the next row where lines of text would be too long.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    title: str = ""
    wraps: int = 0

    def rendered(self, format: str) -> str:
        """The table in one of the formats, without its title."""
        rows = self._wrapped() if format == "text" and self.wraps else self.rows
        return render_table(self.header, rows, format, self.texts)

    def _wrapped(self) -> list[Sequence[str]]:
        """The rows, each in as many as its longest cell needs."""
        rows = [list(map(visible, row)) for row in self.rows]
        columns = zip(self.header, *rows, strict=True)
        widths = [max([len(name) + BETWEEN, *map(len, cells)]) for name, *cells in columns]
        left = WIDTH - sum(widths[: -self.wraps]) - BETWEEN * (len(widths) - 1)
        for place in range(-self.wraps, 0):
            widths[place] = min(widths[place], max(NARROWEST, left // -place))
            left -= widths[place]
        parted = (
            [wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
            for row in rows
        )
        return [line for row in parted for line in zip_longest(*row, fillvalue="")]


class Tabled(ABC):
    """What can be printed: as tables with a few words, as everything in JSON, as a data frame.

    A result says what its tables are, which words stand above and below them, and gives all of it
    as data; every format, the short form and that of notebooks follow from these.
    """

    worded: ClassVar[tuple[str, ...]] = ("text",)  # formats that have the words beside the tables

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""

    @abstractmethod
    def as_tables(self) -> Sequence[Table]:
        """The tables, best known first."""

    def above(self) -> Sequence[str]:
        """Lines above the tables."""
        return ()

    def below(self) -> Sequence[str]:
        """Lines below the tables."""
        return ()

    def brief(self) -> Iterable[str]:
        """What the short form says: unless said otherwise, the first two columns."""
        return (" ".join(row[:2]) for table in self.as_tables() for row in table.rows)

    def records(self) -> Sequence[Mapping[str, Any]]:
        """The rows of a data frame: unless said otherwise, those that JSON has."""
        rows: Sequence[Mapping[str, Any]] = self.to_dict()["rows"]
        return rows

    def tabled(self, format: str) -> str:
        """Tables in one of the formats, and the words that belong to them."""
        comment = "% " if format == "latex" else ""
        parts = []
        for table in self.as_tables():
            title = f"{comment}{table.title}\n\n" if table.title else ""
            parts.append(f"{title}{table.rendered(format)}")
        if format not in self.worded:
            return "\n\n".join(parts)
        above, below = (
            "\n".join(f"{comment}{line}" for line in lines)
            for lines in (self.above(), self.below())
        )
        return "\n\n".join(part for part in (above, *parts, below) if part)

    @checked
    def to_text(self, format: str = "text") -> str:
        """The same as `text`, `json`, `markdown` or `latex`."""
        check_format(format)
        return json_text(self.to_dict(), indent=2) if format == "json" else self.tabled(format)

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
        return data_frame([dict(_flat(row)) for row in self.records()])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = visible(f"{type(self).__name__}: {'; '.join(islice(self.brief(), MOST_IN_BRIEF))}")
        return f"<{shorten(text, BRIEF, placeholder=' ...')}>"

    def _repr_html_(self) -> str:
        """The tables as notebooks show them; nothing in them is taken for a mark."""
        parts = []
        for table in self.as_tables():
            title = f"<p>{escape(visible(table.title))}</p>\n" if table.title else ""
            parts.append(title + render_table(table.header, table.rows, HTML, table.texts))
        above, below = (
            "<br>".join(escape(visible(line)) for line in lines)
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
