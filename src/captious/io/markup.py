"""Cells as each format writes them: what would be a mark there, escaped, and marks of our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from captious.errors import escape_control_chars

# All that could end a cell, or be read as a mark and not as itself; `bleu_4` needs no escape.
_MARKDOWN = re.compile(r"[\\|`*<&\[\]]|(?<!\w)_|_(?!\w)")
_LATEX = {
    **{mark: rf"\{mark}" for mark in "&%$#_{}"},
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}
_LATEX_MARKS = re.compile("|".join(map(re.escape, _LATEX)))


@dataclass(frozen=True)
class Cell:
    """Text of a cell that is more than text: strong, as the best of a column, with raised letters.

    Where a format cannot raise letters, they stand behind a space.
    """

    text: str
    strong: bool = False
    raised: str = ""


class Markup(NamedTuple):
    """How a format writes text: what it escapes, and what stands around strong and raised parts."""

    escape: Callable[[str], str] = str
    strong: tuple[str, str] = ("", "")
    raised: tuple[str, str] = (" ", "")


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\g<0>", text)


def escape_latex(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return _LATEX_MARKS.sub(lambda mark: _LATEX[mark[0]], text)


TERMINAL = "terminal"  # text with the marks of a terminal that can show strong letters
HTML = "html"  # of notebooks
_SUPERSCRIPT = ("<sup>", "</sup>")
MARKUPS = {
    "text": Markup(),
    TERMINAL: Markup(strong=("\x1b[1m", "\x1b[0m")),
    "markdown": Markup(escape_markdown, ("**", "**"), _SUPERSCRIPT),
    "latex": Markup(escape_latex, (r"\textbf{", "}"), (r"\textsuperscript{", "}")),
    HTML: Markup(escape, ("<b>", "</b>"), _SUPERSCRIPT),
}


def render_cell(cell: str | Cell, format: str) -> str:
    """A cell as a format writes it, in one line, safe to show."""
    if isinstance(cell, str):
        cell = Cell(cell)
    markup = MARKUPS[format]
    text = _surround(
        markup.strong if cell.strong else ("", ""), markup.escape(escape_control_chars(cell.text))
    )
    raised = markup.escape(escape_control_chars(cell.raised))
    return text + (_surround(markup.raised, raised) if raised else "")


def _surround(marks: tuple[str, str], text: str) -> str:
    return f"{marks[0]}{text}{marks[1]}"
