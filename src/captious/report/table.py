"""One table in any of the formats that every command offers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabulate import tabulate

from captious.choices import check_choice
from captious.visible import visible

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
