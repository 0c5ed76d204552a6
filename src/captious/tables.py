"""Tables in every format that commands offer, and what all that can be printed has in common."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from tabulate import tabulate

from captious.checks.arguments import checked
from captious.checks.choices import check_choice
from captious.files.json_text import json_text
from captious.shown import visible

STYLES = {"text": "simple", "markdown": "github", "latex": "latex_booktabs"}
# All that could end a cell, or be read as a mark and not as itself; `bleu_4` needs no escape.
MARKDOWN_MARKS = re.compile(r"[\\|`*<&\[\]]|(?<!\w)_|_(?!\w)")
FORMATS = ("text", "json", "markdown", "latex")


def check_format(name: str) -> None:
    """Stop at a format that does not exist."""
    check_choice("unknown format", name, FORMATS)


def render_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], format: str, numbers_from: int = 1
) -> str:
    """A table of ready-made cells; columns from `numbers_from` on are aligned to the right."""
    check_format(format)
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


class Tabled(ABC):
    """What can be printed: as tables with a few words, or everything as JSON."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""

    @abstractmethod
    def tabled(self, format: str) -> str:
        """Tables in one of the formats, and the words that belong to them."""

    @checked
    def to_text(self, format: str = "text") -> str:
        """The same as `text`, `json`, `markdown` or `latex`."""
        check_format(format)
        return json_text(self.to_dict(), indent=2) if format == "json" else self.tabled(format)

    def __str__(self) -> str:
        return self.to_text()
